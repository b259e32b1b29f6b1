"""`p4abs stf`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p4abs_switch.command_line.options import PATH, option
from p4abs_switch.errors import UserError
from p4abs_switch.files import read_text

if TYPE_CHECKING:
    from p4abs_switch.stf import Outcome


@click.command()
@click.argument("program", type=PATH, metavar="PROGRAM.json|DIR")
@click.argument("test", type=PATH, required=False, metavar="[TEST.stf]")
@option("--p4info", "The program's P4Info, whose aliases tests may use.", "FILE", type=PATH)
@option("--tests", "Folder of the tests, if they are not beside the programs.", "DIR", type=PATH)
@option("--trace", "Print what the packets of one test go through.", is_flag=True)
@option("--report", "Write a report on a folder of tests.", "FILE.md", type=PATH)
@option("--peer-results", "BMv2's results, for the report.", "FILE.json", type=PATH)
@option("--differences", "Text of the report's section on differences.", "FILE.md", type=PATH)
def stf(
    program: Path,
    test: Path | None,
    p4info: Path | None,
    tests: Path | None,
    trace: bool,
    report: Path | None,
    peer_results: Path | None,
    differences: Path | None,
) -> int:
    """Run packet tests (STF) in virtual time: without interfaces, without root.

    Runs one test on one program, or every NAME.stf with the program NAME.json of a folder. Runs a
    test that passes a second time, with the program as machine code.
    """
    of_report = (report, peer_results, differences)
    if any(of_report) and not all(of_report):
        raise UserError("--report, --peer-results and --differences go together")
    if program.is_dir():
        if test is not None or p4info is not None or trace:
            raise UserError("TEST.stf, --p4info and --trace are for one program, not for a folder")
        outcomes = _run_folder(program, tests or program)
        if report and peer_results and differences:
            _write_report(report, outcomes, peer_results, differences)
        return 0 if all(outcome.passed for outcome in outcomes.values()) else 1
    if test is None or tests is not None or report is not None:
        raise UserError(
            f"{program}: give its TEST.stf, or a folder; --tests and --report are for folders"
        )
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


def _write_report(
    path: Path, outcomes: "Mapping[str, Outcome]", peer_results: Path, differences: Path
) -> None:
    from p4abs_switch.stf import StfError
    from p4abs_switch.stf.report import later_sections, read_peer_results, report

    try:
        peer = read_peer_results(read_text(peer_results))
        kept = later_sections(read_text(path) if path.exists() else "")
        path.write_text(report(outcomes, peer, read_text(differences)) + kept)
    except StfError as error:
        raise UserError(f"{peer_results}: {error}") from None
    except OSError as error:
        raise UserError(f"cannot write the report: {error}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"cannot write the report: no text: {error.reason}") from None
