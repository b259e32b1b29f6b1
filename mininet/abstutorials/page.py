"""The table of exercises in docs/conformance.md."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from abstutorials.exercises import Exercise
from abstutorials.switches import DROP_IN, SWITCH

Results = Mapping[str, Mapping[str, str | None]]
"""By exercise and switch: None if it passed, or why not."""

HEADING = "## Exercises of p4lang/tutorials"
_TEXT = f"""The exercises with their solutions, unchanged, in Mininet: their own Makefiles start
`simple_switch_grpc`, which PATH lets be the embedded target (`{DROP_IN}`) or BMv2.
Their own scripts send and receive. `make tutorials TUTORIALS=FOLDER` writes this section."""


def write(page: Path, exercises: Sequence[Exercise], results: Results) -> None:
    """Puts the section into the page, in the place of the one before."""
    put(page, HEADING, section(exercises, results))


def put(page: Path, heading: str, section: str) -> None:
    """Puts a section in the place of the one with its heading, or at the end of the page.

    heading: of the second level, the first line of the section.
    """
    before, _, old = page.read_text().partition(f"\n{heading}\n")
    _, next_heading, after = old.partition("\n## ")
    page.write_text(f"{before.rstrip()}\n\n{section.rstrip()}\n{next_heading}{after}")


def section(exercises: Sequence[Exercise], results: Results) -> str:
    """The section in Markdown."""
    rows = [
        f"| {each.name} | {each.shows} | {_verdict(results[each.name][DROP_IN])}"
        f" | {_verdict(results[each.name][SWITCH])} |"
        for each in exercises
        if each.name in results
    ]
    head = ("| exercise | what must be seen | embedded target | BMv2 |", "|---|---|---|---|")
    return "\n".join((HEADING, "", _TEXT, "", *head, *rows, ""))


def _verdict(reason: str | None) -> str:
    return "passed" if reason is None else f"failed: {reason}".replace("|", "\\|")
