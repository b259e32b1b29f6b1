"""`p4abs differential`."""

from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

import click

from p4abs_switch.command_line.options import PATH, IntegerRange, option
from p4abs_switch.errors import UserError
from p4abs_switch.files import read_bytes

if TYPE_CHECKING:
    from p4abs_switch.differential.bmv2 import Bmv2


@click.command(short_help="Compare the switch with BMv2 on random packets.")
@click.argument("programs", type=PATH, nargs=-1, required=True, metavar="PROGRAM.json...")
@option("--cases", "Random cases for each program.", type=IntegerRange(min=1), default=10)
@option("--seed", "Random seed; any text.", default="1")
@option("--save", "Save differences as packet tests in this folder.", "DIR", type=PATH)
def differential(programs: tuple[Path, ...], cases: int, seed: str, save: Path | None) -> int:
    """Compare the embedded switch with BMv2 on random table entries and packets.

    Needs BMv2's simple_switch_grpc. Each difference is reduced and printed as a packet test.
    """
    from p4abs_switch.differential.bmv2 import Bmv2, Bmv2Died
    from p4abs_switch.testbed.simple_switch import PROGRAM

    contents = {program: _read(program) for program in programs}
    if which(PROGRAM) is None:
        raise UserError(f"{PROGRAM} is not installed")
    found = 0
    not_compared: list[str] = []
    try:
        with Bmv2() as bmv2:
            for program, content in contents.items():
                differences, is_compared = _compare(program, content, bmv2, (seed, cases, save))
                found += differences
                not_compared += [] if is_compared else [program.stem]
    except Bmv2Died as error:
        raise UserError(str(error)) from None
    if not_compared:
        click.echo(f"not compared to the end: {', '.join(not_compared)}")
    click.echo(f"{found} differences")
    return 1 if found or not_compared else 0


def _compare(
    program: Path, content: bytes, bmv2: "Bmv2", settings: tuple[str, int, Path | None]
) -> tuple[int, bool]:
    """How many differences there are, where a program that only BMv2 runs is one; whether all cases
    were compared. Raises Bmv2Died if BMv2 does not start again.
    """
    from p4abs_switch import EngineError
    from p4abs_switch.differential.bmv2 import Bmv2Died, Bmv2Error
    from p4abs_switch.differential.compare import Comparison
    from p4abs_switch.differential.regression import save, text
    from p4abs_switch.errors import InputError

    seed, cases, folder = settings
    found = 0
    try:
        findings = Comparison(content, bmv2).findings(seed, cases)
        for found, finding in enumerate(findings, start=1):
            click.echo(f"# {program}\n{text(finding)}")
            if folder is not None:
                test = save(folder, f"{program.stem}-{seed}-{found}", content, finding)
                click.echo(f"saved as {test}")
    except (Bmv2Error, Bmv2Died) as error:
        click.echo(f"{program.stem}: not compared further: {error}")
        bmv2.restart()
        return found, False
    except EngineError as error:
        click.echo(f"{program.stem}: refused: {error}")
        return 1, True
    except InputError as error:
        raise UserError(f"{program}: {error}") from None
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from None
    click.echo(f"{program.stem}: {cases} cases, {found} differences")
    return found, True


def _read(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
