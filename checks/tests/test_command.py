"""`python -m checks`: what it prints and how it ends."""

import subprocess
import sys
from pathlib import Path

import checks
from checks.tests.repositories import write_repository

DRAWING = "```layers\npython .\n    upper\n    lower\n```\n"


def run(root: Path) -> subprocess.CompletedProcess[str]:
    """The command, in a repository."""
    source = Path(checks.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", "checks"],
        cwd=root,
        env={"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_findings_end_with_1_and_a_line_each(tmp_path: Path) -> None:
    files = {"docs/contributing.md": DRAWING, "upper.py": "", "lower.py": "import upper\n"}
    ended = run(write_repository(tmp_path, files))
    assert ended.stdout == (
        "lower.py:1 -> upper.py: upper, an arrow from floor lower up to floor upper of .\n"
    )
    assert (ended.stderr, ended.returncode) == ("", 1)


def test_order_ends_with_0_and_says_nothing(tmp_path: Path) -> None:
    files = {"docs/contributing.md": DRAWING, "upper.py": "import lower\n", "lower.py": ""}
    ended = run(write_repository(tmp_path, files))
    assert (ended.stdout, ended.stderr, ended.returncode) == ("", "", 0)


def test_a_list_that_cannot_be_read_ends_with_2_and_one_line(tmp_path: Path) -> None:
    files = {"docs/contributing.md": "```layers\ncobol .\n```\n"}
    ended = run(write_repository(tmp_path, files))
    assert ended.stderr == (
        "docs/contributing.md:2: unknown language 'cobol'; valid: python, rust, c++, p4\n"
    )
    assert (ended.stdout, ended.returncode) == ("", 2)
