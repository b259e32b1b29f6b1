"""What an experiment leaves in its results folder."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.figures import save
from p4abs_experiments.output.optima import OPTIMA_FILE, FoundOptimum, as_json
from p4abs_experiments.output.provenance import Provenance, versions_of
from p4abs_experiments.output.table import markdown, summarized, write_csv
from p4abs_experiments.run.code import source_code_of
from p4abs_experiments.size import Size


def write(
    experiment: Experiment,
    size: Size,
    results: Results,
    provenance: Sequence[Provenance],
    optima: Sequence[FoundOptimum],
    folder: Path,
    command: str,
) -> None:
    """Writes into `folder` the table (CSV and Markdown), figures (PNG), every cell's provenance,
    the static optima and experiment.json for the report; of a slice no figures or sentences."""
    folder.mkdir(parents=True, exist_ok=True)
    is_full = size is Size.FULL
    rows = experiment.rows(results) if is_full else experiment.rows_of_cells(results)
    figures = experiment.figures(results) if is_full else {}
    write_csv(folder / "table.csv", rows)
    packet_bytes = _packet_bytes(results.cells)
    page = markdown(experiment.title, experiment.source, summarized(rows, packet_bytes))
    (folder / "table.md").write_text(page, encoding="utf-8")
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
            "size": str(size),
            "command": command,
            "packet_bytes": packet_bytes,
            "seeds": sorted({cell.seed for cell in results.cells}),
            "cells": len(provenance),
            "wall_s": round(sum(each.wall_s for each in provenance), 1),
            "versions": versions_of(provenance),
            "source_code": source_code_of(results.cells),
            "goals": [asdict(goal) for goal in experiment.goals(results)] if is_full else [],
            "findings": experiment.findings(results) if is_full else [],
            "reasons": experiment.reasons(results) if is_full else [],
            "figures": list(figures),
        },
    )


def _packet_bytes(cells: Sequence[Cell]) -> int | None:
    """The packet length of all traffic; None where lengths differ."""
    lengths = {entry.packet_bytes for cell in cells for entry in cell.scenario.traffic}
    return lengths.pop() if len(lengths) == 1 else None


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
