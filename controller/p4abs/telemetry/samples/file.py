"""The file of samples that a run writes, in the format that its name asks for.

What is written of a sample stands in `columns`.
"""

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from p4abs.background import Background
from p4abs.control import Samples
from p4abs.errors import UserError
from p4abs.files import create_text
from p4abs.heap import give_back
from p4abs.telemetry.fleet import WatchedSwitch, Watcher
from p4abs.telemetry.samples.columns import Told
from p4abs.telemetry.samples.lines import csv_lines, json_lines

MOST_WAITING = 500
"""Control intervals whose samples wait to be written, of all switches: 10 s of one with 20 ms."""

# From so many on that wait, what they took is given back once they are written: some 2 MB.
_BEHIND_SAMPLES = 2**13

# What a disk gets for the samples of a control interval, at the end.
_PATIENCE_S = 10.0


class SampleWriter(Protocol):
    """Writes samples in one format. Its methods raise OSError."""

    @property
    def name(self) -> str:
        """The file's, for people."""

    def write(self, told: Told) -> None:
        """Takes the samples of a control interval."""

    def close(self) -> None:
        """Writes what is left; nothing is to follow."""


class SampleFile(Watcher):
    """An open file of samples, used as a context manager.

    It is written by a thread of its own. Where that falls behind, samples are left out, and where
    it fails, the rest of them: both are said. At the end, a disk that takes nothing for
    `patience_s` is waited for no longer.
    """

    def __init__(
        self,
        writer: SampleWriter,
        say: Callable[[str], None],
        patience_s: float = _PATIENCE_S,
    ) -> None:
        self._writer = writer
        self._patience_s = patience_s
        self._say = say
        self._left_out = 0
        self._has_failed = False
        self._taken = self._written = 0
        self._was_behind = False
        self._background = Background(self._write, MOST_WAITING, writer.close)

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        """Hands them to the thread, with how the ports' agreements stand after them."""
        positions = switch.meter.positions(samples)
        told = Told(switch.name, samples, positions, switch.meter.agreement_figures)
        if self._background.failure is not None:
            self._fail(self._background.failure)
        elif not self._background.offer(told):
            if not self._left_out:
                self._say(f"{self._writer.name}: writing falls behind, samples are left out")
            self._left_out += len(samples)
        else:
            # A disk that stays too slow takes some again and again: that is one trouble.
            if self._left_out and self._taken == self._written:
                self._say_how_many_were_left_out()
            self._taken += len(samples)

    def _write(self, told: Told) -> None:
        """In the thread. Raises OSError."""
        self._writer.write(told)
        self._written += len(told.samples)
        waiting = self._taken - self._written
        if waiting >= _BEHIND_SAMPLES:
            self._was_behind = True
        elif self._was_behind and waiting <= 0:
            self._was_behind = False
            give_back()

    def _say_how_many_were_left_out(self) -> None:
        self._say(f"{self._writer.name}: {self._left_out} samples were left out")
        self._left_out = 0

    def _fail(self, error: Exception) -> None:
        if not self._has_failed:
            self._has_failed = True
            told = isinstance(error, OSError) and error.strerror
            reason = told or f"{type(error).__name__}: {error}"
            self._say(f"{self._writer.name}: {reason}: no more samples are written")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        has_ended = self._background.close(self._patience_s)
        if self._background.failure is not None:
            self._fail(self._background.failure)
        if self._left_out:
            self._say_how_many_were_left_out()
        if not has_ended:
            self._say(f"{self._writer.name}: takes nothing; the last samples are not there")


def open_sample_file(path: Path, say: Callable[[str], None]) -> SampleFile:
    """Creates the file; its name ends in .csv, .jsonl or .parquet. Raises UserError.

    `say` gets what people should know of it, in one line.
    """
    if path.suffix not in _WRITERS:
        raise UserError(f"{path}: a sample file's name ends in .csv, .jsonl or .parquet")
    try:
        return SampleFile(_WRITERS[path.suffix](path), say)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None


def _parquet_table(path: Path) -> SampleWriter:
    try:
        from p4abs.telemetry.samples.parquet import SampleTable
    except ImportError as error:
        raise UserError(
            f"{path}: Parquet needs a package: pip install 'p4abs[parquet]' ({error})"
        ) from None
    return SampleTable(path)


_WRITERS: dict[str, Callable[[Path], SampleWriter]] = {
    ".csv": lambda path: csv_lines(create_text(path)),
    ".jsonl": lambda path: json_lines(create_text(path)),
    ".parquet": _parquet_table,
}
