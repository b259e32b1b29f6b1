"""Table entries: Write and Read of TableEntry (P4Runtime 1.5, section 9.1)."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext

from finsy.proto import p4r

from p4abs_switch import _engine, engine_types
from p4abs_switch.entities import direct_resources
from p4abs_switch.entities.kind import Change, Kind, check_modified
from p4abs_switch.messages import actions, entry_messages, match
from p4abs_switch.program.loaded_program import EntryMetadata, Key, LoadedProgram, held
from p4abs_switch.program.objects import Table
from p4abs_switch.status import Code, RequestError, engine_errors, invalid


def write(loaded: LoadedProgram, change: Change, entry: p4r.TableEntry) -> None:
    """Applies one update. Raises RequestError; then nothing was changed."""
    table = loaded.program.table(entry.table_id)
    if entry.is_const:
        raise invalid(f"is_const of {table.what} is the switch's to set")
    if change != p4r.Update.DELETE:
        _check_attributes(table, entry)
        direct_resources.check(table, entry)
    if entry.is_default_action:
        _write_default(loaded, table, change, entry)
    elif change == p4r.Update.INSERT:
        _insert(loaded, table, entry)
    elif change == p4r.Update.MODIFY:
        _modify(loaded, table, entry)
    else:
        _delete(loaded, table, entry)


def read(loaded: LoadedProgram, wanted: p4r.TableEntry) -> Iterator[p4r.Entity]:
    """The entries that pass the filter; its unset fields are wildcards (section 9.1.6).

    They are fetched now and translated as they are taken. Raises RequestError now.
    """
    program = loaded.program
    tables = program.tables.values() if wanted.table_id == 0 else [program.table(wanted.table_id)]
    _check_filter(wanted, tables)
    attached = dict(loaded.entry_metadata)
    if wanted.is_default_action:
        defaults = [(table, default(loaded, table)) for table in tables]
        told = (
            entry_messages.indirect_default(table)
            if entry is None
            else entry_messages.full_default(table, entry, attached, wanted)
            for table, entry in defaults
        )
        found = (entry for entry in told if entry is not None)
    else:
        fetched = [(table, entries(loaded, table, wanted)) for table in tables]
        found = (
            entry_messages.full(table, entry, attached, wanted)
            for table, in_table in fetched
            for entry in in_table
        )
    return (p4r.Entity(table_entry=entry) for entry in found if _passes(entry, wanted))


def entries(
    loaded: LoadedProgram, table: Table, wanted: p4r.TableEntry
) -> list[_engine.TableEntry]:
    """The engine's entries with the key and priority of the filter, where it sets them."""
    key = match.key(table, wanted.match) if wanted.match else None
    with engine_errors():
        if key is not None and (wanted.priority or not table.has_priority):
            return _find(loaded, table, key, wanted.priority)
        found = loaded.switch.table_entries(table.name)
    return [
        entry
        for entry in found
        if wanted.priority in (0, entry.priority)
        and (key is None or match.canonical(table, entry.key) == key)
    ]


def find(loaded: LoadedProgram, table: Table, wanted: p4r.TableEntry) -> _engine.TableEntry:
    """The one entry with the key and priority given. Raises RequestError, e.g. NOT_FOUND."""
    key, priority = checked_key(table, wanted)
    with engine_errors():
        return loaded.switch.table_entry(table.name, key, priority)


def default(loaded: LoadedProgram, table: Table) -> _engine.TableEntry | None:
    """The engine's default entry of a table."""
    with engine_errors():
        return loaded.switch.table_default(table.name)


def present(loaded: LoadedProgram, change: Change, wanted: p4r.TableEntry) -> list[p4r.Entity]:
    """The one entry with the key given, as a Write restores it. Raises RequestError.

    What it has counted is left as it is unless the update sets or deletes it.
    """
    table = loaded.program.table(wanted.table_id)
    is_deleted = change == p4r.Update.DELETE
    full = p4r.TableEntry(meter_config=p4r.MeterConfig())
    if is_deleted or wanted.HasField("counter_data"):
        full.counter_data.SetInParent()
    if is_deleted or wanted.HasField("meter_counter_data"):
        full.meter_counter_data.SetInParent()
    if wanted.is_default_action:
        declared = default(loaded, table)
        if declared is None:
            return [p4r.Entity(table_entry=entry_messages.default_key(table))]
        message = entry_messages.full_default(table, declared, loaded.entry_metadata, full)
    else:
        entry = find(loaded, table, wanted)
        message = entry_messages.full(table, entry, loaded.entry_metadata, full)
    if message.is_const:
        message.ClearField("is_const")
        message.ClearField("action")
    return [p4r.Entity(table_entry=message)]


def check_request(loaded: LoadedProgram, entry: p4r.TableEntry) -> None:
    """Raises RequestError for counts by color that a controller may not write."""
    if entry.HasField("meter_counter_data"):
        direct_resources.check_meter_reset(loaded, entry.table_id, entry.meter_counter_data)


def check_default(table: Table, entry: p4r.TableEntry) -> None:
    """Raises RequestError INVALID_ARGUMENT for a default entry with a key (section 9.1.3)."""
    if entry.is_default_action and (entry.match or entry.priority):
        raise invalid(f"the default entry of {table.what} has neither match nor priority")


def checked_key(table: Table, entry: p4r.TableEntry) -> tuple[Key, int]:
    """Key and priority of an entry. Raises RequestError INVALID_ARGUMENT, OUT_OF_RANGE."""
    if table.has_priority and entry.priority <= 0:
        raise invalid(
            f"{table.what} needs a priority of at least 1, not {entry.priority}: it has a"
            " ternary, range or optional key field"
        )
    if not table.has_priority and entry.priority:
        raise invalid(f"{table.what} takes no priority, but {entry.priority} is given")
    return match.key(table, entry.match), entry.priority


def _find(loaded: LoadedProgram, table: Table, key: Key, priority: int) -> list[_engine.TableEntry]:
    try:
        return [loaded.switch.table_entry(table.name, key, priority)]
    except _engine.EntryNotFound:
        return []


def _insert(loaded: LoadedProgram, table: Table, entry: p4r.TableEntry) -> None:
    _refuse_const(table, "inserted into")
    if not table.key:
        raise invalid(f"{table.what} has no key; only its default action can be modified")
    key, priority = checked_key(table, entry)
    action = _action(loaded, table, entry)
    with _at_once(loaded, table, entry), engine_errors():
        loaded.switch.table_insert(table.name, key, action, priority, entry.idle_timeout_ns)
        direct_resources.write(loaded, table, key, entry)
    _remember(loaded, table, key, entry)


def _modify(loaded: LoadedProgram, table: Table, entry: p4r.TableEntry) -> None:
    key, priority = checked_key(table, entry)
    if not entry.HasField("action"):
        find(loaded, table, entry)
        with _at_once(loaded, table, entry), engine_errors():
            direct_resources.write(loaded, table, key, entry)
        return
    _refuse_const(table, "modified in")
    action = _action(loaded, table, entry)
    with _at_once(loaded, table, entry), engine_errors():
        loaded.switch.table_modify(table.name, key, action, priority, entry.idle_timeout_ns)
        direct_resources.write(loaded, table, key, entry)
    _remember(loaded, table, key, entry)


def _delete(loaded: LoadedProgram, table: Table, entry: p4r.TableEntry) -> None:
    _refuse_const(table, "deleted from")
    key, priority = checked_key(table, entry)
    with engine_errors():
        loaded.switch.table_delete(table.name, key, priority)
    loaded.entry_metadata.pop((table.name, key, priority), None)


def _write_default(
    loaded: LoadedProgram, table: Table, change: Change, entry: p4r.TableEntry
) -> None:
    check_modified(f"the default entry of {table.what}", change)
    check_default(table, entry)
    if table.has_const_default or table.profile is not None:
        raise RequestError(Code.PERMISSION_DENIED, f"the default entry of {table.what} is constant")
    action = actions.as_default(table, entry.action) if entry.HasField("action") else None
    with _at_once(loaded, table, entry), engine_errors():
        if action is not None:
            loaded.switch.table_set_default(table.name, action)
        else:
            loaded.switch.table_reset_default(table.name)
        direct_resources.write(loaded, table, None, entry)
    _remember(loaded, table, (), entry if action is not None else p4r.TableEntry())


def _at_once(
    loaded: LoadedProgram, table: Table, entry: p4r.TableEntry
) -> AbstractContextManager[None]:
    """An entry and its direct resources take effect together (section 11)."""
    is_parted = entry.HasField("counter_data") or table.direct_meter is not None
    return held(loaded.switch) if is_parted else nullcontext()


def _action(loaded: LoadedProgram, table: Table, entry: p4r.TableEntry) -> engine_types.Action:
    action = actions.in_entry(table, entry.action)
    if action[0] != "one_shot" or table.profile is None:
        return action
    with engine_errors():
        if loaded.switch.profile_member_read(table.profile.name):
            raise invalid(
                f"action selector {table.profile.name} has members: {table.what} takes no one-shot"
                " action sets beside them"
            )
        for _, _, _, port in action[1]:
            if port is not None:
                loaded.switch.port_statistics(port)
    return action


def _check_attributes(table: Table, entry: p4r.TableEntry) -> None:
    """Refuses what a table entry cannot carry here, in BMv2's words where clients compare them."""
    if entry.HasField("time_since_last_hit"):
        raise invalid("has_time_since_last_hit must not be set in WriteRequest")
    if entry.idle_timeout_ns:
        if not table.has_idle_timeout:
            raise invalid(
                "idle_timeout_ns must be set to 0 for tables which do not support idle timeout"
            )
        if entry.is_default_action:
            raise invalid(f"{table.what} has no idle timeout here")
        if entry.idle_timeout_ns < 0:
            raise invalid(f"idle timeout of {table.what} is {entry.idle_timeout_ns} ns")


def _check_filter(wanted: p4r.TableEntry, tables: Iterable[Table]) -> None:
    if wanted.table_id == 0 and (wanted.match or wanted.HasField("action")):
        raise invalid("a read of all tables cannot be filtered by match or action")
    if wanted.HasField("action") and wanted.action.WhichOneof("type") not in (None, "action"):
        raise invalid("a read cannot be filtered by member, group or action set")
    is_idle = wanted.idle_timeout_ns or wanted.HasField("time_since_last_hit")
    for table in tables:
        check_default(table, wanted)
        if wanted.table_id and is_idle and (not table.has_idle_timeout or wanted.is_default_action):
            raise invalid(f"{table.what} has no idle timeout here")


def _passes(entry: p4r.TableEntry, wanted: p4r.TableEntry) -> bool:
    return (
        wanted.action.action.action_id in (0, entry.action.action.action_id)
        and wanted.controller_metadata in (0, entry.controller_metadata)
        and wanted.metadata in (b"", entry.metadata)
    )


def _remember(loaded: LoadedProgram, table: Table, key: Key, entry: p4r.TableEntry) -> None:
    place = (table.name, key, entry.priority)
    chosen = entry.action.action_profile_action_set
    attached = EntryMetadata(
        entry.controller_metadata,
        entry.metadata,
        chosen.action_selection_mode,
        chosen.size_semantics,
    )
    if attached != EntryMetadata():
        loaded.entry_metadata[place] = attached
    else:
        loaded.entry_metadata.pop(place, None)


def _refuse_const(table: Table, done: str) -> None:
    if table.is_const:
        raise RequestError(
            Code.PERMISSION_DENIED,
            f"entries cannot be {done} {table.what}: its entries are constant",
        )


def _is_inserted(entry: p4r.TableEntry) -> bool:
    """Not default entries, nor constant ones, which are told of without their action."""
    return not entry.is_default_action and entry.HasField("action")


KIND = Kind[p4r.TableEntry](
    name="table_entry",
    object_id=lambda entry: entry.table_id,
    write=write,
    read=read,
    check_request=check_request,
    present=present,
    wildcards=tuple(
        p4r.Entity(
            table_entry=p4r.TableEntry(
                is_default_action=is_default,
                counter_data=p4r.CounterData(),
                meter_config=p4r.MeterConfig(),
                meter_counter_data=p4r.MeterCounterData(),
            )
        )
        for is_default in (False, True)
    ),
    is_inserted=_is_inserted,
)
