"""ExternEntry (P4Runtime 1.5, section 9.9): no program with such objects is accepted."""

from finsy.proto import p4r
from google.protobuf.message import Message

from p4abs_switch.entities.kind import Change, Kind
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.status import Code, RequestError


def write(_: LoadedProgram, __: Change, ___: p4r.ExternEntry) -> None:
    """Raises RequestError UNIMPLEMENTED."""
    raise _unimplemented()


def read(_: LoadedProgram, wanted: p4r.ExternEntry) -> tuple[p4r.Entity, ...]:
    """None, if none in particular is asked for. Raises RequestError UNIMPLEMENTED."""
    if not _is_wildcard(wanted):
        raise _unimplemented()
    return ()


def _is_wildcard(message: Message) -> bool:
    """Whether a message names no particular object: no scalar in it is set."""
    return all(
        isinstance(value, Message) and _is_wildcard(value) for _, value in message.ListFields()
    )


def _unimplemented() -> RequestError:
    return RequestError(Code.UNIMPLEMENTED, "extern_entry is not supported")


KIND = Kind[p4r.ExternEntry](
    name="extern_entry", object_id=lambda entry: entry.extern_id, write=write, read=read
)
