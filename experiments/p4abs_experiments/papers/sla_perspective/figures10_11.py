"""Figures 10 and 11: which buffers meet which of sixteen agreements, with ABS beside."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.output import figures
from p4abs_experiments.papers.sla_perspective import published, scale, settings, sla, testbed
from p4abs_experiments.papers.sla_perspective.settings import Setting
from p4abs_experiments.papers.sla_perspective.sla import Agreement, Score
from p4abs_experiments.papers.sla_perspective.traffic import Load

DELAYS_S = (published.SLA_TIGHT[0], 0.010, 0.020, published.SLA_LOOSE[0])
LOSSES = (published.SLA_TIGHT[1], 0.005, 0.010, published.SLA_LOOSE[1])
"""The thresholds; the paper's text names the outer ones only."""

LOADS = (
    settings.WEB_LOADS[0],
    settings.LITTLE_UDP_LOAD,
    settings.SLOW_UDP_LOADS[0],
    settings.FAST_UDP_LOADS[0],
    settings.WEB_LOADS[1],
    settings.SLOW_UDP_LOADS[1],
)
"""All mixes at 60 %, two at 90 %, where agreements hardly ever bind; the paper's text does not name
its six scenarios."""

COLUMNS = (*(setting.name for setting in settings.DROP_TAIL), "ABS")


def agreements() -> list[Agreement]:
    """All sixteen, by delay, then by loss."""
    return [Agreement(delay_s, loss) for delay_s, loss in product(DELAYS_S, LOSSES)]


def describe(agreement: Agreement) -> str:
    return f"{1e3 * agreement.delay_s:g} ms, {100 * agreement.loss:g} %"


_ABS_UTILIZATION = 0.5
"""Below every load, so that the agreement's loss decides."""
_ABS_SHARE_OF_LOSS = 0.5
"""ABS holds its target on average; the margin is for what single intervals lose more."""

_AGREEMENTS = "Sixteen agreements, reported for"

Verdict = Callable[[Sequence[Score], Agreement], str]

_COLOURS = {
    "": "#FFFFFF",
    "-": "#E4E4E4",
    "N": "#F6E7B4",
    "L": figures.ORANGE,
    "D": figures.SKY,
    "B": figures.VERMILION,
}
_SIDE_IN = 2.4


@dataclass(frozen=True)
class Figures1011(Experiment):
    """Sixteen agreements, each with six loads against five buffers and ABS, reported for the whole
    run and for every 10 s.

    ABS is given half of the agreement's loss as its target: one run per load and loss threshold.
    """

    name: str = "seed004-figures10-11"
    title: str = "Sixteen agreements, reported for the whole run and for every 10 s"
    source: str = "Sommers, Barford, Greenberg and Willinger 2006, Figures 10 and 11"
    claim: str = (
        "Small buffers break agreements across all traffic. A tight one (5 ms, 0.1 %) needs a "
        "large buffer, with which delay is almost certain to cause problems; a loose one (50 ms, "
        "2 %) is met by moderate buffers. Reported for every 10 s, the same agreements are broken "
        "more often than over the whole run. "
        f"Simulated at 1/{scale.SCALE} of the OC3 link and of its flows."
    )

    def cells(self) -> Sequence[Cell]:
        fixed = [settings.cell(load, setting) for load in LOADS for setting in settings.DROP_TAIL]
        adaptive = [_abs_cell(load, loss) for load in LOADS for loss in LOSSES]
        return [*fixed, *adaptive]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {
            "figure10": plot(f"{_AGREEMENTS} the whole run", letters(results, sla.coarse)),
            "figure11": plot(f"{_AGREEMENTS} every 10 s", letters(results, sla.fine)),
        }

    def findings(self, results: Results) -> Sequence[str]:
        return [
            *_told(letters(results, sla.coarse)),
            _valid(results),
            *(f"Every 10 s: {each}" for each in _told(letters(results, sla.fine))),
        ]


def letters(results: Results, verdict: Verdict) -> dict[Agreement, list[list[str]]]:
    """Verdicts on every agreement, shape (loads, buffers)."""
    scores = {simulation_json(cell): _scores(results, cell) for cell in results.cells}
    return {
        agreement: [
            [verdict(scores[simulation_json(cell)], agreement) for cell in row]
            for row in _grid(agreement)
        ]
        for agreement in agreements()
    }


def _told(letters: Mapping[Agreement, list[list[str]]]) -> list[str]:
    corners = (Agreement(*published.SLA_TIGHT), Agreement(*published.SLA_LOOSE))
    return [
        _compliance(letters),
        _delay(letters),
        *(_verdicts(agreement, letters[agreement]) for agreement in corners),
    ]


def _compliance(letters: Mapping[Agreement, list[list[str]]]) -> str:
    binding = [row for rows in letters.values() for row in rows if row[0] != "-"]
    if not binding:
        return "No agreement binds: every interval uses too much of the link."
    met = {
        column: sum(row[number] in ("", "NL", "ND", "NB") for row in binding) / len(binding)
        for number, column in enumerate(COLUMNS)
    }
    shares = ", ".join(f"{column} {share:.0%}" for column, share in met.items())
    return (
        f"There are {len(binding)} pairs of an agreement and a load that it covers. Share of them "
        f"in which the agreement is met: {shares}."
    )


def _delay(letters: Mapping[Agreement, list[list[str]]]) -> str:
    verdicts = [letter for rows in letters.values() for row in rows for letter in row]
    broken = sum(letter in ("D", "B") for letter in verdicts)
    binding = sum(letter != "-" for letter in verdicts)
    return (
        f"The delay is violated in {broken} of {binding} verdicts. ABS has half of an "
        "agreement's loss as its target, and no bound on the delay."
    )


def _verdicts(agreement: Agreement, rows: list[list[str]]) -> str:
    listed = (
        f"{load.mix} {load.name}: {' '.join(letters or 'ok' for letters in row)}"
        for load, row in zip(LOADS, rows, strict=True)
    )
    return f"{describe(agreement)} ({', '.join(COLUMNS)}): {'; '.join(listed)}."


def _grid(agreement: Agreement) -> list[list[Cell]]:
    """The cells of one agreement: a row per load, a column per buffer, ABS the last."""
    return [
        [
            *(settings.cell(load, setting) for setting in settings.DROP_TAIL),
            _abs_cell(load, agreement.loss),
        ]
        for load in LOADS
    ]


def _abs_cell(load: Load, loss: float) -> Cell:
    target = _ABS_SHARE_OF_LOSS * loss
    link = testbed.adaptive(_ABS_UTILIZATION, target)
    return settings.cell(load, Setting(f"abs {100 * target:g} %", 0.0, link))


def _scores(results: Results, cell: Cell) -> list[Score]:
    """The intervals that count, of all seeds."""
    return [
        score
        for result in results.measured(cell.scenario)
        for score in sla.scores(
            result.link().series, scale.CAPACITY_BPS, cell.scenario.measure_from_s
        )
    ]


def _valid(results: Results) -> str:
    parts = []
    for load in LOADS:
        counts = [
            len(_scores(results, settings.cell(load, setting))) for setting in settings.DROP_TAIL
        ]
        _, measured_s = settings.times_s(load)
        most = round(measured_s / published.SLA_INTERVAL_S) * len(counts)
        parts.append(f"{load.mix} {load.name} {sum(counts)} of {most}")
    return (
        f"Intervals of 10 s that use less than {published.SLA_LARGEST_UTILIZATION:.0%} of the "
        f"link, over the fixed buffers: {'; '.join(parts)}."
    )


def plot(title: str, letters: Mapping[Agreement, Sequence[Sequence[str]]]) -> Figure:
    """`letters`: verdicts of every agreement, shape (loads, buffers)."""
    figure, panels = figures.panels(len(DELAYS_S), len(LOSSES), title=title)
    figure.set_size_inches(_SIDE_IN * len(LOSSES) + 1.5, _SIDE_IN * len(DELAYS_S) * 0.8 + 1)
    for number, (axes, (agreement, rows)) in enumerate(zip(panels, letters.items(), strict=True)):
        for row, verdicts in enumerate(rows):
            for column, verdict in enumerate(verdicts):
                axes.axvspan(column - 0.5, column + 0.5, 1 - (row + 1) / len(rows),
                             1 - row / len(rows), color=_COLOURS[verdict[:1]], lw=0)  # fmt: skip
                axes.text(column, row, verdict, ha="center", va="center", fontsize="x-small")
        axes.axvline(len(COLUMNS) - 1.5, color=figures.BLACK, linewidth=0.8)
        axes.set(xlim=(-0.5, len(COLUMNS) - 0.5), ylim=(len(rows) - 0.5, -0.5))
        axes.set_title(describe(agreement), fontsize="small")
        names = [name.split(" ")[0] for name in COLUMNS]
        axes.set_xticks(range(len(COLUMNS)), names, fontsize="x-small")
        shown = number % len(LOSSES) == 0
        loads = [f"{load.mix}, {load.name}" if shown else "" for load in LOADS]
        axes.set_yticks(range(len(LOADS)), loads, fontsize="x-small")
        axes.grid(visible=False)
    figure.supxlabel(
        "buffer (packets of the paper's link; ABS: half the agreement's loss as its target).   "
        "L, D, B: loss, delay, both violated;  N: nearly;  blank: met;  -: no interval below 70 %",
        fontsize="small",
    )
    return figure
