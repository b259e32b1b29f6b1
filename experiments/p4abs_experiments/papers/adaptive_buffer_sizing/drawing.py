"""Limit, utilization and loss of several runs over time: the form of most of the figures."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Results
from p4abs_experiments.network import PACKET_BYTES
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.sized import sizing_of
from p4abs_experiments.output.figures import over_time
from p4abs_experiments.simulation.result import LinkSeries


def runs_over_time(
    results: Results,
    cells: Sequence[Cell],
    *,
    title: str,
    window_s: float,
    packet_bytes: int = PACKET_BYTES,
    optima_bytes: Sequence[tuple[float, float, float]] | None = None,
    happened: Mapping[float, str] | None = None,
    link: str | None = None,
) -> Figure:
    """One line per policy label (its first seed); targets and capacity are those of `cells[0]`.

    The optimum is that of the first cell's scenario, unless `optima_bytes` gives others.
    """
    scenario = cells[0].scenario
    sizing = sizing_of(scenario, link)
    runs = {cell.policy_label: results[cell].link(link).series for cell in reversed(cells)}
    optimum = results.optimum(scenario, link)
    if optima_bytes is None:
        whole = (0.0, scenario.duration_s)
        optima_bytes = [] if optimum is None else [(*whole, optimum.limit_bytes)]
    figure = over_time(
        dict(reversed(runs.items())),
        title=f"{title} (utilization and loss over {window_s:g} s)",
        capacity_bps=scenario.link(link).capacity_bps,
        packet_bytes=packet_bytes,
        utilization=sizing.utilization,
        loss=sizing.loss,
        optima_bytes=optima_bytes,
        happened=happened,
        window_s=window_s,
    )
    highest = max(_highest_after_start(series) for series in runs.values()) / packet_bytes
    figure.axes[0].set_ylim(0, 1.2 * highest)
    return figure


def _highest_after_start(series: LinkSeries) -> float:
    """The greatest limit after the first tenth of a run: the start does not set the scale."""
    return float(series.limit_bytes[len(series.limit_bytes) // 10 :].max())
