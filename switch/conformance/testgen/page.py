"""The section of docs/conformance.md on p4testgen's tests."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from conformance.page import table
from conformance.testgen.reasons import REASONS
from conformance.testgen.results import Result

_MAX_CHARACTERS = 120
HEADING = "## p4testgen's tests"
_FAILURES = ("program", "tests", "failed here", "failed on BMv2", "differ", "why")


def sections(results: Mapping[str, Result], programs: int) -> Mapping[str, Iterable[str]]:
    """By heading. programs: how many there are."""
    failed = "Programs with tests that fail, or with different frames; their first error, and why:"
    lines = (
        *table(("", ""), _counts(results, programs)),
        *("", failed, "", *table(_FAILURES, _failures(results))),
        *("", "Programs without a test:", ""),
        *table(("what the tool says", "programs"), _obstacles(results)),
    )
    return {HEADING: lines}


def unexplained(results: Mapping[str, Result]) -> list[str]:
    """The programs with tests that fail here for a reason that is not known."""
    return [
        name
        for name, result in results.items()
        if not all(test.here is None or _explained(name, test.here) for test in result.tests)
    ]


def _explained(name: str, failure: str) -> bool:
    return name in REASONS and REASONS[name].explains(failure)


def _counts(results: Mapping[str, Result], programs: int) -> Iterator[tuple[str, int]]:
    tests = [test for result in results.values() for test in result.tests]
    tested = [result for result in results.values() if result.tests]
    statements = sum(result.statements for result in tested)
    yield f"programs run, of {programs}", len(results)
    yield "of these with tests", len(tested)
    yield f"statements reached, of {statements}", sum(result.covered for result in tested)
    yield "tests", len(tests)
    yield "passed on the embedded switch", sum(test.here is None for test in tests)
    yield "passed on BMv2", sum(test.on_bmv2 is None for test in tests)
    yield "the same frames from both", sum(test.alike for test in tests)


def _failures(results: Mapping[str, Result]) -> Iterator[Sequence[object]]:
    for name, result in sorted(results.items()):
        here = [test.here for test in result.tests if test.here is not None]
        there = [test.on_bmv2 for test in result.tests if test.on_bmv2 is not None]
        differ = sum(not test.alike for test in result.tests)
        if here or there or differ:
            said = [*here, *there, "different frames at ports that the test does not name"][0]
            why = f"`{_short(said)}` {REASONS[name].why if name in REASONS else ''}".rstrip()
            yield name, len(result.tests), len(here), len(there), differ, why


def _obstacles(results: Mapping[str, Result]) -> Iterator[Sequence[object]]:
    programs = defaultdict(list)
    for name, result in sorted(results.items()):
        if result.obstacle is not None:
            programs[result.obstacle].append(name)
    return ((f"`{_short(why)}`", ", ".join(of)) for why, of in programs.items())


def _short(text: str) -> str:
    text, _, _ = text.partition("; valid: ")
    return text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}..."
