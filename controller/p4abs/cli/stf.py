"""`p4abs stf`."""

from pathlib import Path

import click

from p4abs.errors import UserError

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("program", type=_PATH, metavar="PROGRAM.json|DIR")
@click.argument("test", type=_PATH, required=False, metavar="[TEST.stf]")
@click.option(
    "--p4info", type=_PATH, metavar="FILE", help="P4Info of the program: its aliases are names too."
)
@click.option(
    "--tests", type=_PATH, metavar="DIR", help="Where a folder's tests are, if not in it."
)
def stf(program: Path, test: Path | None, p4info: Path | None, tests: Path | None) -> int:
    """Run packet tests (STF) against the engine, in virtual time.

    Either one test on one program, or every NAME.stf with the program NAME.json of a folder.
    """
    if program.is_dir():
        if test is not None or p4info is not None:
            raise UserError("a folder takes neither TEST.stf nor --p4info")
        return _run_folder(program, tests or program)
    if test is None or tests is not None:
        raise UserError(f"{program}: not a folder; needs TEST.stf and takes no --tests")
    return _run_one(program, test, p4info)


def _run_one(program: Path, test: Path, p4info: Path | None) -> int:
    from p4abs_switch.stf import Pair, StfError, run_pair

    try:
        outcome = run_pair(Pair(program, test, p4info))
    except StfError as error:
        raise UserError(str(error)) from None
    for line in outcome.failures:
        click.echo(line)
    click.echo("passed" if outcome.passed else "failed")
    return 0 if outcome.passed else 1


def _run_folder(programs: Path, tests: Path) -> int:
    from p4abs_switch.stf import find_pairs, run_pairs

    pairs = find_pairs(programs, tests)
    if not pairs:
        raise UserError(f"no NAME.stf in {tests} has its NAME.json in {programs}")
    passed = 0
    for pair, outcome in run_pairs(pairs):
        passed += outcome.passed
        if not outcome.passed:
            click.echo(f"{pair.name}: failed")
            for line in outcome.failures:
                click.echo(f"  {line}")
    click.echo(f"{passed} of {len(pairs)} passed")
    return 0 if passed == len(pairs) else 1
