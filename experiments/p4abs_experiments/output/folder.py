"""What an experiment leaves in its results folder."""

import csv
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, astuple, fields
from pathlib import Path
from typing import Any

from p4abs_experiments.experiment import Experiment, Results, Size
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.figures import save
from p4abs_experiments.output.optima import OPTIMA_FILE, FoundOptimum, as_json
from p4abs_experiments.output.provenance import Provenance, versions_of
from p4abs_experiments.run.code import source_code_of

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


def write(
    experiment: Experiment,
    results: Results,
    provenance: Sequence[Provenance],
    optima: Sequence[FoundOptimum],
    folder: Path,
    command: str,
) -> None:
    """Writes into `folder` the table (CSV and Markdown), the figures (PNG and SVG; not for
    Size.QUICK), the command, every cell's provenance, the static optima, and experiment.json for
    the report."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = experiment.rows(results)
    figures = {} if results.size is Size.QUICK else experiment.figures(results)
    write_csv(folder / "table.csv", rows)
    (folder / "table.md").write_text(markdown(experiment, rows), encoding="utf-8")
    (folder / "command.txt").write_text(command + "\n", encoding="utf-8")
    for name, figure in figures.items():
        save(figure, folder / name)
    _write_json(folder / "provenance.json", [asdict(each) for each in provenance])
    if optima:
        _write_json(folder / OPTIMA_FILE, as_json(optima))
    _write_json(
        folder / "experiment.json",
        {
            "name": experiment.name,
            "title": experiment.title,
            "source": experiment.source,
            "claim": experiment.claim,
            "size": str(results.size),
            "command": command,
            "packet_bytes": _packet_bytes(results.cells),
            "seeds": sorted({cell.seed for cell in results.cells}),
            "cells": len(provenance),
            "wall_s": round(sum(each.wall_s for each in provenance), 1),
            "versions": versions_of(provenance),
            "source_code": source_code_of(results.cells),
            "findings": [*experiment.goals(results), *experiment.findings(results)],
            "marks": [asdict(mark) for mark in experiment.marks(results)],
            "figures": list(figures),
        },
    )


def _packet_bytes(cells: Sequence[Cell]) -> int | None:
    """The packet length of all traffic; None where lengths differ."""
    lengths = {entry.packet_bytes for cell in cells for entry in cell.scenario.traffic}
    return lengths.pop() if len(lengths) == 1 else None


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


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
