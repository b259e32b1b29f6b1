"""A finding as a test that runs without BMv2: the program, and an .stf with what BMv2 did."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from p4abs_switch.differential.compare import Finding
from p4abs_switch.stf.parts import UNITS, Pattern
from p4abs_switch.stf.statements import (
    Add,
    CheckCounter,
    CheckRegister,
    Expect,
    Packet,
    Statement,
    to_text,
)

_CELL = re.compile(r"(?P<name>.+)\((?P<index>\d+)\)(?: (?P<unit>packets|bytes))?")


def save(folder: Path, name: str, program: bytes, finding: Finding) -> Path:
    """Writes NAME.json and NAME.stf and returns the latter. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_bytes(program)
    test = folder / f"{name}.stf"
    test.write_text(text(finding))
    return test


def text(finding: Finding) -> str:
    """The test, with what differed as a comment."""
    comment = "".join(f"# {line}\n" for line in finding.differences)
    return comment + to_text(_statements(finding))


def _statements(finding: Finding) -> Iterator[Statement]:
    differing = {line.partition(": ")[0] for line in finding.differences}
    checks: list[Statement] = []
    for statement in finding.statements:
        cells = {unit: f"entry of line {statement.line} {unit}" for unit in UNITS}
        if isinstance(statement, Add) and differing.intersection(cells.values()):
            name = f"entry{statement.line}"
            yield replace(statement, name=name)
            for unit, cell in cells.items():
                value = finding.expected.cells[cell]
                checks.append(CheckCounter(0, statement.table, name, unit, "==", value))
        else:
            yield statement
        if isinstance(statement, Packet):
            for port, frames in finding.expected.answers.get(statement.line, {}).items():
                yield from (Expect(0, port, Pattern(frame.hex(), True)) for frame in frames)
    yield from checks
    for cell, value in finding.expected.cells.items():
        found = _CELL.fullmatch(cell)
        if cell in differing and found is not None:
            yield _check(found, value)


def _check(cell: re.Match[str], value: int) -> Statement:
    name, index = cell["name"], cell["index"]
    for unit in UNITS:
        if cell["unit"] == unit:
            return CheckCounter(0, name, index, unit, "==", value)
    return CheckRegister(0, name, int(index), "==", value)
