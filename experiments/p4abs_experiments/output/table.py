"""An experiment's table as CSV, and as Markdown for readers."""

import csv
import math
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.experiment.row import Row

_HEADINGS = {
    "scenario": "scenario",
    "policy": "policy",
    "n_flows": "N",
    "capacity_bps": "C, Mbit/s",
    "seeds": "seeds",
    "mean_limit_bytes": "mean limit, bytes",
    "mean_limit_ci_bytes": "±",
    "std_limit_bytes": "its std, bytes",
    "limit_p50_bytes": "p50, bytes",
    "limit_p99_bytes": "p99, bytes",
    "limit_max_bytes": "maximum, bytes",
    "static_optimum_bytes": "static optimum, bytes",
    "binding": "bound by",
    "ratio": "ratio",
    "ratio_ci": "±",
    "utilization": "utilization, %",
    "utilization_ci": "±",
    "loss": "loss, %",
    "loss_ci": "±",
    "target_utilization": "target utilization, %",
    "target_loss": "target loss, %",
    "queue_delay_p50_s": "delay p50, ms",
    "queue_delay_p99_s": "delay p99, ms",
    "paper_limit_packets": "paper: limit, packets",
    "paper_utilization": "paper: utilization, %",
    "paper_loss": "paper: loss, %",
}
COLUMNS = tuple(field.name for field in fields(Row))


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """The rows with the columns of Row; empty where there is nothing, seven digits."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([_plain(value) for value in astuple(row)] for row in rows)


def markdown(experiment: Experiment, rows: Sequence[Row]) -> str:
    """The table for readers, without the columns that are empty throughout."""
    columns = [name for name in COLUMNS if any(_known(getattr(row, name)) for row in rows)]
    lines = [
        f"# {experiment.title}",
        "",
        experiment.source,
        "",
        "| " + " | ".join(_HEADINGS[name] for name in columns) + " |",
        "|" + " --- |" * len(columns),
    ]
    lines += [
        "| " + " | ".join(_readable(name, getattr(row, name)) for name in columns) + " |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _known(value: object) -> bool:
    """Whether there is something to print: neither None nor a number that is none."""
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def _plain(value: object) -> object:
    """For CSV."""
    if not _known(value):
        return ""
    return f"{value:.7g}" if isinstance(value, float) else value


def _readable(column: str, value: Any) -> str:
    """For Markdown, in the units of the heading."""
    if not _known(value):
        return ""
    if column == "capacity_bps":
        return f"{value / 1e6:g}"
    if column.removesuffix("_ci").endswith(("utilization", "loss")):
        return f"{100 * value:.3g}" if value < 0.1 else f"{100 * value:.2f}"
    if column.endswith("_s"):
        return f"{1e3 * value:.3g}"
    if column.endswith("_bytes"):
        return f"{value:.0f}"
    return f"{value:.3f}" if column in ("ratio", "ratio_ci") else f"{value}"
