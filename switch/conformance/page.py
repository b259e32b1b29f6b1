"""Sections of docs/conformance.md: tables, behind prose that is kept by hand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from p4abs_switch.errors import UserError

from conformance.collection import Lab, LeftOut, Section
from conformance.outcome import Outcome

Outcomes = Mapping[str, Outcome]
"""Of a lab, by switch."""

_LEFT_OUT = "Left out, as the p4c at hand did not compile them:"


def put(page: Path, heading: str, lines: Iterable[str]) -> None:
    """Replaces a section's first table, and all that follows it in the section, by these lines.

    They begin with a table. The prose before the table stays.

    heading: the first line of the section. Raises UserError where it is not in the page.
    """
    text = page.read_text()
    found = re.search(rf"^{re.escape(heading)}\n", text, re.MULTILINE)
    if found is None:
        raise UserError(f"{page}: no section {heading!r} in it")
    section, next_heading, after = text[found.end() :].partition("\n## ")
    prose = section.partition("\n|")[0].strip()
    told = "\n".join(lines).strip()
    page.write_text(f"{text[: found.end()]}\n{prose}\n\n{told}\n{next_heading}{after}")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of a table."""
    yield "|" + "".join(f" {column} |" if column else " |" for column in columns)
    yield "|---" * len(columns) + "|"
    for row in rows:
        yield f"| {' | '.join(_cell(each) for each in row)} |"


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|")


def lines(
    section: Section,
    labs: Sequence[Lab],
    outcomes: Mapping[str, Outcomes],
    left_out: LeftOut,
) -> Iterator[str]:
    """What a collection's section tells behind its prose. outcomes: by lab."""
    rows = (
        [lab.name, *section.cells(lab, *outcomes[lab.name].values())]
        for lab in labs
        if lab.name in outcomes
    )
    yield from table(section.columns, rows)
    failures = [line for lab, each in outcomes.items() for line in section.failures(lab, each)]
    yield from _list(section.told, failures)
    yield from _list(_LEFT_OUT, [f"- {lab}: `{reason}`" for lab, reason in left_out.items()])


def _list(title: str, told: Sequence[str]) -> Sequence[str]:
    return ("", title, "", *told) if told else ()
