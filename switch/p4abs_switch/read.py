"""A Read: all its entities, of one state of the switch (P4Runtime 1.4, sections 9 and 13)."""

from collections.abc import Iterable, Iterator

from finsy.proto import p4r
from google.protobuf.message import Message

from p4abs_switch import counters, registers, table_entries
from p4abs_switch.pipeline import Pipeline
from p4abs_switch.status import Code, RequestError

# A response of this many entities stays far below gRPC's default limit of 4 MiB.
_ENTITIES_PER_RESPONSE = 1024


def entities(
    pipeline: Pipeline, wanted: Iterable[p4r.Entity]
) -> tuple[list[p4r.Entity], list[RequestError | None]]:
    """What was found for the requests that are valid, and for each request its error if it is not.

    Registers of all requests are read together, so they are of one instant.
    """
    found: list[p4r.Entity] = []
    cells: list[registers.Cell] = []
    errors: list[RequestError | None] = []
    for request in wanted:
        try:
            if request.HasField("register_entry"):
                cells += registers.cells(pipeline, request.register_entry)
            else:
                found += _found(pipeline, request)
            errors.append(None)
        except RequestError as error:
            errors.append(error)
    return found + (registers.read(pipeline, cells) if cells else []), errors


def responses(found: list[p4r.Entity]) -> Iterator[p4r.ReadResponse]:
    """The entities in messages of bounded size."""
    for start in range(0, len(found), _ENTITIES_PER_RESPONSE):
        yield p4r.ReadResponse(entities=found[start : start + _ENTITIES_PER_RESPONSE])


def _found(pipeline: Pipeline, request: p4r.Entity) -> Iterable[p4r.Entity]:
    match request.WhichOneof("entity"):
        case "table_entry":
            return table_entries.read(pipeline, request.table_entry)
        case "counter_entry":
            return counters.read(pipeline, request.counter_entry)
        case "direct_counter_entry":
            return counters.read_direct(pipeline, request.direct_counter_entry)
        case None:
            raise RequestError(Code.INVALID_ARGUMENT, "the request has no entity")
        case other if _is_wildcard(request):
            # No program with such objects is accepted, so there are none to report.
            return ()
        case other:
            raise RequestError(Code.UNIMPLEMENTED, f"{other} is not supported")


def _is_wildcard(message: Message) -> bool:
    """Whether a message names no particular object: no scalar in it is set."""
    return all(
        isinstance(value, Message) and _is_wildcard(value) for _, value in message.ListFields()
    )
