"""A program becomes adaptive by few lines, and the page that shows them has these."""

import difflib
import re
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PAGE = EXAMPLES.parents[1] / "docs" / "how-to" / "make-a-program-adaptive.md"
MOST_LINES = 30


def router_diff(context: int) -> str:
    names = ("router.p4", "adaptive_router.p4")
    before, after = ((EXAMPLES / name).read_text().splitlines(keepends=True) for name in names)
    return "".join(difflib.unified_diff(before, after, *names, n=context))


def changed_lines(diff: str) -> int:
    """Those that are added or removed; blank ones count."""
    lines = [line for line in diff.splitlines() if re.match(r"[-+](?!-- |\+\+ )", line)]
    return len(lines)


@pytest.mark.parametrize("name", ["basic", "middleblock"])
def test_programs_of_others_take_at_most_30_lines(name: str) -> None:
    assert 10 < changed_lines((EXAMPLES / f"{name}.patch").read_text()) <= MOST_LINES


def test_the_router_takes_at_most_30_lines() -> None:
    assert 10 < changed_lines(router_diff(0)) <= MOST_LINES


def test_the_page_shows_the_routers_difference() -> None:
    [shown] = re.findall(r"```diff\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert shown == router_diff(1)


def test_the_page_tells_how_many_lines_middleblock_takes() -> None:
    lines = changed_lines((EXAMPLES / "middleblock.patch").read_text())
    assert f"in {lines} lines" in PAGE.read_text()
