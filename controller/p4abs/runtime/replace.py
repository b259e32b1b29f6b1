"""Brings a running switch to the state of a runtime file, with no more writes than that takes."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from finsy.proto import p4i, p4r

from p4abs.access.connection import Connection
from p4abs.access.program import Program
from p4abs.runtime.comparable import call, content, identity
from p4abs.runtime.load import check_program, write
from p4abs.runtime.runtime_file import PlacedUpdate, RuntimeFile

_READ_TIMEOUT_S = 30.0

Found = Mapping[Hashable, p4r.Entity]


@dataclass(frozen=True, slots=True)
class Changes:
    """What was done: whether the program was pushed, and how many entries, groups and sessions."""

    is_pushed: bool
    inserted: int
    changed: int
    deleted: int
    kept: int


async def replace(connection: Connection, file: RuntimeFile, *, push: bool) -> Changes:
    """Pushes the program if another one runs, unless told not to, and writes what is different.

    Tables, multicast groups and clone sessions are then as after a push and the file. What stays as
    it is: constant entries, tables with initial entries but for those of the file, tables that the
    file's program lacks, members of action profiles, counters, registers and meters. Raises
    RpcError, and EntryRefused for the first update that the switch does not take.
    """
    is_pushed = push and not await _runs(connection, file.program)
    if is_pushed:
        await connection.push(file.program)
    if not push:
        await check_program(connection, file)
    found = await _found(connection, file.program.p4info)
    wanted = {identity(placed.update.entity): placed for placed in file.updates}
    removed = [*_removed(found, wanted, file.program.p4info)]
    written = [*_written(found, wanted)]
    await write(connection, file.path, [*removed, *written])
    kinds = [placed.update.type for placed in (*removed, *written)]
    return Changes(
        is_pushed,
        inserted=kinds.count(p4r.Update.INSERT),
        changed=kinds.count(p4r.Update.MODIFY),
        deleted=kinds.count(p4r.Update.DELETE),
        kept=len(wanted) - len(written),
    )


async def _runs(connection: Connection, program: Program) -> bool:
    installed = await connection.installed_config()
    if installed is None:
        return False
    is_same = (installed.p4info, installed.p4_device_config) == (
        program.p4info,
        program.device_config,
    )
    return is_same or installed.cookie.cookie == program.cookie


async def _found(connection: Connection, p4info: p4i.P4Info) -> Found:
    """All entries of the program's tables, the defaults that may change, groups and sessions."""
    replicated = (
        p4r.PacketReplicationEngineEntry(multicast_group_entry=p4r.MulticastGroupEntry()),
        p4r.PacketReplicationEngineEntry(clone_session_entry=p4r.CloneSessionEntry()),
    )
    questions = [
        p4r.Entity(table_entry=p4r.TableEntry()),
        *(_default(table) for table in p4info.tables if _may_have_another_default(table)),
        *(p4r.Entity(packet_replication_engine_entry=each) for each in replicated),
    ]
    answers = await connection.read(questions, _READ_TIMEOUT_S)
    # The switch may run another program, with more tables. Groups and sessions have the table 0.
    tables = {0, *(table.preamble.id for table in p4info.tables)}
    return {
        identity(entity): entity
        for entity in answers
        if entity.table_entry.table_id in tables and not entity.table_entry.is_const
    }


def _may_have_another_default(table: p4i.Table) -> bool:
    return not table.const_default_action_id and not table.implementation_id


def _default(table: p4i.Table) -> p4r.Entity:
    entry = p4r.TableEntry(table_id=table.preamble.id, is_default_action=True)
    return p4r.Entity(table_entry=entry)


def _written(found: Found, wanted: Mapping[Hashable, PlacedUpdate]) -> Iterator[PlacedUpdate]:
    """The file's entities that the switch lacks, or has with another content."""
    for key, placed in wanted.items():
        entity = placed.update.entity
        if key not in found:
            yield placed
        elif content(found[key]) != content(entity):
            changed = p4r.Update(type=p4r.Update.MODIFY, entity=entity)
            yield PlacedUpdate(placed.place, changed)


def _removed(
    found: Found, wanted: Mapping[Hashable, PlacedUpdate], p4info: p4i.P4Info
) -> Iterator[PlacedUpdate]:
    """The switch's entities that are not in the file. They are deleted first, to make room."""
    tables = {table.preamble.id: table for table in p4info.tables}
    for key, entity in found.items():
        if key in wanted:
            continue
        if not entity.HasField("table_entry"):
            yield _without("the multicast groups and clone sessions", entity, p4r.Update.DELETE)
            continue
        entry, table = entity.table_entry, tables[entity.table_entry.table_id]
        place = f"table {table.preamble.name}"
        if not entry.is_default_action and not table.has_initial_entries:
            entry.ClearField("action")
            yield _without(place, entity, p4r.Update.DELETE)
        elif entry.is_default_action and content(entity) != _initial(table):
            yield _without(place, _default(table), p4r.Update.MODIFY)


def _without(place: str, entity: p4r.Entity, kind: p4r.Update.Type.ValueType) -> PlacedUpdate:
    update = p4r.Update(type=kind, entity=entity)
    return PlacedUpdate(f"{place}, without what the file does not have", update)


def _initial(table: p4i.Table) -> Hashable:
    """The content of the program's own default entry; that of no entry if P4Info does not tell."""
    initial = table.initial_default_action
    return call(initial.action_id, initial.arguments)
