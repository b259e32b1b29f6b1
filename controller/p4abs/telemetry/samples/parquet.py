"""Samples as tables in Apache Parquet; what is not known is null.

Nothing is rounded. A table can be read once it is closed: its directory stands at its end, and is
in memory until then. So a long run writes several tables, one after the other.

Blocks use the same memory, one after the other. Otherwise the directory's memory would lie between
the gaps that a block leaves, and the next block would not fit into them.
"""

import os
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from p4abs.files import append_binary, new_binary
from p4abs.telemetry.samples.appended import (
    FULL_DISK,
    Rotation,
    SamplesLost,
    Tell,
    next_path,
    numbered,
    write_whole,
)
from p4abs.telemetry.samples.columns import COLUMNS, Column, Kind, Told
from p4abs.telemetry.unhurried import unhurried

BLOCK_ROWS = 2**16
"""Rows that are compressed together, and that memory holds at most."""

MAX_BLOCKS = 100
"""Of a table: its directory takes some 25 kB for each."""

_TYPES = {
    Kind.TEXT: pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
    Kind.WHOLE: pyarrow.int64(),
    Kind.NUMBER: pyarrow.float64(),
}
_SCHEMA = pyarrow.schema([(column.name, _TYPES[column.kind]) for column in COLUMNS])


class SampleTable:
    """Writes to `path` in blocks, which compute beside other threads.

    When the table is full, the next one goes on: after `samples.parquet`, `samples-2.parquet`. So
    it does after those that are there already. A block that a full disk does not take waits in
    memory: meanwhile samples are lost, but the table stays whole. Raises OSError unless the disk
    is merely full.
    """

    def __init__(self, path: Path, rotation: Rotation, tell: Tell) -> None:
        self._path = path
        self._rotation = rotation
        self._tell = tell
        self._columns = [_Words() if each.kind is Kind.TEXT else _Numbers(each) for each in COLUMNS]
        self._rows = self._blocks = self._rows_of_blocks = 0
        self._last_s = 0.0
        self._current = path
        self._sink = _Sink(None)
        self._table: Any = None
        try:
            self._open()
        except OSError as error:
            if error.errno not in FULL_DISK:
                raise

    @property
    def name(self) -> str:
        return str(self._current)

    def write(self, told: Told) -> bool:
        """Takes the samples of a control interval. Whether anything got into the file.

        Raises SamplesLost.
        """
        count = len(told.samples)
        try:
            is_written = self._make_room(count, told.samples.time_s)
        except OSError as error:
            raise SamplesLost(error, count) from error
        rows = slice(self._rows, self._rows + count)
        for column, values in unhurried(zip(COLUMNS, self._columns, strict=True)):
            values.add(rows, column.of(told))
        self._rows, self._last_s = rows.stop, told.samples.time_s
        return is_written

    def reopen(self) -> None:
        """A table that was moved is finished, and another begun. Raises SamplesLost."""
        if not self._sink.is_at(self._current):
            self.close()

    def close(self) -> None:
        """Writes what is left and the directory. Raises SamplesLost."""
        try:
            self._finish()
        except OSError as error:
            lost = "; this table has no directory and cannot be read"
            raise SamplesLost(error, self._rows_of_blocks, lost) from error
        finally:
            self._sink.close()

    def _make_room(self, count: int, now_s: float) -> bool:
        """Writes what has to be, so that there is room for more. Whether there was anything."""
        is_written = self._sink.flush()
        if self._rows + count > BLOCK_ROWS:
            self._add_block()
            is_written = self._sink.flush()
        is_used = self._rows + self._rows_of_blocks > 0
        if self._blocks == MAX_BLOCKS or (
            is_used and self._rotation.is_due(self._sink.tell(), 0, self._last_s, now_s)
        ):
            self._finish()
        if self._table is None:
            self._open()
        return is_written

    def _open(self) -> None:
        """Begins the next table."""
        self._sink.close()
        path = self._path
        if path.is_file() or (numbered(path) and not path.exists()):
            path = next_path(path, 2)
        self._sink = _Sink(append_binary(path) if path.exists() else new_binary(path))
        self._current = path
        self._table = parquet.ParquetWriter(self._sink, _SCHEMA)
        self._blocks = self._rows_of_blocks = 0
        self._sink.flush()
        self._remove_oldest()

    def _remove_oldest(self) -> None:
        tables = {1: self._path, **numbered(self._path)}
        before = {number: path for number, path in tables.items() if path != self._current}
        try:
            self._rotation.remove_oldest(before)
        except OSError as error:
            self._tell(f"{error.filename}: not removed: {error.strerror}")

    def _add_block(self) -> None:
        arrays = [values.block(self._rows) for values in unhurried(self._columns)]
        self._rows_of_blocks += self._rows
        self._rows = 0
        self._blocks += 1
        self._table.write_batch(pyarrow.record_batch(arrays, _SCHEMA))

    def _finish(self) -> None:
        """Writes what waits, and the directory."""
        if self._table is not None:
            if self._rows:
                self._add_block()
            table, self._table = self._table, None
            table.close()
        self._sink.flush()


class _Sink:
    """The file that a table is written to; what the disk has not taken yet waits in memory."""

    closed = False

    def __init__(self, file: FileIO | None) -> None:
        self._file = file
        self._waiting = bytearray()
        self._taken_bytes = 0

    def write(self, data: Any) -> int:
        """Takes it; `flush` hands it to the disk."""
        self._waiting += data
        self._taken_bytes += len(data)
        return len(data)

    def flush(self) -> bool:
        """Writes what waits. Whether there was anything. Raises OSError and keeps it."""
        if not self._waiting or self._file is None:
            return False
        write_whole(self._file, self._waiting)
        self._waiting.clear()
        return True

    def tell(self) -> int:
        """How much was taken, in bytes."""
        return self._taken_bytes

    def is_at(self, path: Path) -> bool:
        """Whether `path` still leads to the file."""
        if self._file is None:
            return True
        try:
            return os.path.samestat(path.stat(), os.fstat(self._file.fileno()))
        except OSError:
            return False

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()


class _Numbers:
    """A block of a column of numbers; what it gives holds until the next one begins."""

    def __init__(self, column: Column) -> None:
        self._column = column
        self._values: Any = np.empty(0)

    def add(self, rows: slice, values: Any) -> None:
        if not len(self._values):
            self._values = np.full(BLOCK_ROWS, 0, values.dtype)
        self._values[rows] = values

    def block(self, rows: int) -> Any:
        values = self._values[:rows]
        unknown = ~self._column.known(values)
        if self._column.kind is Kind.WHOLE:
            values[unknown] = 0
            values = values.astype(np.int64, copy=False)
        return pyarrow.array(values, mask=unknown)


class _Words:
    """A block of a column of words, of which there are few: each as its number; see _Numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._values = np.full(BLOCK_ROWS, 0, np.int32)

    def add(self, rows: slice, values: list[str]) -> None:
        numbers = self._numbers
        self._values[rows] = [numbers.setdefault(word, len(numbers)) for word in values]

    def block(self, rows: int) -> Any:
        words = pyarrow.array([*self._numbers], pyarrow.string())
        self._numbers = {}
        return pyarrow.DictionaryArray.from_arrays(self._values[:rows], words)
