"""A finding as a test that runs without BMv2: the program, and an .stf with what BMv2 did."""

import re
from collections.abc import Iterator
from pathlib import Path

from p4abs_switch.differential.compare import Finding
from p4abs_switch.stf.statements import (
    CheckCounter,
    CheckRegister,
    Expect,
    Packet,
    Pattern,
    Statement,
    Unit,
)
from p4abs_switch.stf.text import to_text

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
    for statement in finding.statements:
        yield statement
        if isinstance(statement, Packet):
            for port, frames in finding.expected.answers.get(statement.line, {}).items():
                yield from (Expect(0, port, Pattern(frame.hex(), True)) for frame in frames)
    for cell, value in finding.expected.cells.items():
        if any(line.startswith(f"{cell}: ") for line in finding.differences):
            yield _check(cell, value)


def _check(cell: str, value: int) -> Statement:
    found = _CELL.fullmatch(cell)
    assert found is not None
    if found["unit"] is None:
        return CheckRegister(0, found["name"], int(found["index"]), "==", value)
    unit: Unit = "packets" if found["unit"] == "packets" else "bytes"
    return CheckCounter(0, found["name"], found["index"], unit, "==", value)
