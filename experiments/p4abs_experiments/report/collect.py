"""Reads what the experiments left (`p4abs_experiments.output.folder`): a directory each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from p4abs.errors import UserError

from p4abs_experiments.experiment.goal import MET, MISSED, Mark
from p4abs_experiments.report.table import Run, Table, read_runs, summarized
from p4abs_experiments.run.code import is_todays
from p4abs_experiments.run.reading import json_of, read_with

EXPERIMENT_FILE = "experiment.json"
PROVENANCE_FILE = "provenance.json"
TABLE_FILE = "table.csv"


class UnusableResults(UserError):
    """The results cannot be reported; the message names the file and what it lacks."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal of the project, as an experiment found it."""

    met: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Record:
    """One experiment: what the paper says, what was measured, and what it took.

    `seeds` are those of the random numbers; `simulations` the wall time of each in seconds,
    by the digest of its result, which experiments share, `commits` those that they ran at.
    `is_stale`: other source code than today's gave them. `figures` are paths without suffix: of
    each there is a .svg and a .png.
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
    is_stale: bool
    confirmed: str
    versions: Mapping[str, str]
    runs: Sequence[Run]
    table: Table
    figures: Sequence[Path]
    findings: Sequence[str]
    goals: Sequence[Goal]
    marks: Sequence[Mark]

    @property
    def paper(self) -> str:
        """The paper's number, "seed000" of "seed000-table2"."""
        return self.name.split("-")[0]

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


def _order(record: Record) -> tuple[str, bool, list[tuple[int, str]]]:
    """By paper, its tables first; then by name, numbers in it by value."""
    parts = re.split(r"(\d+)", record.name)
    numbered = [(int(part), "") if part.isdigit() else (0, part) for part in parts]
    return record.paper, "table" not in record.name, numbered


def _record(path: Path) -> Record:
    folder = path.parent
    facts, provenance = (
        read_with(json_of, each, UnusableResults) for each in (path, folder / PROVENANCE_FILE)
    )
    runs = read_with(read_runs, folder / TABLE_FILE, UnusableResults)
    return read_with(partial(_from, facts, provenance, runs), folder, UnusableResults)


def _from(
    facts: Mapping[str, Any],
    provenance: Sequence[Mapping[str, Any]],
    runs: Sequence[Run],
    directory: Path,
) -> Record:
    findings = [str(finding) for finding in facts["findings"]]
    figures = [directory / name for name in facts["figures"]]
    for figure in figures:
        if not figure.with_name(f"{figure.name}.svg").exists():
            raise FileNotFoundError(f"{figure.name}.svg is missing beside it")
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
        is_stale=not is_todays(facts.get("source_code")),
        confirmed=_confirmed(facts.get("confirmed", ())),
        versions={str(name): str(version) for name, version in facts["versions"].items()},
        runs=runs,
        table=summarized(runs, facts.get("packet_bytes")),
        figures=figures,
        findings=[finding for finding in findings if _goal(finding) is None],
        goals=[found for found in map(_goal, findings) if found],
        marks=[Mark(**mark) for mark in facts.get("marks", ())],
    )


def _confirmed(confirmations: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{each['simulations']} at {each['commit']}" for each in confirmations)


def _goal(finding: str) -> Goal | None:
    for prefix, met in ((MET, True), (MISSED, False)):
        if finding.startswith(prefix):
            return Goal(met, finding.removeprefix(prefix))
    return None
