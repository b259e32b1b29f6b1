"""A Read: all its entities, of one state of the switch (P4Runtime 1.4, sections 9 and 13)."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from finsy.proto import p4r
from google.protobuf.message import Message

from p4abs_switch.entities import (
    counters,
    digests,
    direct_entries,
    meters,
    profiles,
    registers,
    replication,
    table_entries,
    value_sets,
)
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.status import Code, RequestError

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
                found.append(_found(loaded, request))
            errors.append(None)
        except RequestError as error:
            errors.append(error)
    if cells:
        found.append(registers.read(loaded, cells))
    return chain.from_iterable(found), errors


def one(loaded: LoadedProgram, wanted: p4r.Entity) -> list[p4r.Entity]:
    """What one request finds. Raises RequestError."""
    found, (error,) = entities(loaded, [wanted])
    if error is not None:
        raise error
    return list(found)


def responses(found: Iterator[p4r.Entity]) -> Iterator[p4r.ReadResponse]:
    """The entities in messages of bounded size."""
    while part := list(islice(found, _ENTITIES_PER_RESPONSE)):
        yield p4r.ReadResponse(entities=part)


def _found(loaded: LoadedProgram, request: p4r.Entity) -> Iterable[p4r.Entity]:
    match request.WhichOneof("entity"):
        case "table_entry":
            return table_entries.read(loaded, request.table_entry)
        case "counter_entry":
            return counters.read(loaded, request.counter_entry)
        case "direct_counter_entry":
            return direct_entries.read_counter(loaded, request.direct_counter_entry)
        case "direct_meter_entry":
            return direct_entries.read_meter(loaded, request.direct_meter_entry)
        case "action_profile_member":
            return profiles.read_member(loaded, request.action_profile_member)
        case "action_profile_group":
            return profiles.read_group(loaded, request.action_profile_group)
        case "packet_replication_engine_entry":
            return replication.read(loaded, request.packet_replication_engine_entry)
        case "meter_entry":
            return meters.read(loaded, request.meter_entry)
        case "value_set_entry":
            return value_sets.read(loaded, request.value_set_entry)
        case "digest_entry":
            return digests.read(loaded, request.digest_entry)
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
