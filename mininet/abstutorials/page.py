"""The table of exercises in docs/conformance.md."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from p4abs_switch.stf.report import cell, put, table_section

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


def section(exercises: Sequence[Exercise], results: Results) -> str:
    """The section in Markdown."""
    rows = [
        f"| {each.name} | {each.shows} | {_verdict(results[each.name][DROP_IN])}"
        f" | {_verdict(results[each.name][SWITCH])} |"
        for each in exercises
        if each.name in results
    ]
    columns = ("exercise", "what must be seen", "embedded target", "BMv2")
    return table_section(HEADING, _TEXT, columns, rows)


def _verdict(reason: str | None) -> str:
    return "passed" if reason is None else cell(f"failed: {reason}")
