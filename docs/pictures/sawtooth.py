"""One TCP flow behind half a bandwidth-delay product of buffer: the queue over time."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

_HERE = Path(__file__).parent
DATA = _HERE / "sawtooth.csv"
PICTURE = _HERE / "sawtooth.png"
SOURCES = (Path(__file__), DATA)

# Okabe and Ito's palette: told apart with any color vision.
_QUEUE, _LIMIT, _IDLE = "#0072B2", "#D55E00", "#E69F00"

_PACKET_BYTES = 1000
_RATE_PACKETS_PER_S = 1000
_PIPE_PACKETS = 100
_LIMIT_PACKETS = 50
_FROM_S, _UNTIL_S = 30.0, 50.0
_FEW_PACKETS, _BRIEF_S = 4, 0.5


def simulate() -> None:
    """Writes the data: time in seconds, packets in the queue, dropped packets."""
    from p4abs_experiments.network.cell import Cell
    from p4abs_experiments.papers.dumbbell import Dumbbell
    from p4abs_experiments.simulation.simulate import simulate as run

    link = Dumbbell(
        capacity_bps=8 * _PACKET_BYTES * _RATE_PACKETS_PER_S,
        rtt_s=((_PIPE_PACKETS - 1) / _RATE_PACKETS_PER_S,) * 2,
        packet_bytes=_PACKET_BYTES,
        n_flows=(1,),
        start_s=20,
        window_s=60,
    )
    flow = replace(link.long_flows(1, 0, congestion_control="reno"), jitter_s=0)
    sizing = link.fixed(_LIMIT_PACKETS)
    cell = Cell(link.scenario("sawtooth", sizing, 1, flow), policy="static")
    series = run(cell).link().series
    shown = (series.time_s >= _FROM_S) & (series.time_s <= _UNTIL_S)
    columns = (series.time_s - _FROM_S, *_packets(series.occupancy_bytes, series.dropped_bytes))
    rows = np.column_stack([column[shown] for column in columns])
    np.savetxt(DATA, rows, ("%.2f", "%.1f", "%.1f"), ",", header="s,queued,dropped", comments="")


def _packets(*sizes_bytes: np.ndarray) -> list[np.ndarray]:
    return [each / _PACKET_BYTES for each in sizes_bytes]


def draw() -> Figure:
    time_s, queued, dropped = np.loadtxt(DATA, delimiter=",", skiprows=1, unpack=True)
    drop_s = time_s[dropped > 0]
    figure, axes = plt.subplots(figsize=(9, 3.6), layout="constrained")
    axes.plot(time_s, queued, color=_QUEUE)
    axes.axhline(_LIMIT_PACKETS, color=_LIMIT, linestyle="--")
    axes.text(0.1, _LIMIT_PACKETS + 1, "queue limit", color=_LIMIT, va="bottom")
    axes.plot(drop_s, [_LIMIT_PACKETS] * len(drop_s), "v", color=_LIMIT, markersize=9)
    for at_s in drop_s:
        axes.annotate(
            "drop", (at_s, _LIMIT_PACKETS), (0, 9), textcoords="offset points", ha="center"
        )
    for begin_s, end_s in _idle(time_s, queued):
        axes.axvspan(begin_s, end_s, color=_IDLE, alpha=0.3, lw=0)
        axes.text(
            (begin_s + end_s) / 2, 25, "link idles at times", rotation=90, ha="center", va="center"
        )
    axes.set(xlabel="time (s)", ylabel="queue (packets)", xlim=(0, time_s[-1]))
    axes.set_ylim(0, _LIMIT_PACKETS * 1.3)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _idle(time_s: np.ndarray, queued: np.ndarray) -> Iterator[tuple[float, float]]:
    """Stretches with hardly a packet in the queue."""
    is_empty = np.concatenate([[False], queued < _FEW_PACKETS, [False]])
    [begins, ends] = np.flatnonzero(np.diff(is_empty.astype(int))).reshape(-1, 2).T
    for begin, end in zip(begins, ends, strict=True):
        if time_s[end - 1] - time_s[begin] > _BRIEF_S:
            yield time_s[begin], time_s[end - 1]


if __name__ == "__main__":
    simulate()
