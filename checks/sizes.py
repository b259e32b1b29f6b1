"""Sizes at which a file, a folder or a Python function wants to be divided.

The length of Rust's functions is clippy's matter (`too_many_lines`).
"""

import ast
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from checks.sources import source_files

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
    sizes = Counter(path.parent for path in files)
    for folder, count in sorted(sizes.items()):
        if count > LARGEST_FOLDER_FILES and folder not in families:
            yield (
                f"{folder}: {count} source files; a folder that is not a family has at most "
                f"{LARGEST_FOLDER_FILES}"
            )
    for folder, place in families.items():
        if sizes[folder] <= LARGEST_FOLDER_FILES:
            yield f"{place}: {folder} has {sizes[folder]} source files and need not be a family"


def _long(root: Path, path: Path) -> Iterator[str]:
    code = _code_lines(root / path)
    for function in ast.walk(ast.parse((root / path).read_text())):
        if isinstance(function, _Function):
            length = len(code & _own_lines(function))
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
    """From the first decorator to the end, without the docstring."""
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    lines = set(range(first, (function.end_lineno or first) + 1))
    if ast.get_docstring(function) is not None:
        docstring = function.body[0]
        lines -= set(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return lines
