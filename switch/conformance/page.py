"""The section of a collection in docs/conformance.md."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from p4abs_switch.stf.report import cell, put, table_section

from conformance.collection import Lab, LeftOut, Section
from conformance.outcome import Outcome

Outcomes = Mapping[str, Outcome]
"""Of a lab, by switch."""

_LEFT_OUT = "Left out, as the p4c at hand did not compile them:"


def write(
    page: Path,
    section: Section,
    labs: Sequence[Lab],
    outcomes: Mapping[str, Outcomes],
    left_out: LeftOut,
) -> None:
    """Puts the section into the page, in the place of the one before."""
    put(page, section.heading, text(section, labs, outcomes, left_out))


def text(
    section: Section,
    labs: Sequence[Lab],
    outcomes: Mapping[str, Outcomes],
    left_out: LeftOut,
) -> str:
    """The section in Markdown. outcomes: by lab."""
    rows = [
        _row([lab.name, *section.cells(lab, *outcomes[lab.name].values())])
        for lab in labs
        if lab.name in outcomes
    ]
    failures = [line for lab, each in outcomes.items() for line in section.failures(lab, each)]
    others = [f"- {lab}: `{reason}`" for lab, reason in left_out.items()]
    told = [*_list(section.told, failures), *_list(_LEFT_OUT, others)]
    return table_section(section.heading, section.text, section.columns, rows, told)


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(cell(str(each)) for each in cells)} |"


def _list(title: str, lines: Sequence[str]) -> Sequence[str]:
    return ("", title, "", *lines) if lines else ()
