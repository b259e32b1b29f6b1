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
                children = {
                    path.relative_to(drawing.folder).with_suffix("").parts[0]
                    for path in _below(drawing.folder, sources)
                }
                valid = ", ".join(sorted(children)) or "nothing"
                raise ListError(
                    f"{drawing.place}: {drawing.folder} holds no {drawing.language} source "
                    f"{name}; it holds {valid}"
                )


def find_undrawn(drawings: list[Drawing], sources: Sources) -> list[str]:
    """One finding for each file without a room, and for each folder that wants its own drawing."""
    return [*_without_room(drawings, sources), *_without_drawing(drawings, sources)]


def _without_room(drawings: list[Drawing], sources: Sources) -> Iterator[str]:
    for drawing in drawings:
        roomless = {
            _outermost(drawing, path)
            for path in _below(drawing.folder, sources)
            if drawing.room_of(unit(path)) is None
        }
        for path in sorted(roomless):
            yield f"{path}: on no floor of {drawing.folder} ({drawing.place})"


def _outermost(drawing: Drawing, path: Path) -> Path:
    """The file, or the highest folder that it is in and no room is."""
    folders = [
        folder
        for folder in path.parents
        if folder.is_relative_to(drawing.folder)
        and not any(room.is_relative_to(folder) for room in drawing.rooms)
    ]
    return folders[-1] if folders else path


def _without_drawing(drawings: list[Drawing], sources: Sources) -> Iterator[str]:
    """A drawing around others is one of packages or crates: each of its folders has its own."""
    folders = {drawing.folder for drawing in drawings}
    for drawing in drawings:
        inside = [folder for folder in folders if drawing.folder in folder.parents]
        if inside and not folders.intersection(drawing.folder.parents):
            for room in drawing.rooms:
                several = sum(path.is_relative_to(room) for path in sources.files) > 1
                if several and not any(folder.is_relative_to(room) for folder in inside):
                    yield f"{room}: has no drawing of its own ({drawing.place})"


def _below(folder: Path, sources: Sources) -> Iterator[Path]:
    """The sources of a folder, without the one that stands for it."""
    for path in sorted(sources.files):
        if path.is_relative_to(folder) and unit(path) != dotted(folder):
            yield path
