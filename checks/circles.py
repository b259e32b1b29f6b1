"""Circles: files that import each other in a ring, and folders that do."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from checks.sources import Reference, unit

Arrow = tuple[str, str]
Examples = Mapping[Arrow, Reference]


def find_circles(references: Iterable[Reference]) -> list[str]:
    """One finding a circle: of files, then, leaving those out, of folders side by side."""
    examples = {
        (unit(reference.importer), unit(reference.imported)): reference
        for reference in sorted(references, reverse=True)
    }
    examples = {arrow: found for arrow, found in examples.items() if arrow[0] != arrow[1]}
    findings = []
    for circle in _circles(examples.keys()):
        findings.append(_finding([examples[arrow] for arrow in circle], "a circle"))
        del examples[circle[-1]]
    for folder in sorted(_folders(examples)):
        between = _between_children(folder, examples)
        for circle in _circles(between.keys()):
            rooms = " and ".join(sorted(start.rpartition(".")[2] for start, _ in circle))
            what = f"a circle of {rooms} in {folder.replace('.', '/')}"
            findings.append(_finding([between[arrow] for arrow in circle], what))
    return findings


def _finding(circle: list[Reference], what: str) -> str:
    return "; ".join(str(reference) for reference in circle) + f": {what}"


def _circles(arrows: Iterable[Arrow]) -> Iterator[list[Arrow]]:
    """Circles, each without its last arrow when the next is looked for, until none is left."""
    left = set(arrows)
    while circle := _shortest_circle(left):
        yield circle
        left.remove(circle[-1])


def _shortest_circle(arrows: set[Arrow]) -> list[Arrow]:
    """A circle through an arrow of the first one found that is as short as any; or nothing."""
    graph: dict[str, list[str]] = {}
    for start, end in sorted(arrows):
        graph.setdefault(start, []).append(end)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # Each entry is needed by the one after it; the last is the first.
        ring: list[str] = error.args[1]
        closing = [(start, end) for end, start in itertools.pairwise(ring)]
        return min(([*_path(graph, end, start), (start, end)] for start, end in closing), key=len)
    return []


def _path(graph: Mapping[str, list[str]], start: str, end: str) -> list[Arrow]:
    """A shortest way along the arrows; there is one."""
    came_from: dict[str, str] = {}
    border = [start]
    while end not in came_from:
        reached = []
        for here in border:
            for there in graph.get(here, []):
                if there not in came_from:
                    came_from[there] = here
                    reached.append(there)
        border = reached
    path: list[Arrow] = []
    while end != start:
        path.insert(0, (came_from[end], end))
        end = came_from[end]
    return path


def _folders(examples: Examples) -> set[str]:
    """Every folder in which a unit lies, however deep; the repository itself is none."""
    folders = set()
    for arrow in examples:
        for name in arrow:
            while name := name.rpartition(".")[0]:
                folders.add(name)
    return folders


def _between_children(folder: str, examples: Examples) -> dict[Arrow, Reference]:
    between: dict[Arrow, Reference] = {}
    for (start, end), reference in examples.items():
        if start.startswith(folder + ".") and end.startswith(folder + "."):
            arrow = (_child(folder, start), _child(folder, end))
            if arrow[0] != arrow[1]:
                between.setdefault(arrow, reference)
    return between


def _child(folder: str, name: str) -> str:
    return folder + "." + name[len(folder) + 1 :].partition(".")[0]
