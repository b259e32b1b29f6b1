"""Drawing of Figure 11: buffers against the number of flows, with equation (6)."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.output import figures
from p4abs_experiments.papers.packet_sizing import square_root_rule
from p4abs_experiments.papers.sizing_router_buffers.models.gaussian import buffer_for_utilization


def plot(
    n_flows: Sequence[int],
    pipe_packets: float,
    needed: Mapping[float, Sequence[float]],
    held: Mapping[float, Sequence[float]],
) -> Figure:
    """`needed` and `held`: by utilization, the smallest buffer and that of `abs`, in packets;
    one panel per utilization."""
    figure, axes = figures.panels(
        1,
        len(needed),
        title="Smallest buffer against the number of long flows (155 Mb/s, RTT 80 ms)",
        panel_height_in=3.8,
    )
    flows = np.geomspace(min(n_flows), max(n_flows), 40)
    for panel, (target, buffers) in zip(axes, needed.items(), strict=True):
        panel.sharey(axes[0])
        rule = [square_root_rule(pipe_packets, n) for n in n_flows]
        figures.curve(panel, n_flows, rule, "stanford pipe/sqrt(n)")
        equation = [buffer_for_utilization(pipe_packets, round(n), target) for n in flows]
        figures.model(panel, flows, equation, "equation (6)")
        figures.curve(panel, n_flows, buffers, "optimum (smallest fixed)")
        if target in held:
            figures.curve(panel, n_flows, held[target], "abs")
        figures.logarithmic(panel)
        figures.label(panel, "long flows", "", f"{100 * target:g} % utilization")
        figures.legend(panel)
    axes[0].set_ylabel("buffer (packets of 1000 B)")
    return figure
