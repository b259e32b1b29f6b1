"""Table entries: Write and Read of TableEntry (P4Runtime 1.4, section 9.1)."""

from collections.abc import Iterable, Iterator, Mapping

from finsy.proto import p4r

from p4abs_switch import _engine, actions, counter_data, match
from p4abs_switch.p4info import Table
from p4abs_switch.pipeline import EntryMetadata, EntryPlace, Pipeline
from p4abs_switch.status import Code, RequestError, engine_errors


def write(pipeline: Pipeline, kind: p4r.Update.Type.ValueType, entry: p4r.TableEntry) -> None:
    """Applies one update. Raises RequestError; then nothing was changed."""
    table = pipeline.program.table(entry.table_id)
    if kind != p4r.Update.DELETE:
        _check_attributes(table, entry)
    if entry.is_default_action:
        _write_default(pipeline, table, kind, entry)
    elif kind == p4r.Update.INSERT:
        _insert(pipeline, table, entry)
    elif kind == p4r.Update.MODIFY:
        _modify(pipeline, table, entry)
    else:
        _delete(pipeline, table, entry)


def read(pipeline: Pipeline, wanted: p4r.TableEntry) -> Iterator[p4r.Entity]:
    """The entries that pass the filter; its unset fields are wildcards (section 9.1.6).

    They are fetched now and translated as they are taken. Raises RequestError now.
    """
    _check_filter(wanted)
    program = pipeline.program
    tables = program.tables.values() if wanted.table_id == 0 else [program.table(wanted.table_id)]
    if wanted.is_default_action:
        found = iter([entry for table in tables for entry in _defaults(pipeline, table)])
    else:
        fetched = [(table, entries(pipeline, table, wanted)) for table in tables]
        found = _messages(fetched, dict(pipeline.entry_metadata), wanted)
    return (p4r.Entity(table_entry=entry) for entry in found if _passes(entry, wanted))


def entries(pipeline: Pipeline, table: Table, wanted: p4r.TableEntry) -> list[_engine.TableEntry]:
    """The engine's entries with the key and priority of the filter, where it sets them."""
    key = match.key(table, wanted.match) if wanted.match else None
    with engine_errors():
        if key is not None and (wanted.priority or not table.has_priority):
            return _find(pipeline, table, key, wanted.priority)
        found = pipeline.switch.table_entries(table.name)
    return [
        entry
        for entry in found
        if wanted.priority in (0, entry.priority)
        and (key is None or match.canonical(table, entry.key) == key)
    ]


def find(
    pipeline: Pipeline, table: Table, wanted: p4r.TableEntry
) -> tuple[match.Key, _engine.TableEntry]:
    """The one entry with the key and priority given. Raises RequestError, e.g. NOT_FOUND."""
    key, priority = _checked_key(table, wanted)
    with engine_errors():
        return key, pipeline.switch.table_entry(table.name, key, priority)


def present(pipeline: Pipeline, wanted: p4r.TableEntry, *, with_counter: bool) -> p4r.TableEntry:
    """The one entry with the key given, as a Write restores it. Raises RequestError."""
    table = pipeline.program.table(wanted.table_id)
    if wanted.is_default_action:
        unset = p4r.TableEntry(table_id=table.id, is_default_action=True)
        entry = next(_defaults(pipeline, table), unset)
    else:
        _, found = find(pipeline, table, wanted)
        full = p4r.TableEntry(counter_data=p4r.CounterData() if with_counter else None)
        entry = next(_messages([(table, [found])], pipeline.entry_metadata, full))
    if entry.is_const:
        entry.ClearField("is_const")
        entry.ClearField("action")
    return entry


def key_message(table: Table, entry: _engine.TableEntry) -> p4r.TableEntry:
    """A TableEntry with nothing but table, key and priority."""
    return p4r.TableEntry(
        table_id=table.id,
        match=match.messages(table, entry.key),
        priority=entry.priority,
    )


def set_counter(
    pipeline: Pipeline, table: Table, key: match.Key, priority: int, data: p4r.CounterData
) -> None:
    """Sets the direct counter of an entry. Raises RequestError."""
    packets, size_bytes = counter_data.counts(f"direct counter of table {table.name}", data)
    with engine_errors():
        pipeline.switch.table_set_counter(table.name, key, packets, size_bytes, priority)


def _find(
    pipeline: Pipeline, table: Table, key: match.Key, priority: int
) -> list[_engine.TableEntry]:
    try:
        return [pipeline.switch.table_entry(table.name, key, priority)]
    except _engine.EntryNotFound:
        return []


def _insert(pipeline: Pipeline, table: Table, entry: p4r.TableEntry) -> None:
    _refuse_const(table, "inserted into")
    if not table.key:
        raise _invalid(f"table {table.name} has no key; only its default action can be modified")
    key, priority = _checked_key(table, entry)
    action, arguments = actions.in_entry(table, entry.action)
    with engine_errors():
        pipeline.switch.table_insert(table.name, key, ("action", action, arguments), priority)
    if entry.HasField("counter_data"):
        set_counter(pipeline, table, key, priority, entry.counter_data)
    _remember(pipeline, table, key, entry)


def _modify(pipeline: Pipeline, table: Table, entry: p4r.TableEntry) -> None:
    key, priority = _checked_key(table, entry)
    if entry.HasField("action"):
        _refuse_const(table, "modified in")
        action, arguments = actions.in_entry(table, entry.action)
        with engine_errors():
            pipeline.switch.table_modify(table.name, key, ("action", action, arguments), priority)
        _remember(pipeline, table, key, entry)
    else:
        find(pipeline, table, entry)
    if entry.HasField("counter_data"):
        set_counter(pipeline, table, key, priority, entry.counter_data)


def _delete(pipeline: Pipeline, table: Table, entry: p4r.TableEntry) -> None:
    _refuse_const(table, "deleted from")
    key, priority = _checked_key(table, entry)
    with engine_errors():
        pipeline.switch.table_delete(table.name, key, priority)
    pipeline.entry_metadata.pop((table.name, key, priority), None)


def _write_default(
    pipeline: Pipeline, table: Table, kind: p4r.Update.Type.ValueType, entry: p4r.TableEntry
) -> None:
    if kind != p4r.Update.MODIFY:
        raise _invalid(f"the default entry of table {table.name} can only be modified")
    if entry.match or entry.priority:
        raise _invalid(f"the default entry of table {table.name} has neither match nor priority")
    if table.has_const_default:
        raise RequestError(
            Code.PERMISSION_DENIED, f"the default entry of table {table.name} is constant"
        )
    with engine_errors():
        if entry.HasField("action"):
            action, arguments = actions.as_default(table, entry.action)
            pipeline.switch.table_set_default(table.name, ("action", action, arguments))
        else:
            pipeline.switch.table_reset_default(table.name)
    _remember(pipeline, table, (), entry)


def _checked_key(table: Table, entry: p4r.TableEntry) -> tuple[match.Key, int]:
    if table.has_priority and entry.priority <= 0:
        raise _invalid(
            f"table {table.name} needs a priority of at least 1, not {entry.priority}: it has a"
            " ternary, range or optional key field"
        )
    if not table.has_priority and entry.priority:
        raise _invalid(f"table {table.name} takes no priority, but {entry.priority} is given")
    return match.key(table, entry.match), entry.priority


def _check_attributes(table: Table, entry: p4r.TableEntry) -> None:
    """Refuses what a table entry cannot carry here, and what the server does not serve."""
    if entry.is_const:
        raise _invalid("is_const is the switch's to set")
    if entry.idle_timeout_ns or entry.HasField("time_since_last_hit"):
        if table.has_idle_timeout and not entry.is_default_action:
            raise RequestError(Code.UNIMPLEMENTED, "idle timeouts are not supported")
        raise _invalid(f"table {table.name} has no idle timeout here")
    if entry.HasField("meter_config") or entry.HasField("meter_counter_data"):
        raise _invalid(f"table {table.name} has no direct meter")
    if entry.HasField("counter_data"):
        if not table.has_direct_counter:
            raise _invalid(f"table {table.name} has no direct counter")
        if entry.is_default_action:
            raise RequestError(
                Code.UNIMPLEMENTED,
                f"the direct counter of the default entry of {table.name} cannot be written",
            )
        counter_data.counts(f"direct counter of table {table.name}", entry.counter_data)


def _check_filter(wanted: p4r.TableEntry) -> None:
    if wanted.table_id == 0 and (wanted.match or wanted.HasField("action")):
        raise _invalid("a read of all tables cannot be filtered by match or action")
    if wanted.HasField("meter_counter_data"):
        raise RequestError(Code.UNIMPLEMENTED, "meters do not count packets by color")
    if wanted.HasField("time_since_last_hit"):
        raise RequestError(Code.UNIMPLEMENTED, "time_since_last_hit is not supported")


def _messages(
    fetched: Iterable[tuple[Table, list[_engine.TableEntry]]],
    attached: Mapping[EntryPlace, EntryMetadata],
    wanted: p4r.TableEntry,
) -> Iterator[p4r.TableEntry]:
    for table, found in fetched:
        for entry in found:
            message = key_message(table, entry)
            message.action.CopyFrom(actions.message(table, entry.action))
            message.is_const = table.is_const
            if wanted.HasField("counter_data") and table.has_direct_counter:
                message.counter_data.CopyFrom(counter_data.data(entry.packets, entry.bytes))
            key = match.canonical(table, entry.key)
            _attach(message, attached.get((table.name, key, entry.priority)))
            yield message


def _defaults(pipeline: Pipeline, table: Table) -> Iterator[p4r.TableEntry]:
    with engine_errors():
        default = pipeline.switch.table_default(table.name)
    if default is not None:
        message = p4r.TableEntry(
            table_id=table.id,
            action=actions.message(table, default.action),
            is_default_action=True,
            is_const=table.has_const_default,
        )
        _attach(message, pipeline.entry_metadata.get((table.name, (), 0)))
        yield message


def _passes(entry: p4r.TableEntry, wanted: p4r.TableEntry) -> bool:
    return (
        wanted.action.action.action_id in (0, entry.action.action.action_id)
        and wanted.controller_metadata in (0, entry.controller_metadata)
        and wanted.metadata in (b"", entry.metadata)
    )


def _remember(pipeline: Pipeline, table: Table, key: match.Key, entry: p4r.TableEntry) -> None:
    place = (table.name, key, entry.priority)
    if entry.controller_metadata or entry.metadata:
        attached = EntryMetadata(entry.controller_metadata, entry.metadata)
        pipeline.entry_metadata[place] = attached
    else:
        pipeline.entry_metadata.pop(place, None)


def _attach(message: p4r.TableEntry, attached: EntryMetadata | None) -> None:
    if attached is not None:
        message.controller_metadata = attached.controller_metadata
        message.metadata = attached.metadata


def _refuse_const(table: Table, done: str) -> None:
    if table.is_const:
        raise RequestError(
            Code.PERMISSION_DENIED,
            f"entries cannot be {done} table {table.name}: its entries are constant",
        )


def _invalid(message: str) -> RequestError:
    return RequestError(Code.INVALID_ARGUMENT, message)
