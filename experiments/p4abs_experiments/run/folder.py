"""Folders for results."""

from pathlib import Path

from p4abs.errors import UserError


class UnusableFolder(UserError):
    """A folder cannot be made; the message says which one, and why."""


def make_folder(folder: Path) -> None:
    """Makes it unless it is there, before anything is simulated for it. Raises UnusableFolder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableFolder(f"{folder}: {error.strerror}") from None
