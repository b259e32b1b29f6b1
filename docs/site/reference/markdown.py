"""Markdown of tables."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a row of headings."""
    lines = [head, ["---"] * len(head), *([*map(_cell, row)] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: object) -> str:
    """Inline code; nothing stays nothing."""
    return f"`{text}`" if str(text) else ""


def one_line(text: str) -> str:
    """A text of several lines as one."""
    return " ".join(text.split())


def _cell(text: str) -> str:
    return one_line(text).replace("|", "\\|")
