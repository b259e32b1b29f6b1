"""Samples as CSV or JSON lines, one line each; what is not known is empty (CSV) or null."""

import csv
import json
from collections.abc import Callable
from typing import Any, TextIO

from p4abs.snapshot import UNKNOWN_BYTES
from p4abs.telemetry.samples.columns import COLUMNS, NAMES, Column, Kind, Told
from p4abs.telemetry.unhurried import unhurried

Row = tuple[str | int | float | None, ...]
FLUSH_INTERVAL_S = 1.0


class SampleLines:
    """Writes to a stream, which has all of them 1 s of samples later at most."""

    def __init__(self, stream: TextIO, write: Callable[[Row], object]) -> None:
        self._stream = stream
        self._write = write
        self._flushed_s = 0.0

    @property
    def name(self) -> str:
        """The file's."""
        return self._stream.name

    def write(self, told: Told) -> None:
        """A line for each of the samples. Raises OSError."""
        columns = [_plain(column, told) for column in unhurried(COLUMNS)]
        for row in unhurried(zip(*columns, strict=True)):
            self._write(row)
        if told.samples.time_s - self._flushed_s >= FLUSH_INTERVAL_S:
            self._stream.flush()
            self._flushed_s = told.samples.time_s

    def close(self) -> None:
        """Nothing is to follow. Raises OSError."""
        self._stream.close()


def csv_lines(stream: TextIO) -> SampleLines:
    """A table with a line of names."""
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(NAMES)
    return SampleLines(stream, table.writerow)


def json_lines(stream: TextIO) -> SampleLines:
    """An object in each line."""
    return SampleLines(
        stream, lambda row: stream.write(json.dumps(dict(zip(NAMES, row, strict=True))) + "\n")
    )


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
