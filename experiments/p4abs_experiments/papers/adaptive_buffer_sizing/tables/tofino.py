"""Tables 2 and 3 with the arithmetic of the Tofino programs in the loop.

Each row of the tables up to 64 Mb/s twice, with the same random seeds: `abs` behind the program of
the tables, as they have it, and behind the ingress of p4src/tna, read by its mailbox, on a clock of
10 Gb/s (what is scaled for that is in `simulation/tofino`). TCP amplifies the least difference:
after seconds two runs of a seed have only their round-trip times in common, so a cell's ratios
scatter even where nothing differs, and take more random seeds than others. Rows of faster links
take minutes a run.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.estimate import Estimate, estimate, in_words
from p4abs_experiments.experiment.goal import Goal, Verdict, close_to_one, together
from p4abs_experiments.experiment.judgement import tally
from p4abs_experiments.experiment.row import OURS, Row
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.experiment.seeds import MANY_SEEDS
from p4abs_experiments.network import PACKET_BYTES
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.tofino import TofinoBuffer
from p4abs_experiments.output.figures import TARGET_COLOUR, panels
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import law
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tables2_3 import (
    GOAL,
    MBPS,
    TABLES,
    Load,
    Table,
    scenario,
)
from p4abs_experiments.simulation.result import LinkResult

WITHIN = 0.02
"""How far from the v1model program is still as good."""

CLOCK_GBPS = 10

_FASTEST_BPS = 64 * MBPS


def behind_v1model(load: Load) -> Cell:
    return Cell(scenario(load, law(OURS)))


def behind_tofino(load: Load) -> Cell:
    plain = behind_v1model(load).scenario
    link = replace(plain.link(), buffer=TofinoBuffer(clock_gbps=CLOCK_GBPS))
    return Cell(replace(plain, links=(link,)), policy=f"{OURS} behind Tofino")


@dataclass(frozen=True)
class Comparison:
    """A row of a table behind both programs, with the same random seeds."""

    v1model: Sample
    tofino: Sample

    @property
    def name(self) -> str:
        return self.v1model.cell.scenario.name

    @property
    def limit(self) -> Estimate:
        """The mean limit in multiples of the v1model program's."""
        return self._paired(lambda after, before: after.mean_limit_bytes / before.mean_limit_bytes)

    @property
    def utilization(self) -> Estimate:
        """In multiples of the v1model program's."""
        return self._paired(lambda after, before: after.utilization / before.utilization)

    @property
    def loss(self) -> Estimate:
        """1 and the loss that is added, in shares of the target: a multiple of the v1model
        program's where that meets the target; far below it a multiple would say nothing."""
        return self._paired(lambda after, before: 1 + (after.loss - before.loss) / GOAL.loss)

    @property
    def figures(self) -> Mapping[str, Estimate]:
        """By name; 1 is the v1model program's."""
        return {"limit": self.limit, "utilization": self.utilization, "loss": self.loss}

    def deviating(self) -> list[str]:
        """What is not surely within `WITHIN`."""
        return [
            f"{name} {in_words(figure, '.3f')}"
            for name, figure in self.figures.items()
            if close_to_one(figure, WITHIN) is not Verdict.MET
        ]

    @property
    def verdict(self) -> Verdict:
        """Whether every figure is within `WITHIN`."""
        return together(close_to_one(each, WITHIN) for each in self.figures.values())

    def described(self) -> str:
        tofino, v1model = self.tofino, self.v1model
        limits = _beside(tofino.mean_limit_bytes, v1model.mean_limit_bytes, PACKET_BYTES, ".1f")
        return (
            f"{self.name}: mean limit {limits} packets, {in_words(self.limit, '.3f')} times; "
            f"utilization {_beside(tofino.utilization, v1model.utilization, 0.01, '.2f')} %; "
            f"loss {_beside(tofino.loss, v1model.loss, 0.01, '.3f')} %."
        )

    def _paired(self, figure: Callable[[LinkResult, LinkResult], float]) -> Estimate:
        """Of each random seed: it draws the flows' round-trip times, which both runs share."""
        pairs = zip(self.tofino.links, self.v1model.links, strict=True)
        return estimate([figure(after, before) for after, before in pairs])


@dataclass(frozen=True, kw_only=True)
class BehindTofino(Experiment):
    """`abs` in a table behind the arithmetic of a Tofino, beside the program of the table."""

    table: Table
    seeds: tuple[int, ...] = MANY_SEEDS

    judges_targets = False

    def cells(self) -> Sequence[Cell]:
        return [
            make(load)
            for load in self.table.loads
            if load.capacity_bps <= _FASTEST_BPS
            for make in (behind_v1model, behind_tofino)
        ]

    def rows(self, results: Results) -> Sequence[Row]:
        return sorted(self.rows_of_cells(results), key=lambda row: (row.capacity_bps, row.n_flows))

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {self.short_name: _drawn(self.title, comparisons(results))}

    def findings(self, results: Results) -> Sequence[str]:
        return [each.described() for each in comparisons(results)]

    def goals(self, results: Results) -> Sequence[Goal]:
        compared = comparisons(results)
        return [_cells_goal(compared), _mean_goal(compared)]


TABLES_BEHIND_TOFINO = tuple(
    BehindTofino(
        table=table,
        name=f"{table.name}-tofino",
        title=f"{table.title}: behind Tofino's arithmetic",
        source=table.source,
        claim=(
            "With the Tofino program's widths, units and roundings, Tables 2 and 3 have the same "
            "results as with the v1model program, within 2 %."
        ),
    )
    for table in TABLES
)


def comparisons(results: Results) -> list[Comparison]:
    samples = results.samples()
    return [
        Comparison(v1model, tofino)
        for v1model, tofino in zip(samples[::2], samples[1::2], strict=True)
    ]


def _cells_goal(compared: Sequence[Comparison]) -> Goal:
    far = [f"{each.name}: {', '.join(found)}" for each in compared if (found := each.deviating())]
    verdicts = [each.verdict for each in compared]
    return Goal(
        together(verdicts),
        f"With Tofino's arithmetic, mean limit, utilization and loss of {OURS} should be within "
        f"{100 * WITHIN:g} % of those with the v1model program. Verdicts: {tally(verdicts)} cells."
        + (f" Not shown to be that close, as ratios: {'; '.join(far)}." if far else ""),
    )


def _mean_goal(compared: Sequence[Comparison]) -> Goal:
    means = {
        name: estimate([each.figures[name].mean for each in compared])
        for name in compared[0].figures
    }
    listed = ", ".join(f"{name} {in_words(mean, '.4f')}" for name, mean in means.items())
    return Goal(
        together(close_to_one(each, WITHIN) for each in means.values()),
        f"On average over all {len(compared)} cells, Tofino's arithmetic should change nothing by "
        f"more than {100 * WITHIN:g} %. In multiples of the v1model program's: {listed}.",
    )


def _drawn(title: str, compared: Sequence[Comparison]) -> Figure:
    """A panel for each figure of merit, rows of the tables down."""
    figure, axes = panels(1, 3, title=title, panel_height_in=0.6 + 0.26 * len(compared))
    places = np.arange(len(compared))
    for panel, name in zip(axes, compared[0].figures, strict=True):
        found = [each.figures[name] for each in compared]
        widths = [each.half_width or 0.0 for each in found]
        panel.errorbar([each.mean for each in found], places, xerr=widths, fmt="o", markersize=4)
        for bound in (1 - WITHIN, 1 + WITHIN):
            panel.axvline(bound, color=TARGET_COLOUR, linestyle="--", linewidth=1.2)
        names = [each.name for each in compared]
        panel.set_yticks(places, names if panel is axes[0] else [""] * len(names))
        panel.set_ylim(len(names) - 0.5, -0.5)
        panel.set_xlabel(f"{name}, Tofino / v1model")
    return figure


def _beside(tofino: Estimate, v1model: Estimate, unit: float, form: str) -> str:
    """Both in a sentence, in multiples of a unit."""
    return f"{in_words(tofino.over(unit), form)} beside {in_words(v1model.over(unit), form)}"
