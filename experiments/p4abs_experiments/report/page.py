"""Lays the results out on one page that needs nothing but itself."""

import base64
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from p4abs_experiments.experiment.judgement import tally
from p4abs_experiments.report.collect import Record, collect
from p4abs_experiments.report.comparison import compare
from p4abs_experiments.run.code import is_of, todays

PAPER_TITLES: Mapping[str, str] = {
    "seed000": "Zhang and Loguinov: ABS, adaptive buffer sizing for heterogeneous networks",
    "seed001": "Appenzeller, Keslassy and McKeown: Sizing router buffers",
    "seed002": "Stanojević and Shorten: Adaptive tuning of drop-tail buffers",
    "seed003": "Avrachenkov, Ayesta and Piunovskiy: Optimal choice of the buffer size",
    "seed004": "Sommers and others: A SLA perspective on the router buffer sizing problem",
    "families": "Experiments of this project",
}
"""The papers, by the group that an experiment's name begins with."""


@dataclass(frozen=True, slots=True)
class Group:
    """The experiments of one paper."""

    name: str
    title: str
    records: Sequence[Record]


def write_report(results: Path, output: Path) -> list[str]:
    """Writes the page about all experiments found below `results`; returns their names.

    Reads files only, so a report of checked-in results needs no simulation. Raises
    UnusableResults.
    """
    records, code = collect(results), todays()
    simulations = dict(each for record in records for each in record.simulations.items())
    page = _environment().get_template("page.html.jinja")
    html = page.render(
        groups=groups(records),
        records=records,
        goals=[(goal, record) for record in records for goal in record.goals],
        policies=compare(records),
        stale=[record for record in records if not is_of(record.source_code, code)],
        commits=len(frozenset().union(*(record.commits for record in records))),
        simulations=len(simulations),
        wall_s=sum(simulations.values()),
    )
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(html, encoding="utf-8")
    return [record.name for record in records]


def groups(records: Sequence[Record]) -> list[Group]:
    grouped = itertools.groupby(records, key=lambda record: record.paper)
    return [Group(name, PAPER_TITLES.get(name, name), list(members)) for name, members in grouped]


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__, "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["picture"] = picture
    environment.filters["paragraphs"] = lambda text: text.split("\n\n")
    environment.filters["tally"] = lambda goals: tally([goal.verdict for goal in goals])
    environment.filters["duration"] = duration
    return environment


def picture(figure: Path) -> str:
    """A figure as a data URI."""
    png = figure.with_name(f"{figure.name}.png").read_bytes()
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.1f} h"
