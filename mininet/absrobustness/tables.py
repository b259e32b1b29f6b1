"""Results on the terminal, in robustness.md and in robustness.json."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from p4abs_demonstration.measure.goals import LOSS_TOLERANCE, UTILIZATION_TOLERANCE
from p4abs_demonstration.measure.phases import SOON_S
from rich.box import SIMPLE_HEAD
from rich.table import Table

from absrobustness.goals import LIMIT_RATIO_MAX, SOON_TOLERANCE, Row, Verdict

HEADINGS = (
    *("demonstration", "phase", "utilization", "loss", "binding"),
    *("mean limit (kB)", "maximum (kB)", "ratio", f"after {SOON_S:g} s", "goal"),
)
# Narrow enough for a terminal of 80 columns.
TERMINAL_HEADINGS = ("", "utilization", "loss", "binding", "mean\nkB", "max\nkB", "ratio", "goal")
EXPLANATION = (
    "A goal is met where both targets hold and utilization is within "
    f"{100 * UTILIZATION_TOLERANCE:g} point, or loss within {100 * LOSS_TOLERANCE:g} %, of its "
    f"target, with a mean limit of at most {LIMIT_RATIO_MAX:g} times that of the same "
    "demonstration on a quiet machine (ratio). Where flows have left or returned, the limit "
    f"{SOON_S:g} s later is told in multiples of the mean one. A disturbed phase is "
    "one in which the machine could not keep the schedule: it has no result."
)


def _figures(row: Row) -> tuple[str, ...]:
    """From utilization to ratio."""
    return (
        _shown(row.utilization, ".2%"),
        _shown(row.loss, ".2%"),
        row.binding or "-",
        _shown(row.mean_limit_bytes, ".0f", 1e3),
        _shown(row.max_limit_bytes, ".0f", 1e3),
        _shown(row.ratio, ".2f"),
    )


def _shown(value: float | None, style: str, unit: float = 1) -> str:
    return "-" if value is None else f"{value / unit:{style}}"


def _goal(row: Row) -> str:
    return f"{row.verdict}: {row.note}" if row.note else str(row.verdict)


def count(rows: Sequence[Row]) -> str:
    """For example `57 of 60 phases met their goal, 1 Goal missed, 2 disturbed`."""
    others = [
        f"{number} {verdict}"
        for verdict in Verdict
        if verdict is not Verdict.MET and (number := sum(r.verdict is verdict for r in rows))
    ]
    met = sum(row.verdict is Verdict.MET for row in rows)
    return ", ".join([f"{met} of {len(rows)} phases met their goal", *others, *_followed(rows)])


def _followed(rows: Sequence[Row]) -> list[str]:
    """How many limits were near their mean soon after the load had changed."""
    ratios = [row.soon for row in rows if row.soon is not None]
    near = sum(abs(ratio - 1) <= SOON_TOLERANCE for ratio in ratios)
    if not ratios:
        return []
    return [
        f"{SOON_S:g} s after flows left or returned {near} of {len(ratios)} limits within "
        f"{100 * SOON_TOLERANCE:g} % of their mean"
    ]


def table(rows: Sequence[Row]) -> Table:
    """For the terminal: a line for each demonstration, and below it one for each phase."""
    shown = Table(box=SIMPLE_HEAD, padding=0, caption=count(rows))
    for heading in TERMINAL_HEADINGS:
        number = heading not in ("", "binding", "goal")
        shown.add_column(heading, justify="right" if number else "left", no_wrap=True)
    for case, found in groupby(rows, lambda row: row.case):
        shown.add_row(case)
        for row in found:
            shown.add_row(f"  {row.phase}", *_figures(row), str(row.verdict))
    return shown


def notes(rows: Sequence[Row]) -> list[str]:
    """A line for each phase that has not met its goal."""
    return [f"{row.case}, {row.phase}: {_goal(row)}" for row in rows if row.note]


def write(folder: Path, rows: Sequence[Row]) -> None:
    """robustness.md and robustness.json."""
    cells = [
        (row.case, row.phase, *_figures(row), _shown(row.soon, ".2f"), _goal(row)) for row in rows
    ]
    lines = (HEADINGS, ("---",) * len(HEADINGS), *cells)
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    (folder / "robustness.md").write_text(
        f"# Demonstrations\n\n{EXPLANATION}\n\n{text}\n\n{count(rows)}.\n"
    )
    found = {"phases": [asdict(row) for row in rows], "conclusion": count(rows)}
    (folder / "robustness.json").write_text(json.dumps(found, indent=2) + "\n")
