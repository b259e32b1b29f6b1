"""Folders for results."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from p4abs.errors import UserError


class UnusableFolder(UserError):
    """A folder or file cannot be made or written; the message says which one, and why."""


def make_folder(folder: Path) -> None:
    """Makes it unless it is there, before anything is simulated for it. Raises UnusableFolder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableFolder(f"{folder}: {error.strerror}") from None


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """What goes wrong with a file inside is raised as UnusableFolder, such as a full disk."""
    try:
        yield
    except OSError as error:
        raise UnusableFolder(f"{error.filename or path}: {error.strerror or error}") from None
