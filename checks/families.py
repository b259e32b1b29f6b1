"""Folders that docs/contributing.md lets grow large, because their files are of one kind.

A ```families block has a line `FOLDER: reason` for each.
"""

from pathlib import Path

from checks.blocks import block_lines
from checks.errors import ListError


def read_families(document: Path, text: str) -> dict[Path, str]:
    """Folder -> where the document names it; raises `ListError`."""
    families: dict[Path, str] = {}
    for line in block_lines(document, text, "families"):
        folder, _, reason = line.text.partition(":")
        if line.is_indented or not reason.strip():
            raise ListError(f"{line.place}: {line.text.strip()!r} is not FOLDER: reason")
        if Path(folder) in families:
            raise ListError(f"{line.place}: {folder} is named twice")
        families[Path(folder)] = line.place
    return families
