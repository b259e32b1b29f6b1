"""Sizes at which a file, a folder or a Python function wants to be divided.

A file's lines are all it has. A function's are its lines of code from `def` on: without decorators,
docstring, comments and empty lines. A folder's files are its modules: a C++ header and its source
file are one, and the file that stands for the folder is none.

The length of Rust's functions is clippy's matter (`too_many_lines`).
"""

import ast
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from checks.sources import FOLDER_FILES, source_files, statements, syntax_tree

LONGEST_FILE_LINES = 500
LONGEST_FUNCTION_LINES = 50
LARGEST_FOLDER_FILES = 15

SUFFIXES = frozenset({".py", ".pyi", ".rs", ".cc", ".h", ".p4"})

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def find_sizes(root: Path, families: Mapping[Path, str]) -> list[str]:
    """One finding for each file, function and folder that is too large."""
    files = list(source_files(root, SUFFIXES))
    return [
        *_long_files(root, files),
        *(finding for path in files if path.suffix == ".py" for finding in _long(root, path)),
        *_large_folders(files, families),
    ]


def _long_files(root: Path, files: list[Path]) -> Iterator[str]:
    for path in files:
        lines = len((root / path).read_text().splitlines())
        if lines > LONGEST_FILE_LINES:
            yield f"{path}: {lines} lines; a file has at most {LONGEST_FILE_LINES}"


def _large_folders(files: list[Path], families: Mapping[Path, str]) -> Iterator[str]:
    modules = {(path.parent, path.stem) for path in files if path.name not in FOLDER_FILES}
    sizes = Counter(folder for folder, _ in modules)
    for folder, count in sorted(sizes.items()):
        if count > LARGEST_FOLDER_FILES and folder not in families:
            yield (
                f"{folder}: {count} source files; a folder has at most {LARGEST_FOLDER_FILES}, "
                "unless a ```families block says why"
            )
    for folder, place in families.items():
        if sizes[folder] <= LARGEST_FOLDER_FILES:
            yield f"{place}: {folder} has {sizes[folder]} source files and need not be a family"


def _long(root: Path, path: Path) -> Iterator[str]:
    tree = syntax_tree(root, path)
    lines = {node: _own_lines(node) for node in statements(tree) if isinstance(node, _Function)}
    # Few files have a function that comments may have made too long: only theirs are looked for.
    if all(len(own) <= LONGEST_FUNCTION_LINES for own in lines.values()):
        return
    code = _code_lines(root / path)
    for function, own in lines.items():
        length = len(code & own)
        if length > LONGEST_FUNCTION_LINES:
            yield (
                f"{path}:{function.lineno}: {function.name} has {length} lines of code; "
                f"a function has at most {LONGEST_FUNCTION_LINES}"
            )


def _code_lines(path: Path) -> set[int]:
    """The lines that hold more than a comment."""
    with path.open("rb") as file:
        return {
            line
            for token in tokenize.tokenize(file.readline)
            if token.type not in _NO_CODE
            for line in range(token.start[0], token.end[0] + 1)
        }


def _own_lines(function: _Function) -> set[int]:
    """From `def` to the end, without the docstring."""
    lines = set(range(function.lineno, (function.end_lineno or function.lineno) + 1))
    if ast.get_docstring(function) is not None:
        docstring = function.body[0]
        lines -= set(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return lines
