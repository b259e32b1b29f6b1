"""The drawings of floors in docs/contributing.md.

A drawing is a line `LANGUAGE FOLDER` and below it, indented, one line a floor, the highest first.
A floor holds files (without suffix) and folders of FOLDER; those divided by `|` stand side by
side and know nothing of each other. Whoever stands above may use what stands below.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from checks.blocks import Line, block_lines
from checks.errors import ListError
from checks.sources import dotted, is_within

LANGUAGES = ("python", "rust", "c++", "p4")


@dataclass(frozen=True)
class Drawing:
    """The floors of one folder, the highest first; each holds paths without suffix."""

    place: str
    language: str
    folder: Path
    floors: tuple[tuple[Path, ...], ...]

    @property
    def rooms(self) -> tuple[Path, ...]:
        """What stands on the floors."""
        return tuple(room for floor in self.floors for room in floor)

    def room_of(self, name: str) -> Path | None:
        """The room in which a unit stands."""
        return next((room for room in self.rooms if is_within(name, dotted(room))), None)


def read_drawings(document: Path, text: str) -> list[Drawing]:
    """Every drawing of the document; raises `ListError`."""
    drawings = [_drawing(lines) for lines in _groups(block_lines(document, text, "layers"))]
    if not drawings:
        raise ListError(f"{document}: no ```layers block")
    return drawings


def _groups(lines: Iterable[Line]) -> Iterator[list[Line]]:
    group: list[Line] = []
    for line in lines:
        if not line.is_indented and group:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _drawing(lines: list[Line]) -> Drawing:
    head, *floors = lines
    words = head.text.split()
    if head.is_indented or len(words) != 2:
        raise ListError(f"{head.place}: {head.text.strip()!r} is not LANGUAGE FOLDER")
    language, folder = words
    if language not in LANGUAGES:
        valid = ", ".join(LANGUAGES)
        raise ListError(f"{head.place}: unknown language {language!r}; valid: {valid}")
    if not floors:
        raise ListError(f"{head.place}: {folder} has no floors")
    drawing = Drawing(
        head.place, language, Path(folder), tuple(_floor(Path(folder), line) for line in floors)
    )
    _check_once(drawing)
    return drawing


def _floor(folder: Path, line: Line) -> tuple[Path, ...]:
    names = [name.strip() for name in line.text.split("|")]
    wrong = next((name for name in names if not name or " " in name), None)
    if wrong is not None:
        raise ListError(f"{line.place}: {wrong!r} is not a name; names are divided by |")
    return tuple(folder / name for name in names)


def _check_once(drawing: Drawing) -> None:
    seen: set[Path] = set()
    for room in drawing.rooms:
        if room in seen:
            raise ListError(f"{drawing.place}: {room} is drawn twice")
        seen.add(room)
