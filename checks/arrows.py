"""Arrows from a lower floor to a higher one, or across one floor, as import-linter judges them.

import-linter reads Python only, but its contract of layers judges any graph of dotted names: the
crates and C++ are held to the same rule.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from grimp import ImportGraph
from importlinter.contracts.layers import LayersContract

from checks.layers import Drawing
from checks.sources import Reference, Sources, dotted, is_within, unit

# A reference for each pair of units of which one names something of the other.
Examples = dict[tuple[str, str], Reference]


def find_arrows(drawings: Iterable[Drawing], sources: Sources) -> list[str]:
    """One finding an import that a drawing forbids, directly or by way of other files."""
    examples: Examples = {
        (unit(reference.importer), unit(reference.imported)): reference
        for reference in sorted(sources.references, reverse=True)
    }
    graph = _graph(sources, examples)
    return [
        f"{finding}, {_judgement(drawing, broken['importer'], broken['imported'])}"
        for drawing in drawings
        for broken in _broken(drawing, graph)
        for finding in _forbidden(broken, examples)
    ]


def _graph(sources: Sources, examples: Examples) -> ImportGraph:
    graph = ImportGraph()
    for path in sorted(sources.files):
        parts = unit(path).split(".")
        for length in range(1, len(parts) + 1):
            graph.add_module(".".join(parts[:length]))
    for importer, imported in examples:
        graph.add_import(importer=importer, imported=imported)
    return graph


def _broken(drawing: Drawing, graph: ImportGraph) -> list[Any]:
    """The forbidden dependencies of rooms on rooms, as import-linter describes them."""
    contract = LayersContract(
        name=str(drawing.folder),
        session_options={},
        contract_options={
            "layers": [" | ".join(dotted(room) for room in floor) for floor in drawing.floors]
        },
    )
    broken: list[Any] = contract.check(graph, verbose=False).metadata["invalid_dependencies"]
    return sorted(broken, key=lambda found: (found["importer"], found["imported"]))


def _forbidden(broken: Any, examples: Examples) -> Iterator[str]:
    """Every file that imports from the higher room; if none does, the ways round by others."""
    direct = [
        reference
        for (importer, imported), reference in examples.items()
        if is_within(importer, broken["importer"]) and is_within(imported, broken["imported"])
    ]
    yield from map(str, sorted(direct))
    if not direct:
        for route in broken["routes"]:
            links = [(link["importer"], link["imported"]) for link in route["chain"]]
            yield "; ".join(str(examples[link]) for link in links)


def _judgement(drawing: Drawing, importer: str, imported: str) -> str:
    names = {dotted(room): room.relative_to(drawing.folder).as_posix() for room in drawing.rooms}
    floors = {dotted(room): number for number, floor in enumerate(drawing.floors) for room in floor}
    lower, upper = names[importer], names[imported]
    if floors[importer] == floors[imported]:
        return f"an arrow across from {lower} to {upper}, side by side in {drawing.folder}"
    return f"an arrow from floor {lower} up to floor {upper} of {drawing.folder}"
