"""The section of docs/conformance.md on p4c's programs over P4Runtime."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from conformance.page import table
from conformance.samples.comparison import Difference, Result
from conformance.samples.reasons import REASONS, Reason

HEADING = "## p4c's programs over P4Runtime"
_MAX_NAMES = 3


def sections(results: Mapping[str, Result], programs: int) -> Mapping[str, Iterable[str]]:
    """By heading. results: by program that compiles, of so many."""
    why = ("why", "requests", "programs")
    differences = table(why, _differences(results))
    told = ("", "Requests that the two switches answer differently, and why:", "")
    return {HEADING: (*table(("", ""), _counts(results, programs)), *told, *differences)}


def unexplained(results: Mapping[str, Result]) -> list[Difference]:
    """What is answered differently for no reason that is known."""
    return [each for each in _all_differences(results) if reason_of(each) is None]


def reason_of(difference: Difference) -> Reason | None:
    """The first that explains it."""
    return next((reason for reason in REASONS if reason.explains(difference)), None)


def _counts(results: Mapping[str, Result], programs: int) -> Iterator[tuple[str, int]]:
    verdicts = [(result.here, result.there) for result in results.values()]
    yield "programs", programs
    yield "p4c's back end for BMv2 compiles", len(results)
    yield "both switches accept", verdicts.count((True, True))
    yield "only the embedded switch accepts", verdicts.count((True, False))
    yield "only BMv2 accepts", verdicts.count((False, True))
    yield "neither accepts", verdicts.count((False, False))
    yield "requests to both switches", sum(result.requests for result in results.values())
    yield "answered differently", sum(1 for _ in _all_differences(results))


def _differences(results: Mapping[str, Result]) -> Iterator[tuple[str, int, str]]:
    found: dict[str, list[Difference]] = defaultdict(list)
    for difference in _all_differences(results):
        reason = reason_of(difference)
        found[str(difference) if reason is None else reason.why].append(difference)
    for why, differences in sorted(found.items(), key=lambda item: -len(item[1])):
        programs = [*dict.fromkeys(each.program for each in differences)]
        yield why, len(differences), _named(programs)


def _named(programs: Sequence[str]) -> str:
    more = len(programs) - _MAX_NAMES
    named = ", ".join(programs[:_MAX_NAMES])
    return f"{named} and {more} more" if more > 0 else named


def _all_differences(results: Mapping[str, Result]) -> Iterable[Difference]:
    return (each for result in results.values() for each in result.differences)
