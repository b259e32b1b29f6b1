"""A file of lines that goes on where the last run ended, and moves aside when it is full."""

import errno
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from stat import S_ISREG

from p4abs.files import append_binary


@dataclass(frozen=True)
class Rotation:
    """Bounds of a file, and of how many older ones are kept; None: no bound.

    `period_s` are counted from the Unix epoch: a period of a day ends at midnight UTC.
    """

    max_size_bytes: int | None = None
    period_s: float | None = None
    keep: int | None = None

    def is_due(self, size_bytes: int, more_bytes: int, last_s: float, now_s: float) -> bool:
        """Whether a file of this size, last written at `last_s`, should take no more."""
        if self.max_size_bytes is not None and size_bytes + more_bytes > self.max_size_bytes:
            return True
        return self.period_s is not None and last_s // self.period_s < now_s // self.period_s

    def remove_oldest(self, files: Mapping[int, Path]) -> None:
        """Removes those of the lowest numbers that are too many. Raises OSError."""
        if self.keep is not None:
            for number in sorted(files)[: -self.keep]:
                files[number].unlink(missing_ok=True)


def numbered(path: Path) -> dict[int, Path]:
    """The files `samples-NUMBER.csv` beside `samples.csv`, the newest with the highest number."""
    name = re.compile(rf"{re.escape(path.stem)}-([1-9]\d*){re.escape(path.suffix)}")
    found = ((name.fullmatch(each.name), each) for each in path.parent.iterdir())
    return {int(match[1]): each for match, each in found if match}


def next_path(path: Path, first: int) -> Path:
    """The file of the next number, from `first` on."""
    number = max([first - 1, *numbered(path)]) + 1
    return path.with_stem(f"{path.stem}-{number}")


FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""Errors that may be over soon, so that a run begins in spite of them."""

Tell = Callable[[str], object]
_LONGEST_LINE_BYTES = 2**16


def is_regular(file: FileIO) -> bool:
    """Whether it is a file with an end that can be moved, and no pipe or device."""
    return S_ISREG(os.fstat(file.fileno()).st_mode)


def write_whole(file: FileIO, data: bytes | bytearray) -> None:
    """Writes at the end of the file. Raises OSError; nothing of `data` is then in it."""
    size_bytes = os.fstat(file.fileno()).st_size
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[file.write(rest) :]
    except OSError:
        if is_regular(file):
            # Somebody else may have truncated it meanwhile.
            file.truncate(min(size_bytes, os.fstat(file.fileno()).st_size))
            file.seek(0, os.SEEK_END)
        raise
    finally:
        rest.release()


class SamplesLost(Exception):
    """The disk refused `count` samples, for a reason that its message tells people."""

    def __init__(self, error: OSError, count: int, consequence: str = "") -> None:
        super().__init__(f"{error.strerror or error}{consequence}")
        self.count = count


class AppendedFile:
    """The file at `path`, whose first line is `heading` (empty: none).

    What is there already stays: as the beginning if `is_ours` takes its first line, else under
    the next number. A full file moves there, too: `samples.csv` becomes `samples-1.csv`. `tell`
    gets what people should know. Raises OSError unless the disk is merely full.
    """

    def __init__(
        self,
        path: Path,
        heading: bytes,
        is_ours: Callable[[bytes], bool],
        rotation: Rotation,
        tell: Tell,
    ) -> None:
        self._path = path
        self._heading = heading
        self._is_ours = is_ours
        self._rotation = rotation
        self._tell = tell
        self._file: FileIO | None = None
        self._last_s: float | None = None
        self._cannot_rotate = False
        try:
            self._open()
        except OSError as error:
            if error.errno not in FULL_DISK:
                raise

    def append(self, lines: bytes, now_s: float) -> None:
        """Takes all of these lines, or none of them and raises OSError."""
        file = self._file or self._open()
        if self._is_full(file, len(lines), now_s):
            file = self._rotate(file)
        self._last_s = now_s
        # Of a file that was truncated to nothing, too.
        needs_heading = is_regular(file) and os.fstat(file.fileno()).st_size == 0
        write_whole(file, self._heading + lines if needs_heading else lines)

    def reopen(self) -> None:
        """The file may have been moved: the next lines go to one at `path`."""
        if self._file is not None and is_regular(self._file):
            self.close()

    def close(self) -> None:
        """Closes the file. Raises OSError."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _is_full(self, file: FileIO, more_bytes: int, now_s: float) -> bool:
        state = os.fstat(file.fileno())
        last_s = state.st_mtime if self._last_s is None else self._last_s
        is_used = S_ISREG(state.st_mode) and state.st_size > 0
        return is_used and self._rotation.is_due(state.st_size, more_bytes, last_s, now_s)

    def _rotate(self, file: FileIO) -> FileIO:
        try:
            self._path.rename(next_path(self._path, 1))
        except OSError as error:
            # It matters more that samples are written than where.
            if not self._cannot_rotate:
                self._cannot_rotate = True
                self._tell(
                    f"{self._path}: {error.strerror}; the file grows beyond its maximum size"
                )
            return file
        self._cannot_rotate = False
        self.close()
        file = self._open()
        try:
            self._rotation.remove_oldest(numbered(self._path))
        except OSError as error:
            self._tell(f"{error.filename}: not removed: {error.strerror}")
        return file

    def _open(self) -> FileIO:
        if self._path.is_file() and self._path.stat().st_size > 0:
            self._go_on()
        self._file = append_binary(self._path)
        if not is_regular(self._file) or os.fstat(self._file.fileno()).st_size == 0:
            write_whole(self._file, self._heading)
        return self._file

    def _go_on(self) -> None:
        """Prepares the file of an earlier run. Raises OSError."""
        with self._path.open("rb") as file:
            if not self._is_ours(file.readline(_LONGEST_LINE_BYTES)):
                aside = next_path(self._path, 1)
                self._path.rename(aside)
                self._tell(f"{self._path}: renamed to {aside.name}, because it has other columns")
                return
            size_bytes = file.seek(0, os.SEEK_END)
            file.seek(max(0, size_bytes - _LONGEST_LINE_BYTES))
            cut_bytes = len(file.read().rpartition(b"\n")[2])
        if cut_bytes:
            os.truncate(self._path, size_bytes - cut_bytes)
            self._tell(f"{self._path}: the incomplete last line was removed")
