"""What is too large, and what may be."""

from pathlib import Path

import pytest

from checks.errors import ListError
from checks.families import read_families
from checks.sizes import (
    LARGEST_FOLDER_FILES,
    LONGEST_FILE_LINES,
    LONGEST_FUNCTION_LINES,
    find_sizes,
)
from checks.tests.repositories import write_repository

DOCUMENT = Path("docs/contributing.md")


def function(lines: int) -> str:
    """A method with so many lines of code, among others that do not count."""
    body = "        a = 1  # counts\n\n        # does not\n" * (lines - 1)
    return f'class A:\n    @property\n    def f(self):\n        """Says\n\n        much."""\n{body}'


def test_long_files_are_found(tmp_path: Path) -> None:
    files = {
        "a/long.rs": "\n" * (LONGEST_FILE_LINES + 1),
        "a/full.rs": "\n" * LONGEST_FILE_LINES,
        "a/build/made.rs": "\n" * (LONGEST_FILE_LINES + 1),
    }
    assert find_sizes(write_repository(tmp_path, files), {}) == [
        "a/long.rs: 501 lines; a file has at most 500"
    ]


def test_long_functions_are_found(tmp_path: Path) -> None:
    """Decorators, docstrings, comments and empty lines do not count."""
    files = {
        "full.py": function(LONGEST_FUNCTION_LINES),
        "long.py": function(LONGEST_FUNCTION_LINES + 1),
    }
    assert find_sizes(write_repository(tmp_path, files), {}) == [
        "long.py:3: f has 51 lines of code; a function has at most 50"
    ]


def test_large_folders_are_found(tmp_path: Path) -> None:
    names = [f"f{number}.rs" for number in range(LARGEST_FOLDER_FILES + 1)]
    files = {f"{folder}/{name}": "" for folder in ("crowd", "family", "full/x") for name in names}
    del files["full/x/f0.rs"]
    files |= {"full/x/mod.rs": "", "full/x/f1.h": "", "full/x/f1.cc": ""}
    root = write_repository(tmp_path, files)
    (root / "full/x/notes.md").touch()
    families = read_families(DOCUMENT, "```families\nfamily: siblings\n```")
    assert find_sizes(root, families) == [
        "crowd: 16 source files; a folder has at most 15, unless a ```families block says why"
    ]


def test_a_family_that_is_none_is_found(tmp_path: Path) -> None:
    families = read_families(DOCUMENT, "```families\nnowhere: siblings\n```")
    assert find_sizes(write_repository(tmp_path, {}), families) == [
        "docs/contributing.md:2: nowhere has 0 source files and need not be a family"
    ]


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        ("family", "'family' is not FOLDER: reason"),
        ("family: ", "'family:' is not FOLDER: reason"),
        ("family: a\nfamily: b", "family is named twice"),
    ],
)
def test_a_wrong_line_is_refused(lines: str, error: str) -> None:
    with pytest.raises(ListError, match=error):
        read_families(DOCUMENT, f"```families\n{lines}\n```")
