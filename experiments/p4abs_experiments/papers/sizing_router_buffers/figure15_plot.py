"""Drawing of Figure 15: utilization per row, one panel per number of flows."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from p4abs_experiments.output import figures
from p4abs_experiments.papers.sizing_router_buffers.models.gaussian import utilization_bound
from p4abs_experiments.papers.sizing_router_buffers.published import (
    FIGURE_15_PIPE_PACKETS,
    RouterMeasurement,
)


def plot(
    rows: Sequence[RouterMeasurement], as_ns2: Sequence[float], as_router: Sequence[float]
) -> Figure:
    """`as_ns2`, `as_router`: measured utilization per row."""
    counts = sorted({row.n_flows for row in rows})
    figure, axes = figures.panels(
        1,
        len(counts),
        title="Utilization of an OC3 line card",
        panel_height_in=4.0,
    )
    for panel, n_flows in zip(axes, counts, strict=True):
        panel.sharey(axes[0])
        chosen = [place for place, row in enumerate(rows) if row.n_flows == n_flows]
        multiples = [rows[place].multiple for place in chosen]
        for name, values in (("as ns2", as_ns2), ("as the router", as_router)):
            used = [100 * values[place] for place in chosen]
            figures.curve(panel, multiples, used, f"measured, {name}")
        figures.printed(
            panel, multiples, [100 * rows[place].simulated for place in chosen], "seed: ns2"
        )
        panel.plot(
            multiples,
            [100 * rows[place].measured for place in chosen],
            linestyle="none",
            marker="x",
            color=figures.PRINTED_COLOUR,
            label="seed: router",
        )
        bounds = [
            100 * utilization_bound(FIGURE_15_PIPE_PACKETS, rows[place].buffer_packets, n_flows)
            for place in chosen
        ]
        figures.model(panel, multiples, bounds, "equation (6), a lower bound")
        figures.label(panel, "buffer (pipe/sqrt(n))", "", f"{n_flows} flows")
    axes[0].set_ylabel("utilization (%)")
    axes[0].set_ylim(88, 100.5)
    axes[0].legend(loc="lower right", fontsize="x-small")
    return figure
