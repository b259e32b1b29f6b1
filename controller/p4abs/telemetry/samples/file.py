"""The file of samples that a run writes, in the format that its name asks for.

What is written of a sample stands in `columns`.
"""

import ctypes
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event
from typing import Protocol, Self

from p4abs.background import Background
from p4abs.control import Samples
from p4abs.errors import UserError
from p4abs.telemetry.fleet import WatchedSwitch, Watcher
from p4abs.telemetry.samples.appended import Rotation, SamplesLost, Tell
from p4abs.telemetry.samples.columns import Told
from p4abs.telemetry.samples.lines import csv_lines, json_lines
from p4abs.units import format_duration

MAX_WAITING = 500
"""Control intervals whose samples wait to be written, of all switches: 10 s of one with 20 ms."""

# If this many have waited, their memory is given back once they are written: some 2 MB.
_BEHIND_SAMPLES = 2**13

# The time that a disk has for the samples of a control interval, at the end.
_PATIENCE_S = 10.0


class SampleWriter(Protocol):
    """Writes samples in one format. Its methods raise SamplesLost."""

    @property
    def name(self) -> str:
        """The file's, for people."""

    def write(self, told: Told) -> bool:
        """Takes the samples of a control interval. Whether the disk has taken anything."""

    def reopen(self) -> None:
        """What follows goes to a file of the first one's name, or to the next number."""

    def close(self) -> None:
        """Writes what is left; nothing is to follow."""


class SampleFile(Watcher):
    """An open file of samples, used as a context manager.

    It is written by a thread of its own. If the thread falls behind or the disk is full, samples
    are left out until that is over; after other failures, all further samples are. Both are
    reported. At the end, a disk that takes nothing for `patience_s` is waited for no longer.
    """

    def __init__(
        self,
        make_writer: Callable[[Tell], SampleWriter],
        say: Callable[[str], None],
        patience_s: float = _PATIENCE_S,
        stepped_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """`make_writer` gets what says a line, from the thread, too. `stepped_s`: see `Fleet`."""
        self._news: SimpleQueue[str] = SimpleQueue()
        self._writer = make_writer(self._news.put)
        self._patience_s = patience_s
        self._say = say
        self._stepped_s = stepped_s
        self._last_stepped_s = 0.0
        self._late = 0
        self._late_said = 0
        self._lost = 0
        self._lost_said = 0
        self._is_refused = False
        self._has_failed = False
        self._taken = self._written = 0
        self._was_behind = False
        self._is_moved = Event()
        self._background = Background(self._write, MAX_WAITING, self._close)
        self._say_news()

    @property
    def left_out(self) -> int:
        """How many samples are not in the file."""
        return self._late + self._lost

    def reopen(self) -> None:
        """The file may have been moved: what is sampled next goes to another of its name."""
        self._is_moved.set()

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        """Hands them to the thread, with how the ports' agreements stand after them."""
        positions = switch.meter.positions(samples)
        agreements, states = switch.meter.agreement_figures, switch.states.states
        timed = replace(samples, time_s=samples.time_s + self._follow_clock())
        told = Told(switch.name, timed, positions, agreements, states, switch.settings.port)
        if self._background.failure is not None:
            self._fail(self._background.failure)
            self._late += len(samples)
        elif not self._background.offer(told):
            if self._late == self._late_said:
                self._say(f"{self._writer.name}: writing is too slow; samples are skipped")
            self._late += len(samples)
        else:
            # A disk that stays too slow takes some again and again: that is one trouble.
            if self._taken == self._written:
                self._say_how_many_were_late()
            self._taken += len(samples)

    def _follow_clock(self) -> float:
        """By how much the machine's clock is ahead of that of samples; says when this changes."""
        before_s, now_s = self._last_stepped_s, self._stepped_s()
        if now_s != before_s:
            self._last_stepped_s = now_s
            where = "forward" if now_s > before_s else "back"
            by = format_duration(abs(now_s - before_s))
            told = f"the machine's clock was set {where} by {by}; time_s of samples follows it"
            self._say(f"{self._writer.name}: {told}")
        return now_s

    def tick(self, switch: WatchedSwitch) -> None:
        """Says what the thread has met."""
        self._say_news()

    def _write(self, told: Told) -> None:
        """In the thread, as are those that it calls."""
        if self._is_moved.is_set():
            self._is_moved.clear()
            self._try(self._writer.reopen)
        if self._try(lambda: self._writer.write(told)):
            self._say_how_many_were_lost()
        self._written += len(told.samples)
        waiting = self._taken - self._written
        if waiting >= _BEHIND_SAMPLES:
            self._was_behind = True
        elif self._was_behind and waiting <= 0:
            self._was_behind = False
            give_back()

    def _close(self) -> None:
        self._try(self._writer.close)
        self._say_how_many_were_lost()

    def _try(self, step: Callable[[], bool | None]) -> bool | None:
        try:
            return step()
        except SamplesLost as loss:
            if not self._is_refused:
                self._is_refused = True
                self._news.put(f"{self._writer.name}: {loss}: samples are left out")
            self._lost += loss.count
            return False

    def _say_how_many_were_lost(self) -> None:
        self._is_refused = False
        if self._lost > self._lost_said:
            count, self._lost_said = self._lost - self._lost_said, self._lost
            self._news.put(f"{self._writer.name}: {count} samples were not written")

    def _say_how_many_were_late(self) -> None:
        if self._late > self._late_said:
            count, self._late_said = self._late - self._late_said, self._late
            self._say(f"{self._writer.name}: {count} samples were not written")

    def _say_news(self) -> None:
        with suppress(Empty):
            while True:
                self._say(self._news.get_nowait())

    def _fail(self, error: Exception) -> None:
        if not self._has_failed:
            self._has_failed = True
            reason = f"{type(error).__name__}: {error}"
            self._say(f"{self._writer.name}: {reason}; no more samples are written")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        has_ended = self._background.close(self._patience_s)
        self._say_news()
        if self._background.failure is not None:
            self._fail(self._background.failure)
        self._say_how_many_were_late()
        if not has_ended:
            self._say(f"{self._writer.name}: cannot be written; the last samples are missing")


def open_sample_file(
    path: Path,
    say: Callable[[str], None],
    rotation: Rotation | None = None,
    stepped_s: Callable[[], float] = lambda: 0.0,
) -> SampleFile:
    """Opens the file; its name ends in .csv, .jsonl or .parquet. Raises UserError.

    What it holds already stays. `say` gets what people should know of it, in one line.
    `stepped_s`: see `Fleet`.
    """
    if path.suffix not in _WRITERS:
        raise UserError(f"{path}: a sample file's name must end in .csv, .jsonl or .parquet")
    bounds = rotation or Rotation()
    try:
        return SampleFile(
            lambda tell: _WRITERS[path.suffix](path, bounds, tell), say, stepped_s=stepped_s
        )
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None


def _parquet_table(path: Path, rotation: Rotation, tell: Tell) -> SampleWriter:
    try:
        from p4abs.telemetry.samples.parquet import SampleTable
    except ImportError as error:
        raise UserError(
            f"{path}: Parquet needs a package: pip install 'p4abs[parquet]' ({error})"
        ) from None
    return SampleTable(path, rotation, tell)


_WRITERS: dict[str, Callable[[Path, Rotation, Tell], SampleWriter]] = {
    ".csv": csv_lines,
    ".jsonl": json_lines,
    ".parquet": _parquet_table,
}


def give_back() -> None:
    """Gives unused memory to the kernel, where the library can: glibc does at the heap's end only.

    Takes some milliseconds for tens of megabytes, without Python's lock.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
