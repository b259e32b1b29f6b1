"""The picture of a demonstration: utilization, loss, limit and queue delay over time."""

from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from absdemo.phases import Phase, Statistics
from absdemo.samples import Sample
from absdemo.settings import Settings

WINDOW_S = 0.5  # of the moving ratios of utilization and loss

# Okabe and Ito's palette: told apart with any colour vision.
MEASURED_COLOUR = "#0072B2"
TARGET_COLOUR = "#D55E00"
MEAN_COLOUR = "#000000"
EVENT_COLOUR = "#666666"
TRANSIENT_COLOUR = "#EEEEEE"


def draw(
    path: Path,
    settings: Settings,
    samples: Sequence[Sample],
    results: Sequence[tuple[Phase, Statistics]],
) -> None:
    """Writes the picture. Grey stretches are transients that the statistics leave out."""
    figure, axes = plt.subplots(4, 1, sharex=True, figsize=(10, 9), layout="constrained")
    times_s = [sample.time_s for sample in samples]
    capacity_bps = settings.capacity_bps

    utilization = _moving(samples, lambda s: 8 * s.departed_bytes, lambda s: s.duration_s)
    axes[0].set_ylabel("utilization (%)")
    axes[0].plot(times_s, [100 * u / capacity_bps for u in utilization], color=MEASURED_COLOUR)
    _target(axes[0], 100 * settings.utilization, f"target {settings.utilization:.1%}")
    _means(axes[0], results, lambda s: 100 * s.utilization)
    axes[0].set_ylim(90, 101)

    loss = _moving(samples, lambda s: s.dropped_bytes, lambda s: s.admitted_bytes + s.dropped_bytes)
    axes[1].set_ylabel("loss (%)")
    axes[1].plot(times_s, [100 * p for p in loss], color=MEASURED_COLOUR)
    _target(axes[1], 100 * settings.loss, f"target {settings.loss:.1%}")
    _means(axes[1], results, lambda s: 100 * s.loss)
    axes[1].set_ylim(0, 500 * settings.loss)

    axes[2].set_ylabel("queue limit (kB)")
    axes[2].plot(times_s, [s.limit_bytes / 1e3 for s in samples], color=MEASURED_COLOUR)
    _means(axes[2], results, lambda s: s.mean_limit_bytes / 1e3)
    axes[2].set_ylim(bottom=0)
    drain = axes[2].secondary_yaxis(
        "right",
        functions=(lambda kb: kb * 8e6 / capacity_bps, lambda ms: ms * capacity_bps / 8e6),
    )
    drain.set_ylabel("drain time (ms)")

    axes[3].set_ylabel("queue delay (ms)")
    delays_ms = [1e3 * sample.queue_delay_s(capacity_bps) for sample in samples]
    axes[3].plot(times_s, delays_ms, color=MEASURED_COLOUR, linewidth=0.6)
    _means(axes[3], results, lambda s: 1e3 * s.queue_delay_p50_s, label="median")
    axes[3].set_ylim(bottom=0)
    axes[3].set_xlabel("time (s); grey: transients, which the means leave out")

    for panel in axes:
        _mark_phases(panel, [phase for phase, _ in results])
        panel.legend(loc="lower right" if panel is axes[0] else "upper right", fontsize="small")
        panel.set_xlim(0, settings.duration_s)
        panel.spines["top"].set_visible(False)
    _name_phases(axes[0], [phase for phase, _ in results])
    figure.suptitle(_title(settings))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _title(settings: Settings) -> str:
    capacity = f"{settings.capacity_bps / 1e6:g} Mbit/s"
    flows = f"{settings.flows} TCP {settings.congestion_control} flows"
    return f"{settings.policy} on the {settings.target} target: {capacity}, {flows}"


def _moving(
    samples: Sequence[Sample],
    numerator: Callable[[Sample], float],
    denominator: Callable[[Sample], float],
) -> list[float]:
    """Ratio of sums over the samples of the last WINDOW_S."""
    ratios: list[float] = []
    oldest = 0
    above = below = 0.0
    for sample in samples:
        above += numerator(sample)
        below += denominator(sample)
        while samples[oldest].time_s <= sample.time_s - WINDOW_S:
            above -= numerator(samples[oldest])
            below -= denominator(samples[oldest])
            oldest += 1
        ratios.append(above / below if below > 0 else 0.0)
    return ratios


def _target(axes: Axes, value: float, label: str) -> None:
    axes.axhline(value, color=TARGET_COLOUR, linestyle="--", linewidth=1.2, label=label)


def _means(
    axes: Axes,
    results: Sequence[tuple[Phase, Statistics]],
    value: Callable[[Statistics], float],
    label: str = "mean",
) -> None:
    """A bar over each measured window."""
    for number, (phase, statistics) in enumerate(results):
        height = value(statistics)
        axes.plot(
            (phase.start_s, phase.end_s),
            (height, height),
            color=MEAN_COLOUR,
            linewidth=1.6,
            label=label if number == 0 else None,
        )


def _mark_phases(axes: Axes, phases: Sequence[Phase]) -> None:
    for phase in phases:
        axes.axvspan(phase.begin_s, phase.start_s, color=TRANSIENT_COLOUR, zorder=0)
        if phase.begin_s > 0:
            axes.axvline(phase.begin_s, color=EVENT_COLOUR, linewidth=1)


def _name_phases(axes: Axes, phases: Sequence[Phase]) -> None:
    for phase in phases:
        axes.text(
            phase.begin_s,
            1.03,
            f" {phase.title}",
            transform=axes.get_xaxis_transform(),
            fontsize="small",
            color=EVENT_COLOUR,
        )
