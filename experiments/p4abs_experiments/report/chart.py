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
    lines = [line for record in records for line in _lines(record)]
    figures = dict.fromkeys(figure for line in lines for figure in line.marks)
    return Chart(list(figures), lines)


def _lines(record: Record) -> list[Line]:
    """A figure that comes again begins a line: scenarios of several targets may share a name."""
    lines: list[tuple[str, dict[str, Mark]]] = []
    present: dict[str, dict[str, Mark]] = {}
    for mark in record.marks:
        if mark.figure in present.get(mark.scenario, {mark.figure: mark}):
            present[mark.scenario] = {}
            lines.append((mark.scenario, present[mark.scenario]))
        present[mark.scenario][mark.figure] = mark
    return [Line(record, scenario, marks) for scenario, marks in lines]
