"""The report's map: every scenario by figure of merit, and whether its goals are met."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p4abs_experiments.experiment.goal import Mark
from p4abs_experiments.report.collect import Record


@dataclass(frozen=True, slots=True)
class Line:
    """One scenario of one experiment; its marks by figure of merit."""

    record: Record
    scenario: str
    marks: Mapping[str, Mark]


@dataclass(frozen=True, slots=True)
class Chart:
    """The map: figures of merit across, scenarios down."""

    figures: Sequence[str]
    lines: Sequence[Line]


def chart(records: Sequence[Record]) -> Chart:
    """Of all experiments that have marks."""
    lines: dict[tuple[str, str], Line] = {}
    for record in records:
        by_scenario: dict[str, dict[str, Mark]] = {}
        for mark in record.marks:
            by_scenario.setdefault(mark.scenario, {})[mark.figure] = mark
        for scenario, marks in by_scenario.items():
            lines[record.name, scenario] = Line(record, scenario, marks)
    figures = dict.fromkeys(figure for line in lines.values() for figure in line.marks)
    return Chart(list(figures), list(lines.values()))
