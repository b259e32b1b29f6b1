"""Files that the user names. They are read as a whole, up to a size that no valid file exceeds.
Reading and writing a pipe does not wait for another process.
"""

import errno
import os
import select
from io import BytesIO, FileIO, TextIOWrapper
from pathlib import Path
from stat import S_ISFIFO
from typing import TextIO

MAX_BYTES = 64 * 2**20
"""Compiled programs are the largest, of a few MiB."""

LONGEST_SILENCE_S = 10.0
"""The time that the writer of a pipe has from one write to the next."""

_CHUNK_BYTES = 2**18


def read_bytes(path: Path) -> bytes:
    """The file's content. Raises OSError with its name. Also raises it if the file is larger than
    MAX_BYTES, or is a pipe that nobody writes, or that nobody has written to for
    LONGEST_SILENCE_S."""
    content = bytearray()
    try:
        with open(path, "rb", buffering=0, opener=_without_waiting) as file:
            chunk: bytes | None = file.read(_CHUNK_BYTES)
            if chunk == b"" and S_ISFIFO(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.ENXIO, "a pipe that nobody writes")
            while chunk != b"":
                if chunk is None:  # somebody is about to write
                    _wait_for_bytes(file.fileno())
                content += chunk or b""
                if len(content) > MAX_BYTES:
                    raise OSError(errno.EFBIG, f"larger than {MAX_BYTES >> 20} MiB")
                chunk = file.read(_CHUNK_BYTES)
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), str(path)) from None  # a name with a null byte
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    return bytes(content)


def _wait_for_bytes(descriptor: int) -> None:
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    if not waiting.poll(LONGEST_SILENCE_S * 1000):
        silence = f"a pipe that nobody has written for {LONGEST_SILENCE_S:g} s"
        raise OSError(errno.ETIMEDOUT, silence)


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """The same as text, with `\\n` at the end of lines. Raises UnicodeDecodeError besides."""
    return TextIOWrapper(BytesIO(read_bytes(path)), encoding).read()


def create_text(path: Path) -> TextIO:
    """A new file in UTF-8, whose lines end as they are written. Raises OSError, also for a pipe
    that nobody reads."""
    return open(path, "w", encoding="utf-8", newline="", opener=_at_once)


def append_binary(path: Path) -> FileIO:
    """The file, created if there is none: each write goes to its end, and at once. The same
    errors."""
    return open(path, "ab", buffering=0, opener=_at_once)


def new_binary(path: Path) -> FileIO:
    """A file that must not be there yet (FileExistsError), without a buffer. The same errors."""
    return open(path, "xb", buffering=0, opener=_at_once)


def _at_once(path: str, flags: int) -> int:
    try:
        descriptor = _without_waiting(path, flags)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(error.errno, "a pipe that nobody reads", path) from None
        raise
    os.set_blocking(descriptor, True)
    return descriptor


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK, 0o666)
