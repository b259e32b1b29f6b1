"""`p4abs check`."""

import asyncio
from pathlib import Path

import click

from p4abs.access.program import load_program
from p4abs.cli.options import seconds
from p4abs.clock import MonotonicClock
from p4abs.config import load_settings, read_toml
from p4abs.inspection import Outcome, grouped, inspect


@click.command()
@click.option(
    "--duration",
    default="1",
    show_default=True,
    metavar="SECONDS",
    help="Measure the links' capacities for this time.",
)
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.toml")
def check(duration: str, path: Path) -> int:
    """Compare a switch with its configuration and change nothing.

    One line a check: ok, differs, not checked. The switch is read without a session, so that it
    stays with the controller that it has. Exit status 1 when something differs.
    """
    settings = load_settings(read_toml(path), {})
    watch_s = seconds("--duration", duration)
    pipeline = settings.switch.push_pipeline
    wanted = None if pipeline is None else load_program(pipeline)
    findings = grouped(asyncio.run(inspect(settings, wanted, MonotonicClock(), watch_s)))
    for finding in findings:
        click.echo(str(finding))
    return int(any(finding.outcome is Outcome.DIFFERS for finding in findings))
