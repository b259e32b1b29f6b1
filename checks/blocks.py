"""Fenced blocks of a Markdown document."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Line:
    """A line of a block, without its comment, and where it stands."""

    document: Path
    number: int
    text: str

    @property
    def place(self) -> str:
        """As an error begins."""
        return f"{self.document}:{self.number}"

    @property
    def is_indented(self) -> bool:
        """Whether it belongs to the line before it."""
        return self.text.startswith(" ")


def block_lines(document: Path, text: str, kind: str) -> Iterator[Line]:
    """The lines inside the fences opened by ```kind, but for empty ones; `#` begins a comment."""
    inside = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("```"):
            inside = line.strip() == f"```{kind}"
        elif inside and (content := line.partition("#")[0].rstrip()):
            yield Line(document, number, content)
