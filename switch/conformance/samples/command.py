"""`python -m conformance samples P4C`: all programs in a row, on both switches."""

from collections.abc import Sequence
from pathlib import Path

import click
from p4abs_switch.errors import UserError
from p4abs_switch.p4info_text import parse_p4info
from p4abs_switch.protobuf import p4r
from p4abs_switch.stf.peer import COMPILER, samples
from p4abs_switch.stf.report import put
from p4abs_switch.testbed.simple_switch import PROGRAM
from p4abs_switch.testgen.programs import Program, of_p4c

from conformance.run import chosen
from conformance.samples.comparison import Result, compared
from conformance.samples.compilation import Compiled, compiled
from conformance.samples.report import HEADING, section, unexplained
from conformance.samples.switches import SwitchUnderTest, bmv2, embedded
from conformance.workplace.compiler import DoesNotCompile
from conformance.workplace.requirements import check_programs

_EVERYWHERE = ("**/*.p4",)


@click.command("samples")
@click.argument("p4c", type=click.Path(path_type=Path, file_okay=False))
@click.option("--programs", "wanted", default="", help="Some of them only, by name: A,B,...")
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results") / "samples",
    show_default=True,
    help="Folder of what is compiled, which is not compiled again.",
)
@click.option(
    "--page",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The page in which to write the table.",
)
def samples_command(p4c: Path, wanted: str, results: Path, page: Path | None) -> int:
    """p4c's programs over P4Runtime, pushed and read back."""
    if not samples(p4c).is_dir():
        raise UserError(f"{p4c}: no checkout of p4c: no {samples(p4c).relative_to(p4c)} in it")
    check_programs({COMPILER: "p4c", PROGRAM: "BMv2"})
    programs = chosen("program", wanted, of_p4c(p4c.resolve(), _EVERYWHERE))
    outcomes, not_compiled = _run(programs, results.resolve())
    if page is not None:
        put(page, HEADING, section(outcomes, not_compiled))
    return 1 if unexplained(outcomes) else 0


def _run(programs: Sequence[Program], folder: Path) -> tuple[dict[str, Result], int]:
    """What comes of each that p4c compiles, and how many it does not."""
    outcomes: dict[str, Result] = {}
    with SwitchUnderTest(embedded) as here, SwitchUnderTest(bmv2) as there:
        for program in programs:
            try:
                config = _config(compiled(program, folder / program.name))
            except DoesNotCompile as error:
                print(f"{program.name}: not compiled: {error}", flush=True)
                continue
            result = compared(program.name, here.answers(config), there.answers(config))
            outcomes[program.name] = result
            for difference in unexplained({program.name: result}):
                print(difference, flush=True)
    return outcomes, len(programs) - len(outcomes)


def _config(program: Compiled) -> p4r.ForwardingPipelineConfig:
    return p4r.ForwardingPipelineConfig(
        p4info=parse_p4info(program.p4info.read_text()), p4_device_config=program.json.read_bytes()
    )
