"""`p4abs stf`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from p4abs_switch.command_line.options import PATH, option
from p4abs_switch.errors import UserError

if TYPE_CHECKING:
    from p4abs_switch.stf import Outcome


@click.command(short_help="Run packet tests (STF), without interfaces or root.")
@click.argument("program", type=PATH, metavar="PROGRAM.json|DIR")
@click.argument("test", type=PATH, required=False, metavar="[TEST.stf]")
@option(
    "--p4info",
    "A P4Info file. Tests may also use its aliases as names.  [default: names in PROGRAM.json "
    "only]",
    "FILE",
    type=PATH,
)
@option("--tests", "Folder of the tests, if they are not beside the programs.", "DIR", type=PATH)
@option("--trace", "Print each step of each packet of the test.", is_flag=True)
def stf(
    program: Path,
    test: Path | None,
    p4info: Path | None,
    tests: Path | None,
    trace: bool,
) -> int:
    """Run packet tests (STF) in virtual time: without interfaces, without root.

    Runs one test on one program or, in a folder, each NAME.stf on its NAME.json. A test that passes
    runs once more, with the program compiled to machine code.
    """
    if program.is_dir():
        if test is not None or p4info is not None or trace:
            raise UserError("TEST.stf, --p4info and --trace are for one program, not for a folder")
        outcomes = _run_folder(program, tests or program)
        return 0 if all(outcome.passed for outcome in outcomes.values()) else 1
    if test is None or tests is not None:
        raise UserError(f"{program}: give its TEST.stf, or a folder; --tests is for folders")
    return _run_one(program, test, p4info, trace)


def _run_one(program: Path, test: Path, p4info: Path | None, trace: bool) -> int:
    from p4abs_switch.stf import Pair, StfError, run_pair

    try:
        outcome = run_pair(Pair(program, test, p4info), _echo if trace else None)
    except StfError as error:
        raise UserError(str(error)) from None
    for line in outcome.failures:
        click.echo(line)
    click.echo("passed" if outcome.passed else "failed")
    return 0 if outcome.passed else 1


def _echo(text: str) -> None:
    click.echo(text, nl=False)


def _run_folder(programs: Path, tests: Path) -> "dict[str, Outcome]":
    from p4abs_switch.stf import find_pairs, run_pairs

    if not tests.is_dir():
        raise UserError(f"--tests {tests}: no such folder")
    pairs = find_pairs(programs, tests)
    if not pairs:
        raise UserError(f"no test NAME.stf in {tests} has its program NAME.json in {programs}")
    outcomes = {}
    for pair, outcome in run_pairs(pairs):
        outcomes[pair.name] = outcome
        if not outcome.passed:
            click.echo(f"{pair.name}: failed")
            for line in outcome.failures:
                click.echo(f"  {line}")
    passed = sum(outcome.passed for outcome in outcomes.values())
    click.echo(f"{passed} of {len(outcomes)} passed")
    return outcomes
