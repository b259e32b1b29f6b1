"""The picture of a demonstration: utilization, loss, limit and queue delay over time."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from p4abs_demonstration.measure.measurements import Result
from p4abs_demonstration.measure.phases import Statistics, disturbance_begin_s
from p4abs_demonstration.measure.samples import Sample
from p4abs_demonstration.report.summary import DISTURBED
from p4abs_demonstration.settings import UNDISTURBED, Settings

Results = Sequence[Result]

WINDOW_S = 0.5  # of the moving ratios of utilization and loss

# Okabe and Ito's palette: told apart with any colour vision.
MEASURED_COLOUR = "#0072B2"
TARGET_COLOUR = "#D55E00"
MEAN_COLOUR = "#000000"
EVENT_COLOUR = "#666666"
TRANSIENT_COLOUR = "#EEEEEE"
DISTURBANCE_COLOUR = "#CC79A7"
DISTURBED_COLOUR = "#E69F00"
DISTURBED_OPACITY = 0.25


def draw(
    path: Path,
    settings: Settings,
    samples: Sequence[Sample],
    results: Results,
) -> None:
    """Writes the picture.

    Grey stretches are transients that the statistics leave out, orange ones were disturbed by the
    machine, purple ones on purpose.
    """
    figure, axes = plt.subplots(4, 1, sharex=True, figsize=(10, 9), layout="constrained")
    for panel, show in zip(axes, (_utilization, _loss, _limit, _queue_delay), strict=True):
        show(panel, settings, samples, results)
    axes[3].set_xlabel(_time_label(settings))
    for panel in axes:
        _mark_phases(panel, results)
        _mark_disturbances(panel, settings, results)
        if panel.get_legend_handles_labels()[0]:
            panel.legend(loc="lower right" if panel is axes[0] else "upper right", fontsize="small")
        panel.set_xlim(0, settings.duration_s)
        panel.spines["top"].set_visible(False)
    _name_phases(axes[0], results)
    figure.suptitle(_title(settings))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _utilization(
    axes: Axes, settings: Settings, samples: Sequence[Sample], results: Results
) -> None:
    departed_bps = _moving(samples, lambda s: 8 * s.departed_bytes, lambda s: s.duration_s)
    axes.set_ylabel("utilization (%)")
    _measured(axes, samples, [100 * rate / settings.capacity_bps for rate in departed_bps])
    _target(axes, 100 * settings.utilization, f"target {settings.utilization:.1%}")
    _means(axes, results, lambda s: 100 * s.utilization)
    axes.set_ylim(90, 101)


def _loss(axes: Axes, settings: Settings, samples: Sequence[Sample], results: Results) -> None:
    loss = _moving(samples, lambda s: s.dropped_bytes, lambda s: s.admitted_bytes + s.dropped_bytes)
    axes.set_ylabel("loss (%)")
    _measured(axes, samples, [100 * share for share in loss])
    _target(axes, 100 * settings.loss, f"target {settings.loss:.1%}")
    _means(axes, results, lambda s: 100 * s.loss)
    axes.set_ylim(0, 500 * settings.loss)


def _limit(axes: Axes, settings: Settings, samples: Sequence[Sample], results: Results) -> None:
    """In bytes on the left, in the time that they take to drain on the right."""
    capacity_bps = settings.capacity_bps
    axes.set_ylabel("queue limit (kB)")
    _measured(axes, samples, [sample.limit_bytes / 1e3 for sample in samples])
    _means(axes, results, lambda s: s.mean_limit_bytes / 1e3)
    axes.set_ylim(bottom=0)

    def drain_ms(kilobytes: Any) -> Any:
        return kilobytes * 8e6 / capacity_bps

    def kilobytes(drain_ms: Any) -> Any:
        return drain_ms * capacity_bps / 8e6

    drain = axes.secondary_yaxis("right", functions=(drain_ms, kilobytes))
    drain.set_ylabel("drain time (ms)")


def _queue_delay(
    axes: Axes, settings: Settings, samples: Sequence[Sample], results: Results
) -> None:
    delays_ms = [1e3 * sample.queue_delay_s(settings.capacity_bps) for sample in samples]
    axes.set_ylabel("queue delay (ms)")
    _measured(axes, samples, delays_ms, linewidth=0.6)
    _means(axes, results, lambda s: 1e3 * s.queue_delay_p50_s, label="median")
    axes.set_ylim(bottom=0)


def _title(settings: Settings) -> str:
    capacity = f"{settings.capacity_bps / 1e6:g} Mbit/s"
    flows = f"{settings.flows} TCP {settings.congestion_control} flows"
    parts = [f"{settings.policy} on the {settings.target} target: {capacity}"]
    declared_bps = settings.capacity_declared_bps
    if declared_bps is None:
        parts.append("not declared")
    elif declared_bps != settings.capacity_bps:
        parts.append(f"declared as {declared_bps / 1e6:g} Mbit/s")
    if settings.disturb != UNDISTURBED:
        parts.append(f"a {settings.disturb} in each phase")
    return ", ".join((*parts, flows))


def _time_label(settings: Settings) -> str:
    label = "time (s); grey: transients, which the means leave out"
    return label if settings.disturb == UNDISTURBED else f"{label}; purple: {settings.disturb}"


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


def _measured(
    axes: Axes, samples: Sequence[Sample], values: Sequence[float], linewidth: float = 1.5
) -> None:
    times_s = [sample.time_s for sample in samples]
    axes.plot(times_s, values, color=MEASURED_COLOUR, linewidth=linewidth)


def _target(axes: Axes, value: float, label: str) -> None:
    axes.axhline(value, color=TARGET_COLOUR, linestyle="--", linewidth=1.2, label=label)


def _means(
    axes: Axes,
    results: Results,
    value: Callable[[Statistics], float],
    label: str = "mean",
) -> None:
    """A bar over each measured window."""
    for result in results:
        if result.statistics is None:
            continue
        height = value(result.statistics)
        axes.plot(
            (result.phase.start_s, result.phase.end_s),
            (height, height),
            color=MEAN_COLOUR,
            linewidth=1.6,
            label=label,
        )
        label = ""  # once is enough for the legend


def _mark_phases(axes: Axes, results: Results) -> None:
    for result in results:
        phase = result.phase
        axes.axvspan(phase.begin_s, phase.start_s, color=TRANSIENT_COLOUR, zorder=0)
        if result.statistics is None:
            axes.axvspan(
                phase.start_s,
                phase.end_s,
                color=DISTURBED_COLOUR,
                alpha=DISTURBED_OPACITY,
                zorder=0,
            )
        if phase.begin_s > 0:
            axes.axvline(phase.begin_s, color=EVENT_COLOUR, linewidth=1)


def _mark_disturbances(axes: Axes, settings: Settings, results: Results) -> None:
    length_s = settings.disturbance_length_s
    if length_s > 0:
        for result in results:
            begin_s = disturbance_begin_s(result.phase, length_s)
            axes.axvspan(begin_s, begin_s + length_s, color=DISTURBANCE_COLOUR, zorder=0)


def _name_phases(axes: Axes, results: Results) -> None:
    for result in results:
        disturbed = "" if result.statistics else f"\n {DISTURBED}: {result.quality.reason()}"
        axes.text(
            result.phase.begin_s,
            1.03,
            f" {result.phase.title}{disturbed}",
            transform=axes.get_xaxis_transform(),
            fontsize="small",
            color=EVENT_COLOUR,
        )
