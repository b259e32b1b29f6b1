"""Drawings of Figures 13 and 14: mixes of long and short flows."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from p4abs_experiments.output import figures
from p4abs_experiments.papers.packet_sizing import square_root_rule

PerLength = Mapping[int, Sequence[float]]
"""Length of the short flows in packets: a value per number of long flows."""


def plot_buffers(
    n_flows: Sequence[int],
    pipe_packets: float,
    needed: PerLength,
    held: PerLength,
    utilization: float,
) -> Figure:
    """Figure 13: the smallest buffer and that of `abs`, in packets."""
    figure, axes = figures.panels(
        1,
        len(needed),
        title=f"Buffer for {100 * utilization:g} % utilization with 20 % of short flows",
        panel_height_in=3.8,
    )
    rule = [square_root_rule(pipe_packets, n) for n in n_flows]
    for panel, (length, buffers) in zip(axes, needed.items(), strict=True):
        panel.sharey(axes[0])
        figures.curve(panel, n_flows, rule, "stanford pipe/sqrt(n)")
        figures.curve(panel, n_flows, buffers, "optimum (smallest fixed)")
        figures.curve(panel, n_flows, held[length], "abs")
        figures.logarithmic(panel)
        figures.label(panel, "long flows", "", f"short flows of {length} packets")
        figures.legend(panel)
    axes[0].set_ylabel("buffer (packets of 1500 B)")
    return figure


def plot_completion(n_flows: Sequence[int], completion: Mapping[str, PerLength]) -> Figure:
    """Figure 14: mean completion time of the short flows in s, per rule."""
    lengths = list(next(iter(completion.values())))
    figure, axes = figures.panels(
        1, len(lengths), title="Mean completion time of the short flows", panel_height_in=3.8
    )
    for panel, length in zip(axes, lengths, strict=True):
        for name, times_s in completion.items():
            figures.curve(panel, n_flows, times_s[length], name)
        figures.logarithmic(panel, y=False)
        figures.label(panel, "long flows", "", f"short flows of {length} packets")
        panel.set_ylim(bottom=0)
        figures.legend(panel)
    axes[0].set_ylabel("mean completion time (s)")
    return figure
