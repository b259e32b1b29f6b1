"""What every reader gives: source files, and which of them names something of which other."""

import ast
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from checks.errors import SourceError

# Built, fetched or generated; nobody edits what is in them.
NOT_SOURCES = frozenset({"build", "target", "results", "__pycache__"})

# What a node of syntax has in it that has statements.
_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")

# Files that stand for their folder.
FOLDER_FILES = frozenset({"__init__.py", "__init__.pyi", "mod.rs", "lib.rs"})


@dataclass(frozen=True, order=True)
class Reference:
    """One file names something that another defines. Paths are relative to the repository."""

    importer: Path
    line: int
    imported: Path
    name: str

    def __str__(self) -> str:
        """As a finding begins: where, on what, and which name."""
        return f"{self.importer}:{self.line} -> {self.imported}: {self.name}"


@dataclass(frozen=True)
class Sources:
    """The files of one language and what they name of each other."""

    files: frozenset[Path]
    references: tuple[Reference, ...]


def unit(path: Path) -> str:
    """The dotted name under which a file counts, as in `switch.engine.src.io`.

    A file that stands for its folder bears the folder's name; a C++ header and its source file
    share one.
    """
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if path.name in FOLDER_FILES else parts)


def dotted(room: Path) -> str:
    """The name of a folder, or of a file written without suffix, as `unit` gives it."""
    return ".".join(room.parts)


def is_within(name: str, ancestor: str) -> bool:
    """Whether the unit `name` is `ancestor` or lies below it."""
    return name == ancestor or name.startswith(ancestor + ".")


def source_files(root: Path, suffixes: Collection[str]) -> Iterator[Path]:
    """Every file of these suffixes, relative to `root`, in order of path."""
    for folder, below, names in os.walk(root):
        below[:] = sorted(
            name
            for name in below
            if name not in NOT_SOURCES and not name.startswith(".") and "egg-info" not in name
        )
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix in suffixes:
                yield path.relative_to(root)


def syntax_tree(root: Path, path: Path) -> ast.Module:
    """A Python file's; raises `SourceError`."""
    try:
        return ast.parse((root / path).read_text())
    except SyntaxError as error:
        raise SourceError(f"{path}:{error.lineno}: {error.msg}") from None


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """All of a file, also those within others; `ast.walk` would visit each expression, too."""
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.stmt):
            yield node
        for block in _BLOCKS:
            nodes += getattr(node, block, ())


def is_test(path: Path) -> bool:
    """Whether a file stands in a folder of tests, which may import what they like."""
    return "tests" in path.parts[:-1]
