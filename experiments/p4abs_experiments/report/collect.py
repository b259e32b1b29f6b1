"""Reads what the experiments left (`p4abs_experiments.output.folder`): a directory each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from p4abs.errors import UserError

from p4abs_experiments.experiment.goal import Goal, Verdict
from p4abs_experiments.experiment.judgement import Judgement, goals, judged, rivals
from p4abs_experiments.experiment.printed import deviations
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.output.table import Table, read_csv, summarized
from p4abs_experiments.run.reading import json_of, read_with

EXPERIMENT_FILE = "experiment.json"
PROVENANCE_FILE = "provenance.json"
TABLE_FILE = "table.csv"


class UnusableResults(UserError):
    """The results cannot be reported; the message names the file and what it lacks."""


@dataclass(frozen=True, slots=True)
class Record:
    """One experiment: what the paper says, what was measured, and what it took.

    `seeds` are those of the random numbers; `simulations` the wall time of each in seconds,
    by the digest of its result, which experiments share, `commits` those that they ran at.
    `source_code` is that of the simulators that gave them. `figures` are paths without suffix: of
    each there is a .png. `cells` are the rows that are judged, `goals` with their verdicts and
    `findings` those that the rows give, too; `own_findings` and `own_goals` are the others.
    """

    name: str
    title: str
    source: str
    claim: str
    size: str
    command: str
    seeds: Sequence[int]
    simulations: Mapping[str, float]
    commits: frozenset[str]
    source_code: object
    confirmed: Sequence[str]
    versions: Mapping[str, str]
    rows: Sequence[Row]
    table: Table
    cells: Sequence[Judgement]
    figures: Sequence[Path]
    findings: Sequence[str]
    own_findings: Sequence[str]
    goals: Sequence[Goal]
    own_goals: Sequence[Goal]

    @property
    def last_confirmed(self) -> str:
        """How many simulations were repeated last, and at which commit; empty for none."""
        return self.confirmed[-1] if self.confirmed else ""

    @property
    def paper(self) -> str:
        """The paper's number, "seed000" of "seed000-table2"."""
        return self.name.split("-")[0]

    @property
    def is_of_no_paper(self) -> bool:
        return self.source.startswith("no paper")

    @property
    def wall_s(self) -> float:
        """Of all simulations together."""
        return sum(self.simulations.values())


def collect(results: Path) -> list[Record]:
    """All experiments below a directory, by name. Raises UnusableResults."""
    paths = sorted(results.glob(f"*/{EXPERIMENT_FILE}"))
    if not paths:
        raise UnusableResults(
            f"{results}: no results there (*/{EXPERIMENT_FILE}); `make repro` makes them"
        )
    return sorted((_record(path) for path in paths), key=_order)


def _order(record: Record) -> tuple[bool, str, bool, list[tuple[int, str]]]:
    """By paper, families last; its tables first; then by name, numbers in it by value."""
    parts = re.split(r"(\d+)", record.name)
    numbered = [(int(part), "") if part.isdigit() else (0, part) for part in parts]
    return record.paper == "families", record.paper, "table" not in record.name, numbered


def _record(path: Path) -> Record:
    folder = path.parent
    facts, provenance = (
        read_with(json_of, each, UnusableResults) for each in (path, folder / PROVENANCE_FILE)
    )
    rows = read_with(read_csv, folder / TABLE_FILE, UnusableResults)
    return read_with(partial(_from, facts, provenance, rows), folder, UnusableResults)


def _from(
    facts: Mapping[str, Any],
    provenance: Sequence[Mapping[str, Any]],
    rows: Sequence[Row],
    directory: Path,
) -> Record:
    own = [Goal(Verdict(each["verdict"]), str(each["sentence"])) for each in facts["goals"]]
    findings = [str(finding) for finding in facts["findings"]]
    reasons = [str(reason) for reason in facts["reasons"]]
    packet_bytes = facts.get("packet_bytes")
    figures = [directory / name for name in facts["figures"]]
    for figure in figures:
        if not figure.with_name(f"{figure.name}.png").exists():
            raise FileNotFoundError(f"{figure.name}.png is missing beside it")
    return Record(
        name=str(facts["name"]),
        title=str(facts["title"]),
        source=str(facts["source"]),
        claim=str(facts["claim"]),
        size=str(facts["size"]),
        command=str(facts["command"]),
        seeds=[int(seed) for seed in facts["seeds"]],
        simulations={str(cell["digest"]): float(cell["wall_s"]) for cell in provenance},
        commits=frozenset(str(cell["versions"].get("commit") or "unknown") for cell in provenance),
        source_code=facts.get("source_code"),
        confirmed=[
            f"{each['simulations']} at {each['commit']}" for each in facts.get("confirmed", ())
        ],
        versions={str(name): str(version) for name, version in facts["versions"].items()},
        rows=rows,
        table=summarized(rows, packet_bytes),
        cells=judged(rows),
        figures=figures,
        findings=[*findings, *deviations(rows, packet_bytes), *rivals(rows), *reasons],
        own_findings=findings,
        goals=[*goals(rows), *own],
        own_goals=own,
    )
