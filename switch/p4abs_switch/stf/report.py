"""The conformance report: what passes on the engine and on BMv2, and where they differ."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.runner import Outcome

_DIFFERENCES_HEADING = "## Differences"


@dataclass(frozen=True, slots=True)
class PeerResults:
    """How p4c's own driver ended on BMv2: per test None, or why it failed; and the versions."""

    compiler: str
    switch: str
    results: Mapping[str, str | None]


def read_peer_results(text: str) -> PeerResults:
    """Reads what `python -m p4abs_switch.stf.peer` wrote. Raises StfError."""
    try:
        document = json.loads(text)
        return PeerResults(document["compiler"], document["switch"], dict(document["results"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StfError(f"is not a file of peer results: {type(error).__name__} {error}") from None


def report(outcomes: Mapping[str, Outcome], peer: PeerResults, differences: str) -> str:
    """The report in Markdown. A test without a compiled program counts as failed."""
    not_compiled = Outcome(("p4c's back end for BMv2 does not compile the program",))
    all_outcomes = {
        name: outcomes.get(name, not_compiled) for name in sorted({*outcomes, *peer.results})
    }
    passed = sum(outcome.passed for outcome in all_outcomes.values())
    peer_passed = sum(reason is None for reason in peer.results.values())
    rows = list(_rows(all_outcomes, peer))
    return "\n".join(
        (
            "# Conformance",
            "",
            "p4c's packet tests (STF) for v1model, and those of its programs in P4_14, on the",
            "embedded target, by `p4abs stf`, and on BMv2's `simple_switch`, by p4c's own driver.",
            "`make conformance` writes this page, all but the section Differences, which is kept",
            "by hand, and what follows it.",
            "",
            f"Made with {peer.compiler} and {peer.switch}.",
            "",
            "| | tests | passed | failed |",
            "|---|---|---|---|",
            f"| embedded target | {len(all_outcomes)} | {passed} | {len(all_outcomes) - passed} |",
            f"| BMv2 | {len(peer.results)} | {peer_passed} | {len(peer.results) - peer_passed} |",
            "",
            "## Tests that fail",
            "",
            *(_table(rows) if rows else ("None, on either.",)),
            "",
            _DIFFERENCES_HEADING,
            "",
            differences.strip(),
            "",
        )
    )


def later_sections(page: str) -> str:
    """What others have written to a page after the report, to be written again, if anything."""
    _, _, differences = page.partition(f"\n{_DIFFERENCES_HEADING}\n")
    _, heading, sections = differences.partition("\n## ")
    return f"{heading}{sections}"


def put(page: Path, heading: str, section: str) -> None:
    """Puts a section in the place of the one with its heading, or at the end of the page.

    heading: of the second level, the first line of the section.
    """
    before, _, old = page.read_text().partition(f"\n{heading}\n")
    _, next_heading, after = old.partition("\n## ")
    page.write_text(f"{before.rstrip()}\n\n{section.rstrip()}\n{next_heading}{after}")


def table_section(
    heading: str, text: str, columns: Sequence[str], rows: Iterable[str], told: Iterable[str] = ()
) -> str:
    """A section for put(): what it is about, a table, and lines that are told after it."""
    cells = "".join(f" {column} |" if column else " |" for column in columns)
    head = (f"|{cells}", "|---" * len(columns) + "|")
    return "\n".join((heading, "", text, "", *head, *rows, *told, ""))


def _rows(outcomes: Mapping[str, Outcome], peer: PeerResults) -> Iterator[str]:
    for name, outcome in outcomes.items():
        on_peer = peer.results.get(name, "not run")
        if outcome.passed and on_peer is None:
            continue
        verdict = "passed" if outcome.passed else "failed"
        reason = outcome.failures[0] if outcome.failures else f"BMv2: {on_peer}"
        yield (
            f"| {name} | {verdict} | {'passed' if on_peer is None else 'failed'} | {cell(reason)} |"
        )


def _table(rows: list[str]) -> tuple[str, ...]:
    return ("| test | embedded target | BMv2 | reason |", "|---|---|---|---|", *rows)


def cell(text: str) -> str:
    """A text as a cell of a table."""
    return text.replace("|", "\\|")
