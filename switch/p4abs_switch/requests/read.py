"""A Read: all its entities, of one state of the switch (P4Runtime 1.5, sections 9 and 13)."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from finsy.proto import p4r

from p4abs_switch.entities import registers
from p4abs_switch.entities.kinds import kind_of
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.status import RequestError

# Far below gRPC's default limit of 4 MiB, and soon translated: other calls run in between.
_ENTITIES_PER_RESPONSE = 64


def entities(
    loaded: LoadedProgram, wanted: Iterable[p4r.Entity]
) -> tuple[Iterator[p4r.Entity], list[RequestError | None]]:
    """What was found for the requests that are valid, and for each request its error if it is not.

    All of it has been fetched on return, registers together: they are of one instant. It is
    translated as it is taken.
    """
    found: list[Iterable[p4r.Entity]] = []
    cells: list[registers.Cell] = []
    errors: list[RequestError | None] = []
    for request in wanted:
        try:
            if request.HasField("register_entry"):
                cells += registers.cells(loaded, request.register_entry)
            else:
                kind = kind_of("request", request)
                found.append(kind.read(loaded, kind.message(request)))
            errors.append(None)
        except RequestError as error:
            errors.append(error)
    if cells:
        found.append(registers.read_cells(loaded, cells))
    return chain.from_iterable(found), errors


def responses(found: Iterator[p4r.Entity]) -> Iterator[p4r.ReadResponse]:
    """The entities in messages of bounded size."""
    while part := list(islice(found, _ENTITIES_PER_RESPONSE)):
        yield p4r.ReadResponse(entities=part)
