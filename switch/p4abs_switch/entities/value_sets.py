"""Parser value sets: Write and Read of ValueSetEntry (P4Runtime 1.5, section 9.6)."""

from collections.abc import Iterator, Sequence

from finsy.proto import p4r

from p4abs_switch.engine_types import Match
from p4abs_switch.entities.kind import Change, Kind, check_modified, never_inserted
from p4abs_switch.messages import match
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.program.objects import ValueSet
from p4abs_switch.status import Code, RequestError, engine_errors


def write(loaded: LoadedProgram, change: Change, entry: p4r.ValueSetEntry) -> None:
    """Replaces all members of a set. Raises RequestError; then nothing was changed."""
    value_set = loaded.program.value_set(entry.value_set_id)
    check_modified(value_set.what, change)
    members = [match.key(value_set, member.match) for member in entry.members]
    if len(set(members)) < len(members):
        raise RequestError(Code.ALREADY_EXISTS, f"{value_set.what} is given a member twice")
    if len(members) > value_set.size:
        raise RequestError(
            Code.RESOURCE_EXHAUSTED,
            f"{value_set.what} is given {len(members)} members; it holds {value_set.size}",
        )
    with engine_errors():
        loaded.switch.value_set_write(value_set.name, members)


def read(loaded: LoadedProgram, wanted: p4r.ValueSetEntry) -> Iterator[p4r.Entity]:
    """A set with its members; id 0 is every set. Raises RequestError."""
    program = loaded.program
    if wanted.value_set_id:
        value_sets = [program.value_set(wanted.value_set_id)]
    else:
        value_sets = list(program.value_sets.values())
    with engine_errors():
        fetched = [(item, loaded.switch.value_set_read(item.name)) for item in value_sets]
    return (_entity(value_set, members) for value_set, members in fetched)


def _entity(value_set: ValueSet, members: "Sequence[Sequence[Match]]") -> p4r.Entity:
    return p4r.Entity(
        value_set_entry=p4r.ValueSetEntry(
            value_set_id=value_set.id,
            members=[
                p4r.ValueSetMember(match=match.messages(value_set, member)) for member in members
            ],
        )
    )


KIND = Kind[p4r.ValueSetEntry](
    name="value_set_entry",
    object_id=lambda entry: entry.value_set_id,
    write=write,
    read=read,
    wildcards=(p4r.Entity(value_set_entry=p4r.ValueSetEntry()),),
    is_inserted=never_inserted,
)
