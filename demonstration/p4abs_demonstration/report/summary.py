"""The results of a demonstration: summary.json, timeseries.csv and the table on the terminal."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from p4abs_demonstration.measure.goals import missed_targets
from p4abs_demonstration.measure.measurements import Result
from p4abs_demonstration.measure.phases import SOON_S, Phase, Statistics
from p4abs_demonstration.measure.samples import Sample
from p4abs_demonstration.settings import INTERVAL_S, Settings

DISTURBED = "disturbed"


def summarize(
    settings: Settings,
    results: Sequence[Result],
    control_loop: Mapping[str, Any],
) -> dict[str, Any]:
    """What summary.json holds; start_s and end_s bound the measured part of each phase.

    A disturbed phase has null in the place of its statistics.
    """
    return {
        "target": settings.target,
        "policy": settings.policy,
        "congestion_control": settings.congestion_control,
        "flows": settings.flows,
        "capacity_bps": settings.capacity_bps,
        "capacity_declared_bps": settings.capacity_declared_bps,
        "disturbance": settings.disturb,
        "interval_s": INTERVAL_S,
        "targets": {"utilization": settings.utilization, "loss": settings.loss},
        "phases": [_phase(result) for result in results],
        "control_loop": dict(control_loop),
    }


def _phase(result: Result) -> dict[str, Any]:
    phase, quality, statistics = result.phase, result.quality, result.statistics
    return {
        "name": phase.name,
        "start_s": phase.start_s,
        "end_s": phase.end_s,
        "changes_load": phase.changes_load,
        "disturbed": statistics is None,
        **asdict(quality),
        **(
            {field.name: None for field in fields(Statistics)}
            if statistics is None
            else asdict(statistics)
        ),
    }


def write_summary(path: Path, summary: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(summary, indent=2) + "\n")


def write_timeseries(
    path: Path, samples: Sequence[Sample], phases: Sequence[Phase], capacity_bps: float
) -> None:
    """One line for each control interval."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ("time_s", "phase", "utilization", "loss", "limit_bytes", "queue_delay_s", "binding")
        )
        for sample in samples:
            offered = sample.admitted_bytes + sample.dropped_bytes
            utilization = 8 * sample.departed_bytes / (capacity_bps * sample.duration_s)
            writer.writerow(
                (
                    f"{sample.time_s:.4f}",
                    next((p.name for p in phases if p.begin_s <= sample.time_s < p.end_s), ""),
                    f"{utilization:.6f}",
                    f"{sample.dropped_bytes / offered if offered else 0:.6f}",
                    sample.limit_bytes,
                    f"{sample.queue_delay_s(capacity_bps):.6f}",
                    sample.binding,
                )
            )


def table(settings: Settings, results: Sequence[Result]) -> Table:
    """A row for each phase and one for the targets; fits a terminal of 80 columns."""
    shown = Table(
        title=f"bottleneck of {_traffic(settings)}",
        box=SIMPLE_HEAD,
        padding=(0, 0, 0, 1),
        pad_edge=False,
    )
    shown.add_column("", no_wrap=True)
    for heading in ("utilization", "loss", "mean\nlimit kB", "queue\np50 ms", "delay\np99 ms"):
        shown.add_column(heading, justify="right", no_wrap=True)
    shown.add_column("binding", no_wrap=True)
    shown.add_column("target", no_wrap=True)
    for result in results:
        shown.add_row(result.phase.name, *_cells(settings, result.statistics))
    shown.add_section()
    shown.add_row(
        "target", f"≥ {settings.utilization:.2%}", f"≤ {settings.loss:.2%}", "min", *[""] * 4
    )
    return shown


def _traffic(settings: Settings) -> str:
    capacity = f"{settings.capacity_bps / 1e6:g} Mbit/s"
    return f"{capacity}, {settings.flows} TCP {settings.congestion_control} flows"


def _cells(settings: Settings, statistics: Statistics | None) -> tuple[str, ...]:
    if statistics is None:
        return (DISTURBED, *["-"] * 6)
    missed = missed_targets(
        statistics.utilization, statistics.loss, settings.utilization, settings.loss
    )
    return (
        f"{statistics.utilization:.2%}",
        f"{statistics.loss:.2%}",
        f"{statistics.mean_limit_bytes / 1e3:.1f}",
        f"{statistics.queue_delay_p50_s * 1e3:.0f}",
        f"{statistics.queue_delay_p99_s * 1e3:.0f}",
        statistics.binding,
        "missed" if missed else "met",
    )


def soon_line(results: Sequence[Result]) -> str:
    """How near the limit was to where it stayed, soon after the load had changed; empty where no
    phase tells."""
    ratios = {
        result.phase.title: result.statistics.soon_limit_ratio
        for result in results
        if result.phase.changes_load and result.statistics is not None
    }
    told = [f"{ratio:.2f} ({title})" for title, ratio in ratios.items() if ratio is not None]
    if not told:
        return ""
    return f"limit {SOON_S:g} s after the load changed, over its mean: {', '.join(told)}"


def remarks(results: Sequence[Result]) -> list[str]:
    """Which phases have no result, and which targets are out of reach."""
    return [f"{result.phase.name}: {remark}" for result in results if (remark := _remark(result))]


def _remark(result: Result) -> str:
    if result.statistics is None:
        return f"{DISTURBED} and no result, {result.quality.reason()}"
    unreachable = result.statistics.unreachable
    return f"unreachable: {unreachable}" if unreachable else ""


def loop_line(control_loop: Mapping[str, Any]) -> str:
    """How well the controller kept time; empty if that is not known."""
    exchange_s, lateness_s = (
        control_loop.get(key) for key in ("exchange_median_s", "lateness_p99_s")
    )
    if exchange_s is None or lateness_s is None:
        return ""
    return (
        f"control loop: one exchange takes {exchange_s * 1e3:.2f} ms (median), "
        f"lateness {lateness_s * 1e3:.2f} ms (p99)"
    )
