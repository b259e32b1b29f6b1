"""An experiment's table.csv as a table to read: means over seeds, units for people."""

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


def _columns(packet_bytes: int | None) -> tuple[_Column, ...]:
    unit_bytes, unit = (packet_bytes, "packets") if packet_bytes else (1_000, "kB")
    per_byte = 1 / unit_bytes
    return (
        _Column("n_flows", "flows", "{:g}".format),
        _Column("capacity_bps", "capacity (Mbit/s)", "{:g}".format, 1e-6),
        _Column("mean_limit_bytes", f"mean limit ({unit})", "{:,.1f}".format, per_byte),
        _Column("static_optimum_bytes", f"static optimum ({unit})", "{:,.1f}".format, per_byte),
        _Column("ratio", "ratio", "{:.2f}".format),
        _Column("utilization", "utilization (%)", "{:.2f}".format, 100),
        _Column("loss", "loss (%)", _share, 100),
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
                raise ValueError(f"{path.name} has no column {name!r}")
        return list(reader)


def summarized(runs: Sequence[Run], packet_bytes: int | None = None) -> Table:
    """Means over runs that differ in their seed only. Limits are printed in packets of
    `packet_bytes`, or in kB. Columns without any value are left out. Raises ValueError."""
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        groups.setdefault(tuple(run[name] for name in _KEY), []).append(run)
    columns = _columns(packet_bytes)
    bodies = [[_mean(group, column) for column in columns] for group in groups.values()]
    used = [number for number in range(len(columns)) if any(body[number] for body in bodies)]
    return Table(
        headings=["scenario", "policy", *(columns[number].heading for number in used)],
        rows=[
            [*key[:2], *(body[number] for number in used)]
            for key, body in zip(groups, bodies, strict=True)
        ],
        runs=len(runs),
    )


def _mean(group: Sequence[Run], column: _Column) -> str:
    """The mean over the runs that have a value; empty without any."""
    values = [float(run[column.name]) for run in group if run.get(column.name)]
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return ""
    return column.text(column.per_unit * sum(finite) / len(finite))


def _share(value: float) -> str:
    """Two decimals, or two digits of what is smaller."""
    return f"{value:.2f}" if value == 0 or value >= 0.1 else f"{value:.2g}"
