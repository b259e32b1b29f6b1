"""Files that the user names, read as a whole, and no further than any of them has reason to go."""

import errno
from io import BytesIO, TextIOWrapper
from pathlib import Path

MOST_BYTES = 64 * 2**20
"""Compiled programs are the largest, of a few MiB."""

_CHUNK_BYTES = 2**18


def read_bytes(path: Path) -> bytes:
    """The file's content. Raises OSError with its name, also where it is larger than MOST_BYTES."""
    content = bytearray()
    try:
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(_CHUNK_BYTES):
                content += chunk
                if len(content) > MOST_BYTES:
                    raise OSError(errno.EFBIG, f"larger than {MOST_BYTES >> 20} MiB")
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), str(path)) from None  # a name with a null byte
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    return bytes(content)


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """The same as text, with `\\n` at the end of lines. Raises UnicodeDecodeError besides."""
    return TextIOWrapper(BytesIO(read_bytes(path)), encoding).read()
