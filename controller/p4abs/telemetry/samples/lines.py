"""Samples as CSV or JSON lines, one line each; what is not known is empty (CSV) or null."""

import csv
import json
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Any

from p4abs.measurements import UNKNOWN_BYTES
from p4abs.telemetry.samples.appended import AppendedFile, Rotation, SamplesLost, Tell
from p4abs.telemetry.samples.columns import COLUMNS, NAMES, Column, Kind, Told
from p4abs.telemetry.unhurried import unhurried

Row = tuple[str | int | float | None, ...]


class SampleLines:
    """Writes the samples of a control interval at once. `text` makes lines of rows."""

    def __init__(self, name: str, file: AppendedFile, text: Callable[[Iterable[Row]], str]) -> None:
        self.name = name
        self._file = file
        self._text = text

    def write(self, told: Told) -> bool:
        """A line for each of the samples; True: they are in the file. Raises SamplesLost."""
        columns = [_plain(column, told) for column in unhurried(COLUMNS)]
        lines = self._text(unhurried(zip(*columns, strict=True))).encode()
        try:
            self._file.append(lines, told.samples.time_s)
        except OSError as error:
            raise SamplesLost(error, len(told.samples)) from error
        return True

    def reopen(self) -> None:
        """The file may have been moved: the next lines go to one of its name."""
        self._file.reopen()

    def close(self) -> None:
        self._file.close()


def csv_lines(path: Path, rotation: Rotation, tell: Tell) -> SampleLines:
    """A table with a line of names. Raises OSError."""
    heading = _csv_text([NAMES]).encode()
    file = AppendedFile(path, heading, lambda line: line == heading, rotation, tell)
    return SampleLines(str(path), file, _csv_text)


def json_lines(path: Path, rotation: Rotation, tell: Tell) -> SampleLines:
    """An object in each line. Raises OSError."""
    file = AppendedFile(path, b"", _has_our_names, rotation, tell)
    return SampleLines(str(path), file, _json_text)


def _csv_text(rows: Iterable[Row]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _json_text(rows: Iterable[Row]) -> str:
    return "".join(json.dumps(dict(zip(NAMES, row, strict=True))) + "\n" for row in rows)


def _has_our_names(line: bytes) -> bool:
    try:
        record = json.loads(line)
    except ValueError:
        return False
    return isinstance(record, dict) and tuple(record) == NAMES


def _plain(column: Column, told: Told) -> list[Any]:
    """The values as Python's own, None for what is not known."""
    values: Any = column.of(told)
    if column.kind is Kind.TEXT:
        return [*values]
    numbers, decimals = values.tolist(), column.decimals
    if column.kind is Kind.WHOLE:
        unknown = UNKNOWN_BYTES
        return [None if each == unknown or each != each else int(each) for each in numbers]
    if decimals is None:
        return [None if each != each else each for each in numbers]
    return [None if each != each else round(each, decimals) for each in numbers]
