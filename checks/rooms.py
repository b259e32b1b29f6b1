"""Whether the drawings name all there is, and nothing else."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from checks.errors import ListError
from checks.layers import Drawing
from checks.sources import Sources, dotted, is_within, unit


def check_rooms_exist(drawings: Iterable[Drawing], sources: Sources) -> None:
    """Raises `ListError` for a room of a drawing that is no file and no folder of its language."""
    for drawing in drawings:
        units = [unit(path) for path in sources.files]
        for room in drawing.rooms:
            if not any(is_within(name, dotted(room)) for name in units):
                name = room.relative_to(drawing.folder)
                valid = ", ".join(_children(drawing.folder, sources)) or "nothing"
                raise ListError(
                    f"{drawing.place}: {drawing.folder} holds no {drawing.language} source "
                    f"{name}; it holds {valid}"
                )


def find_undrawn(drawings: list[Drawing], sources: Sources) -> list[str]:
    """One finding for each file without a room, and for each folder that wants its own drawing."""
    return [*_without_room(drawings, sources), *_without_drawing(drawings, sources)]


def _without_room(drawings: list[Drawing], sources: Sources) -> Iterator[str]:
    for drawing in drawings:
        for path in sorted(sources.files):
            inside = path.is_relative_to(drawing.folder) and unit(path) != dotted(drawing.folder)
            if inside and drawing.room_of(unit(path)) is None:
                yield f"{path}: on no floor of {drawing.folder} ({drawing.place})"


def _without_drawing(drawings: list[Drawing], sources: Sources) -> Iterator[str]:
    """The rooms of a language's outermost drawing are packages or crates: each has floors."""
    folders = {drawing.folder for drawing in drawings}
    for drawing in drawings:
        if any(drawing.folder.is_relative_to(other) for other in folders - {drawing.folder}):
            continue
        for room in drawing.rooms:
            several = sum(path.is_relative_to(room) for path in sources.files) > 1
            if several and not any(folder.is_relative_to(room) for folder in folders):
                yield f"{room}: has no drawing of its own ({drawing.place})"


def _children(folder: Path, sources: Sources) -> list[str]:
    depth = len(folder.parts)
    names = {
        path.with_suffix("").parts[depth] for path in sources.files if path.is_relative_to(folder)
    }
    return sorted(names - {"__init__", "mod", "lib"})
