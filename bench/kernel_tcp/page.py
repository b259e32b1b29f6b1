"""One against the other: a table, and the rows in which they differ."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p4abs_experiments.experiment.estimate import Estimate, estimate, in_words

from kernel_tcp.loads import CAPACITY_BPS, DELAY_S, LOADS, STRETCHES, Load, Stretch
from kernel_tcp.rows import Row

CLOSE = 0.10
"""By how much a simulated value may differ from the live one, as a share of it."""

SAME_LOSS = 0.001
"""Loss rates that are no further apart count as equal, however small they are."""


@dataclass(frozen=True)
class Comparison:
    """A load under a limit or a law; a value of each kind is (live, simulated)."""

    load: Load
    stretch: Stretch
    utilization: tuple[Estimate, Estimate]
    loss: tuple[Estimate, Estimate]
    limit_bytes: tuple[Estimate, Estimate]

    @property
    def differs(self) -> list[str]:
        """What is further apart than CLOSE, beyond both confidence intervals together."""
        found = []
        if _apart(*self.utilization):
            found.append("utilization")
        if _apart(*self.loss, SAME_LOSS):
            found.append("loss")
        if _apart(*self.limit_bytes):
            found.append("limit")
        return found


def compare(live: Sequence[Row], simulated: Sequence[Row]) -> Iterator[Comparison]:
    """Of all loads and stretches that both have results of."""
    for load in LOADS:
        for stretch in STRETCHES:
            both = [
                [row for row in rows if _is_of(row, load, stretch)] for rows in (live, simulated)
            ]
            if all(both):
                pairs = (
                    _pair(both, column) for column in ("utilization", "loss", "mean_limit_bytes")
                )
                yield Comparison(load, stretch, *pairs)


def _is_of(row: Row, load: Load, stretch: Stretch) -> bool:
    return (row.congestion_control, row.flows, row.limit, row.note) == (
        load.congestion_control,
        load.flows,
        stretch.name,
        "",
    )


def _pair(both: Sequence[Sequence[Row]], column: str) -> tuple[Estimate, Estimate]:
    live, simulated = (estimate([getattr(row, column) for row in rows]) for rows in both)
    return live, simulated


def _apart(live: Estimate, simulated: Estimate, same: float = 0.0) -> bool:
    widths = math.hypot(live.half_width or 0.0, simulated.half_width or 0.0)
    return abs(live.mean - simulated.mean) > max(CLOSE * live.mean, same) + widths


def page(comparisons: Sequence[Comparison], machine: str, differences: str) -> str:
    """The table in Markdown."""
    apart = [each for each in comparisons if each.differs]
    lines = [
        "# The kernel's TCP and ns-3's on one link",
        "",
        f"A link of {CAPACITY_BPS / 1e6:g} Mb/s whose round trips take "
        f"{2e3 * DELAY_S:g} to {3e3 * DELAY_S:g} ms. Linux's TCP ran over the embedded switch "
        f"({machine}), ns-3's TCP in the simulator. The queue limit is fixed, and named by the "
        "time in which it drains, or `abs` moves it. Each cell has the live value, then the "
        "simulated one; ± is half of the 95 % confidence interval over live rounds or random "
        "seeds.",
        "",
        f"Bold values differ by more than {100 * CLOSE:g} % of the live value and both confidence "
        f"intervals together. Loss rates that differ by less than {100 * SAME_LOSS:g} percentage "
        "points count as equal.",
        "",
        f"{len(comparisons) - len(apart)} of {len(comparisons)} rows agree.",
        "",
        "| flows | limit | utilization (%) | loss (%) | mean limit (kB) |",
        "| --- | --- | --- | --- | --- |",
        *map(_line, comparisons),
        "",
        differences,
    ]
    return "\n".join(lines).rstrip() + "\n"


def _line(each: Comparison) -> str:
    values = (
        ("utilization", each.utilization, 100, ".1f"),
        ("loss", each.loss, 100, ".2f"),
        ("limit", each.limit_bytes, 1e-3, ".0f"),
    )
    cells = []
    for name, (live, simulated), unit, form in values:
        text = f"{_shown(live, unit, form)}, {_shown(simulated, unit, form)}"
        cells.append(f"**{text}**" if name in each.differs else text)
    load = f"{each.load.flows} {each.load.congestion_control.upper()}"
    return "| " + " | ".join((load, each.stretch.name, *cells)) + " |"


def _shown(value: Estimate, unit: float, form: str) -> str:
    return in_words(Estimate(unit * value.mean, value.half_width and unit * value.half_width), form)
