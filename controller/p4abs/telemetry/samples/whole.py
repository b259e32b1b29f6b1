"""Writing to a disk that may be full: all of it or nothing."""

import errno
import os
from io import FileIO
from stat import S_ISREG

FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""Error numbers of what may be over soon, and is no reason not to begin."""


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
