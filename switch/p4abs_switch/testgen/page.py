"""The section of docs/conformance.md on p4testgen's tests."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from p4abs_switch.stf.report import cell, put
from p4abs_switch.testgen.generation import MOST_TESTS
from p4abs_switch.testgen.reasons import REASONS
from p4abs_switch.testgen.results import Result, Results

_MOST_CHARACTERS = 120
HEADING = "## p4testgen's tests"
_TEXT = f"""The packet tests that p4c's p4testgen makes of p4c's v1model programs and of ours, up to
{MOST_TESTS} for each, which choose their way through it so that they reach many statements, on the
embedded target and on BMv2's `simple_switch_grpc`; what the two send is compared besides, at all
ports. `make testgen P4C=FOLDER` writes this section; a run that was broken off goes on where it
was. A test leaves open what comes out at ports that it does not name. p4testgen knows no loops:
those of our programs run once at most, for one record of a mailbox request."""


def write(page: Path, results: Results, programs: int) -> None:
    """Puts the section into the page. programs: how many there are. Raises OSError."""
    put(page, HEADING, section(results, programs))


def section(results: Results, programs: int) -> str:
    """The section in Markdown."""
    return "\n".join(
        (
            HEADING,
            "",
            _TEXT,
            "",
            *_counts(results, programs),
            "",
            "Programs with tests that fail or whose frames differ, what is said first, and why:",
            "",
            *_failures(results),
            "",
            "Programs without a test:",
            "",
            *_obstacles(results),
        )
    )


def unexplained(results: Results) -> list[str]:
    """The programs with tests that fail here for a reason that is not known."""
    return [
        name
        for name, result in results.items()
        if not all(test.here is None or _explained(name, test.here) for test in result.tests)
    ]


def _explained(name: str, failure: str) -> bool:
    return name in REASONS and REASONS[name].explains(failure)


def _counts(results: Results, programs: int) -> Iterator[str]:
    tests = [test for result in results.values() for test in result.tests]
    tested = [result for result in results.values() if result.tests]
    covered = sum(result.covered for result in tested)
    statements = sum(result.statements for result in tested)
    yield "| | |"
    yield "|---|---|"
    yield f"| programs run, of {programs} | {len(results)} |"
    yield f"| of these with tests | {len(tested)} |"
    yield f"| statements reached, of {statements} | {covered} |"
    yield f"| tests | {len(tests)} |"
    yield f"| passed on the embedded target | {sum(test.here is None for test in tests)} |"
    yield f"| passed on BMv2 | {sum(test.on_bmv2 is None for test in tests)} |"
    yield f"| the same frames from both | {sum(test.alike for test in tests)} |"


def _failures(results: Mapping[str, Result]) -> Iterator[str]:
    yield "| program | tests | failed here | failed on BMv2 | differ | why |"
    yield "|---|---|---|---|---|---|"
    for name, result in sorted(results.items()):
        here = [test.here for test in result.tests if test.here is not None]
        there = [test.on_bmv2 for test in result.tests if test.on_bmv2 is not None]
        differ = sum(not test.alike for test in result.tests)
        if here or there or differ:
            said = [*here, *there, "different frames at ports that the test does not name"][0]
            why = f"`{_short(said)}` {REASONS[name].why if name in REASONS else ''}".rstrip()
            counts = f"{len(result.tests)} | {len(here)} | {len(there)} | {differ}"
            yield f"| {name} | {counts} | {cell(why)} |"


def _obstacles(results: Mapping[str, Result]) -> Iterable[str]:
    programs = defaultdict(list)
    for name, result in sorted(results.items()):
        if result.obstacle is not None:
            programs[result.obstacle].append(name)
    rows = (f"| {cell(f'`{_short(why)}`')} | {', '.join(of)} |" for why, of in programs.items())
    return ("| what the tool says | programs |", "|---|---|", *rows)


def _short(text: str) -> str:
    text, _, _ = text.partition("; valid: ")
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}..."
