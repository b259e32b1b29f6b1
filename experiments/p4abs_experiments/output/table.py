"""An experiment's table: as CSV, which has everything, and as lines to read that fit a page."""

import csv
import math
from collections.abc import Callable, Sequence
from dataclasses import MISSING, astuple, dataclass, fields
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from p4abs_experiments.experiment.estimate import Estimate
from p4abs_experiments.experiment.judgement import Judgement
from p4abs_experiments.experiment.row import Row

COLUMNS = tuple(field.name for field in fields(Row))
_REQUIRED = tuple(field.name for field in fields(Row) if field.default is MISSING)
_ROW = TypeAdapter(Row)

LONGEST = 130
"""Lines of a table to read; the CSV has the rest."""


@dataclass(frozen=True, slots=True)
class Table:
    """Cells are texts ready to print; `texts` says how many leading columns are not numbers."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 2


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """The rows with the columns of Row; empty where there is nothing, seven digits."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([_plain(value) for value in astuple(row)] for row in rows)


def read_csv(path: Path) -> list[Row]:
    """What `write_csv` wrote; a column that was not there yet is empty. Raises OSError,
    ValueError."""
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        for name in _REQUIRED:
            if name not in (reader.fieldnames or ()):
                raise ValueError(f"no column {name!r}")
        return [_row(line, number) for number, line in enumerate(reader, start=2)]


def summarized(rows: Sequence[Row], packet_bytes: int | None = None) -> Table:
    """The rows for people: limits in packets of `packet_bytes`, or in kB; "± " and half the width
    of the confidence interval behind a mean that has one. Columns without any value are left
    out."""
    columns = _columns(packet_bytes)
    bodies = [[text(row) for _, text in columns] for row in rows]
    used = [number for number in range(len(columns)) if any(body[number] for body in bodies)]
    return Table(
        headings=["scenario", "policy", *(columns[number][0] for number in used)],
        rows=[
            [row.scenario, row.policy, *(body[number] for number in used)]
            for row, body in zip(rows, bodies, strict=True)
        ],
    )


def markdown(title: str, source: str, table: Table) -> str:
    """The table as a page."""
    lines = [
        f"# {title}",
        "",
        f"{source[:1].upper()}{source[1:]}. Means over random seeds, ± half the width of their "
        "95 % confidence interval. [How results are measured and "
        "judged](../../explanation/experiments.md#the-set-up) explains the columns; "
        "[table.csv](table.csv) has every column and row.",
        "",
        _line(table.headings),
        "|" + " --- |" * table.texts + " ---: |" * (len(table.headings) - table.texts),
        *map(_line, table.rows[:LONGEST]),
    ]
    if len(table.rows) > LONGEST:
        lines += ["", f"{len(table.rows) - LONGEST} more rows: table.csv."]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _columns(packet_bytes: int | None) -> list[tuple[str, Callable[[Row], str]]]:
    unit_bytes, unit = (packet_bytes, "packets") if packet_bytes else (1_000, "kB")

    def limit(value_bytes: float | None, half_width_bytes: float | None = None) -> str:
        return _number(value_bytes, half_width_bytes, "{:,.1f}".format, 1 / unit_bytes)

    two, one = "{:.2f}".format, "{:.1f}".format
    return [
        (f"limit ({unit})", lambda row: limit(row.mean_limit_bytes, row.mean_limit_ci_bytes)),
        ("99 %", lambda row: limit(row.limit_p99_bytes)),
        ("optimum", lambda row: limit(row.static_optimum_bytes, row.static_optimum_ci_bytes)),
        ("bound by", lambda row: row.binding or ""),
        ("ratio", lambda row: _number(row.ratio, row.ratio_ci, two)),
        ("utilization (%)", lambda row: _number(row.utilization, row.utilization_ci, two, 100)),
        ("loss (%)", lambda row: _number(row.loss, row.loss_ci, _share, 100)),
        ("targets", _verdict),
        (
            "delay, 99 % (ms)",
            lambda row: _number(row.queue_delay_p99_s, None, one, 1e3),
        ),
        ("printed: limit, utilization, loss", _printed),
    ]


def _verdict(row: Row) -> str:
    return "" if row.judged_by is None else Judgement(row).target


def _printed(row: Row) -> str:
    texts = [
        _number(row.paper_limit_packets, None, "{:,.4g}".format),
        _number(row.paper_utilization, None, "{:.4g} %".format, 100),
        _number(row.paper_loss, None, "{:.3g} %".format, 100),
    ]
    return ", ".join(text for text in texts if text)


def _number(
    value: float | None,
    half_width: float | None,
    text: Callable[[float], str],
    per_unit: float = 1.0,
) -> str:
    if value is None or not math.isfinite(value):
        return ""
    found = Estimate(per_unit * value, half_width and per_unit * half_width)
    ends = f" ± {text(found.half_width)}" if found.half_width else ""
    return f"{text(found.mean)}{ends}"


def _share(value: float) -> str:
    """Two decimals, or two digits of what is smaller."""
    return f"{value:.2f}" if value == 0 or value >= 0.1 else f"{value:.2g}"


def _plain(value: object) -> object:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.7g}" if isinstance(value, float) else value


def _row(line: dict[str, str], number: int) -> Row:
    known = {name: text for name, text in line.items() if text and name in COLUMNS}
    for name in ("queue_delay_p50_s", "queue_delay_p99_s"):
        known.setdefault(name, "nan")  # where nothing departed
    try:
        return _ROW.validate_python(known)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"line {number}, column {place!r}: {first['msg']}") from None
