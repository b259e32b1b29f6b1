"""Which C++ or P4 file includes which other of the repository."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from checks.sources import Reference, Sources, is_test, source_files, unit

_INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)


def read_includes(root: Path, suffixes: Collection[str]) -> Sources:
    """All files of these suffixes but tests. A header and its source file count as one."""
    files = frozenset(path for path in source_files(root, suffixes) if not is_test(path))
    references = (reference for path in sorted(files) for reference in _references(root, path))
    return Sources(files, tuple(references))


def _references(root: Path, path: Path) -> Iterator[Reference]:
    text = (root / path).read_text()
    for match in _INCLUDE.finditer(text):
        imported = _included(root, path, match[1])
        if imported is not None and unit(imported) != unit(path):
            line = text.count("\n", 0, match.start(1)) + 1
            yield Reference(path, line, imported, match[1])


def _included(root: Path, path: Path, name: str) -> Path | None:
    """The file that is meant: beside the one that includes it, or below a folder around it."""
    for folder in path.parents:
        file = (root / folder / name).resolve()
        if file.is_file() and file.is_relative_to(root):
            return file.relative_to(root)
    return None
