"""Drawing of Figure 4: utilization against the sampling period, one curve per factor."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from p4abs_experiments.output import figures


def plot(
    periods_s: Sequence[float],
    adt: Mapping[int, Mapping[float, Sequence[float]]],
    adaptive: Mapping[int, float],
    utilization: float,
) -> Figure:
    """`adt`: users, factor, utilization per period; `adaptive`: users, utilization of abs."""
    figure, axes = figures.panels(
        1, len(adt), title="ADT: other periods and factors", panel_height_in=3.6
    )
    for panel, (n_flows, factors) in zip(axes, adt.items(), strict=True):
        panel.sharey(axes[0])
        for factor, used in factors.items():
            figures.curve(panel, periods_s, [100 * each for each in used], f"c = {factor:g}")
        panel.axhline(100 * adaptive[n_flows], color=figures.BLACK, label="abs, defaults")
        figures.target(panel, 100 * utilization, f"target {100 * utilization:g} %")
        figures.label(panel, "sampling period (s)", "", f"{n_flows} users")
    axes[0].set_ylabel("utilization (%)")
    figures.legend(axes[-1])
    return figure
