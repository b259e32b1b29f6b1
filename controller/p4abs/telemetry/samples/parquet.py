"""Samples as tables in Apache Parquet; what is not known is null.

Nothing is rounded. A table can be read once it is closed: its directory stands at its end, and is
in memory until then. So a long run writes several tables, one after the other.

Blocks use the same memory, one after the other. What the directory takes of the heap meanwhile
would otherwise lie between the gaps that a block leaves, and the next one would not fit into them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from p4abs.files import create_binary
from p4abs.telemetry.samples.columns import COLUMNS, Column, Kind, Told
from p4abs.telemetry.unhurried import unhurried

BLOCK_ROWS = 2**16
"""Rows that are compressed together, and that memory holds at most."""

MOST_BLOCKS = 100
"""Of a table: its directory takes some 25 kB for each."""

_TYPES = {
    Kind.TEXT: pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
    Kind.WHOLE: pyarrow.int64(),
    Kind.NUMBER: pyarrow.float64(),
}
_SCHEMA = pyarrow.schema([(column.name, _TYPES[column.kind]) for column in COLUMNS])


class SampleTable:
    """Writes to `path` in blocks, which compute beside other threads.

    When the table is full, the next one goes on: after `samples.parquet`, `samples-2.parquet`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tables = 0
        self._columns = [_Words() if each.kind is Kind.TEXT else _Numbers(each) for each in COLUMNS]
        self._rows = 0
        self._open()

    @property
    def name(self) -> str:
        """The file's."""
        return self._stream.name

    def write(self, told: Told) -> None:
        """Takes the samples of a control interval. Raises OSError."""
        if self._rows + len(told.samples) > BLOCK_ROWS:
            with _saying_what_is_lost():
                self._write_block()
                if self._blocks == MOST_BLOCKS:
                    self._open_next()
        rows = slice(self._rows, self._rows + len(told.samples))
        for column, values in unhurried(zip(COLUMNS, self._columns, strict=True)):
            values.add(rows, column.of(told))
        self._rows = rows.stop

    def close(self) -> None:
        """Writes what is left and the directory. Raises OSError."""
        with _saying_what_is_lost(), self._stream:
            self._write_block()
            self._table.close()

    def _open_next(self) -> None:
        with self._stream:
            self._table.close()
        self._open()

    def _open(self) -> None:
        self._tables += 1
        number = f"-{self._tables}" if self._tables > 1 else ""
        path = self._path.with_stem(f"{self._path.stem}{number}")
        self._stream = create_binary(path)
        self._table = parquet.ParquetWriter(self._stream, _SCHEMA)
        self._blocks = 0

    def _write_block(self) -> None:
        arrays = [values.block(self._rows) for values in unhurried(self._columns)]
        self._rows = 0
        self._blocks += 1
        self._table.write_batch(pyarrow.record_batch(arrays, _SCHEMA))


@contextmanager
def _saying_what_is_lost() -> Iterator[None]:
    """A full disk takes more from a table than what does not fit."""
    try:
        yield
    except OSError as error:
        lost = "this table has no directory and cannot be read"
        raise OSError(error.errno, f"{error.strerror or error}; {lost}") from error


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
