"""Drawings of Figures 10 and 12: a quantity against the length of short flows, with the model."""

from collections.abc import Callable, Mapping

from matplotlib.figure import Figure

from p4abs_experiments.output import figures

Points = Mapping[int, Mapping[int, float]]
"""Rate in bit/s, flow length in packets: packets."""


def plot_queue(queues: Points, modelled: Callable[[int], float]) -> Figure:
    """Figure 10: mean queue."""
    return _plot(
        queues, modelled, "Mean queue of short flows at load 0.8", "mean queue (packets)", "E[Q]"
    )


def plot_completion(buffers: Points, modelled: Callable[[int], float]) -> Figure:
    """Figure 12: smallest buffer."""
    return _plot(
        buffers,
        modelled,
        "Smallest buffer for completion times up by at most 12.5 %, at load 0.8",
        "buffer (packets)",
        "P(Q > B) = 0.025",
    )


def _plot(
    points: Points, modelled: Callable[[int], float], title: str, quantity: str, formula: str
) -> Figure:
    figure, (axes,) = figures.panels(title=title)
    longest = max(length for lengths in points.values() for length in lengths)
    lengths = range(1, longest + 1)
    figures.model(axes, lengths, [modelled(length) for length in lengths], f"model, {formula}")
    for capacity_bps, values in points.items():
        figures.curve(axes, list(values), list(values.values()), f"{capacity_bps / 1e6:g} Mb/s")
    figures.label(axes, "length of the flows (packets)", quantity)
    axes.set_ylim(bottom=0)
    figures.legend(axes)
    return figure
