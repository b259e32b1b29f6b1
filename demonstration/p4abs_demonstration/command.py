"""`p4abs demo`."""

import os
import tempfile
from pathlib import Path

import click
from p4abs.errors import P4absError

from p4abs_demonstration.options import demonstration_options


@click.command(short_help="Size the buffer of a link that real TCP congests.")
@demonstration_options
@click.option(
    "--program",
    default="",
    metavar="PATH",
    help="Adaptive program to run: the JSON file that p4c wrote.  [default: queue]",
)
@click.option(
    "--results", metavar="DIR", help="Write results to this folder; without it nothing is kept."
)
def demo(headless: bool, results: str | None, **options: str) -> int:
    """Show how a policy sizes the buffer of a congested link that carries TCP.

    Hosts and switch run on this machine, in network namespaces. It needs root only if the kernel
    does not let users make namespaces.
    """
    from p4abs_switch.testbed.namespaces import enter_own

    # This comes first: numpy starts threads, and a process with several threads gets no user
    # namespace.
    enter_own()
    # gRPC's own messages would stand between ours; it looks at this when it is imported.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if results is not None:
        return _demonstrate(Path(results), headless, options)
    with tempfile.TemporaryDirectory(prefix="p4abs-demo-") as folder:
        return _demonstrate(Path(folder), headless, options)


def _demonstrate(folder: Path, headless: bool, options: dict[str, str]) -> int:
    from p4abs_switch.testbed.caller import give_to_caller
    from rich.console import Console

    from p4abs_demonstration.interruption import Interrupted
    from p4abs_demonstration.report import results
    from p4abs_demonstration.report.progress import display
    from p4abs_demonstration.run import FAILURES, check_machine, run
    from p4abs_demonstration.settings import parse_settings

    console = Console(force_terminal=False if headless else None, highlight=False)
    settings = parse_settings(target="embedded", results=str(folder), **options)
    check_machine(settings)
    results.make_results_folder(settings)
    try:
        with display(console, settings.duration_s) as show:
            measurements = run(settings, show)
    except FAILURES as error:
        raise P4absError(str(error)) from None
    except Interrupted as interruption:
        console.print(f"{interruption}: everything has been cleaned up")
        return interruption.exit_status
    results.write_results(settings, measurements)
    give_to_caller(settings.results)
    results.show_results(console, settings, measurements)
    return 0
