"""An experiment's table.csv as a table to read: units for people, means with their intervals."""

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Run = Mapping[str, str]
"""A line of table.csv by column; empty where there is no value."""

_KEY = ("scenario", "policy", "n_flows", "capacity_bps")
_REQUIRED = (*_KEY, "mean_limit_bytes", "ratio", "utilization", "loss")


@dataclass(frozen=True, slots=True)
class Table:
    """Cells are texts ready to print; `texts` says how many leading columns are not numbers."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    runs: int
    texts: int = 2


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    heading: str
    text: Callable[[float], str]
    per_unit: float = 1.0
    half_width: str = ""


def _columns(packet_bytes: int | None) -> tuple[_Column, ...]:
    unit_bytes, unit = (packet_bytes, "packets") if packet_bytes else (1_000, "kB")
    per_byte, limit = 1 / unit_bytes, "{:,.1f}".format
    return (
        _Column("n_flows", "flows", "{:g}".format),
        _Column("capacity_bps", "capacity (Mbit/s)", "{:g}".format, 1e-6),
        _Column("seeds", "random seeds", "{:g}".format),
        _Column("mean_limit_bytes", f"mean limit ({unit})", limit, per_byte, "mean_limit_ci_bytes"),
        _Column("std_limit_bytes", f"its std ({unit})", limit, per_byte),
        _Column("limit_p50_bytes", f"limit, median ({unit})", limit, per_byte),
        _Column("limit_p99_bytes", f"limit, 99 % ({unit})", limit, per_byte),
        _Column("limit_max_bytes", f"limit, maximum ({unit})", limit, per_byte),
        _Column("static_optimum_bytes", f"static optimum ({unit})", limit, per_byte),
        _Column("ratio", "ratio", "{:.2f}".format, 1.0, "ratio_ci"),
        _Column("utilization", "utilization (%)", "{:.2f}".format, 100, "utilization_ci"),
        _Column("loss", "loss (%)", _share, 100, "loss_ci"),
        _Column("queue_delay_p50_s", "queue delay, median (ms)", "{:.1f}".format, 1e3),
        _Column("queue_delay_p99_s", "queue delay, 99 % (ms)", "{:.1f}".format, 1e3),
        _Column("paper_limit_packets", "printed: limit (packets)", "{:,.4g}".format),
        _Column("paper_utilization", "printed: utilization (%)", "{:.4g}".format, 100),
        _Column("paper_loss", "printed: loss (%)", "{:.3g}".format, 100),
    )


def read_runs(path: Path) -> list[Run]:
    """The lines of a table.csv. Raises OSError, ValueError."""
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        for name in _REQUIRED:
            if name not in (reader.fieldnames or ()):
                raise ValueError(f"no column {name!r}")
        return list(reader)


def summarized(runs: Sequence[Run], packet_bytes: int | None = None) -> Table:
    """The lines for people: limits in packets of `packet_bytes`, or in kB; "± " and half the width
    of the confidence interval behind a mean that has one. Columns without any value are left out.
    Raises ValueError."""
    columns = _columns(packet_bytes)
    bodies = [[_text(run, column) for column in columns] for run in runs]
    used = [number for number in range(len(columns)) if any(body[number] for body in bodies)]
    return Table(
        headings=["scenario", "policy", *(columns[number].heading for number in used)],
        rows=[
            [run["scenario"], run["policy"], *(body[number] for number in used)]
            for run, body in zip(runs, bodies, strict=True)
        ],
        runs=sum(int(run.get("seeds") or 1) for run in runs),
    )


def number(run: Run, column: str) -> float | None:
    """What stands in this column; None where nothing does. Raises ValueError."""
    text = run.get(column)
    return float(text) if text and math.isfinite(float(text)) else None


def _text(run: Run, column: _Column) -> str:
    value, half_width = number(run, column.name), number(run, column.half_width)
    if value is None:
        return ""
    text = column.text(column.per_unit * value)
    return f"{text} ± {column.text(column.per_unit * half_width)}" if half_width else text


def _share(value: float) -> str:
    """Two decimals, or two digits of what is smaller."""
    return f"{value:.2f}" if value == 0 or value >= 0.1 else f"{value:.2g}"
