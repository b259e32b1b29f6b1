"""DirectCounterEntry and DirectMeterEntry (P4Runtime 1.5, sections 9.3.1 and 9.4.1)."""

from collections.abc import Iterable, Iterator

from finsy.proto import p4r

from p4abs_switch._engine import TableEntry
from p4abs_switch.entities import direct_resources, table_entries
from p4abs_switch.entities.kind import Change, Kind, check_modified, never_inserted
from p4abs_switch.messages import counter_data, entry_messages, meter_config, meter_counts
from p4abs_switch.program.loaded_program import Key, LoadedProgram
from p4abs_switch.program.objects import Table
from p4abs_switch.status import Code, RequestError, engine_errors, invalid


def write_counter(loaded: LoadedProgram, change: Change, entry: p4r.DirectCounterEntry) -> None:
    """Writes the counter of one entry; nothing without data. Raises RequestError."""
    table = _with_counter(loaded, entry.table_entry.table_id)
    check_modified(f"the direct counter of {table.what}", change)
    key, priority = _place(loaded, table, entry.table_entry)
    if entry.HasField("data"):
        with engine_errors():
            direct_resources.set_counter(loaded, table, key, priority, entry.data)


def write_meter(loaded: LoadedProgram, change: Change, entry: p4r.DirectMeterEntry) -> None:
    """Configures the meter of one entry; without config, as green. Raises RequestError.

    Sets what it has counted by color if that is given.
    """
    table = _with_meter(loaded, entry.table_entry.table_id)
    check_modified(f"the direct meter of {table.what}", change)
    config = entry.config if entry.HasField("config") else None
    if entry.table_entry.is_default_action:
        raise direct_resources.no_default_meter(table)
    key, priority = _place(loaded, table, entry.table_entry)
    with engine_errors():
        direct_resources.set_meter(loaded, table, key or (), priority, config)
        if entry.HasField("counter_data"):
            direct_resources.set_meter_counts(
                loaded, table, key or (), priority, entry.counter_data
            )


def read_counter(loaded: LoadedProgram, wanted: p4r.DirectCounterEntry) -> Iterator[p4r.Entity]:
    """Direct counters of one entry, of a table's entries, or (table id 0) of all tables.

    They are fetched now and translated as they are taken. Raises RequestError now, NOT_FOUND when
    a given match has no entry.
    """
    wanted_entry = wanted.table_entry
    if wanted_entry.table_id:
        tables = [_with_counter(loaded, wanted_entry.table_id)]
    else:
        tables = [table for table in loaded.program.tables.values() if table.has_direct_counter]
    if wanted_entry.is_default_action:
        for table in tables:
            table_entries.check_default(table, wanted_entry)
        defaults = [(table, table_entries.default(loaded, table)) for table in tables]
        return (_counter(table, None, entry) for table, entry in defaults)
    fetched = _fetched(loaded, tables, wanted_entry)
    return (_counter(table, entry_messages.key(table, entry), entry) for table, entry in fetched)


def read_meter(loaded: LoadedProgram, wanted: p4r.DirectMeterEntry) -> Iterator[p4r.Entity]:
    """Direct meters, as read_counter()."""
    wanted_entry = wanted.table_entry
    if wanted_entry.table_id:
        tables = [_with_meter(loaded, wanted_entry.table_id)]
    else:
        tables = [table for table in loaded.program.tables.values() if table.direct_meter]
    if wanted_entry.is_default_action:
        return iter(())
    fetched = _fetched(loaded, tables, wanted_entry)
    return (_meter(table, entry, wanted) for table, entry in fetched)


def check_meter_request(loaded: LoadedProgram, entry: p4r.DirectMeterEntry) -> None:
    """Raises RequestError for counts by color that a controller may not write."""
    direct_resources.check_meter_reset(loaded, entry.table_entry.table_id, entry.counter_data)


def present_counter(
    loaded: LoadedProgram, _: Change, wanted: p4r.DirectCounterEntry
) -> list[p4r.Entity]:
    """The direct counter of the one entry with the key given. Raises RequestError."""
    table = _with_counter(loaded, wanted.table_entry.table_id)
    if wanted.table_entry.is_default_action:
        return [_counter(table, None, table_entries.default(loaded, table))]
    entry = table_entries.find(loaded, table, wanted.table_entry)
    return [_counter(table, entry_messages.key(table, entry), entry)]


def present_meter(
    loaded: LoadedProgram, _: Change, wanted: p4r.DirectMeterEntry
) -> list[p4r.Entity]:
    """The direct meter of the one entry with the key given. Raises RequestError."""
    table = _with_meter(loaded, wanted.table_entry.table_id)
    return [_meter(table, table_entries.find(loaded, table, wanted.table_entry), wanted)]


def _fetched(
    loaded: LoadedProgram, tables: Iterable[Table], wanted: p4r.TableEntry
) -> list[tuple[Table, TableEntry]]:
    if not wanted.table_id and wanted.match:
        raise invalid("a read of all tables' direct resources cannot be filtered by match")
    found = [
        (table, entry) for table in tables for entry in table_entries.entries(loaded, table, wanted)
    ]
    if wanted.match and not found:
        table = loaded.program.table(wanted.table_id)
        raise RequestError(Code.NOT_FOUND, f"{table.what} has no such entry")
    return found


def _counter(table: Table, key: p4r.TableEntry | None, entry: TableEntry | None) -> p4r.Entity:
    """No key is that of the default entry."""
    packets, size_bytes = (0, 0) if entry is None else (entry.packets, entry.bytes)
    return p4r.Entity(
        direct_counter_entry=p4r.DirectCounterEntry(
            table_entry=entry_messages.default_key(table) if key is None else key,
            data=counter_data.data(packets, size_bytes),
        )
    )


def _meter(table: Table, entry: TableEntry, wanted: p4r.DirectMeterEntry) -> p4r.Entity:
    message = p4r.DirectMeterEntry(table_entry=entry_messages.key(table, entry))
    if entry.meter is not None:
        message.config.CopyFrom(meter_config.message(entry.meter))
    if wanted.HasField("counter_data"):
        message.counter_data.CopyFrom(meter_counts.message(entry.meter_counts))
    return p4r.Entity(direct_meter_entry=message)


def _place(loaded: LoadedProgram, table: Table, entry: p4r.TableEntry) -> "tuple[Key | None, int]":
    """Key and priority of an entry that is there; no key is that of the default entry."""
    if entry.is_default_action:
        table_entries.check_default(table, entry)
        return None, 0
    table_entries.find(loaded, table, entry)
    return table_entries.checked_key(table, entry)


def _with_counter(loaded: LoadedProgram, table_id: int) -> Table:
    table = loaded.program.table(table_id)
    if not table.has_direct_counter:
        raise invalid(f"{table.what} has no direct counter")
    return table


def _with_meter(loaded: LoadedProgram, table_id: int) -> Table:
    table = loaded.program.table(table_id)
    if table.direct_meter is None:
        raise invalid(f"{table.what} has no direct meter")
    return table


# A table's entries tell of their direct resources: these kinds need no wildcards of their own.
COUNTERS = Kind[p4r.DirectCounterEntry](
    name="direct_counter_entry",
    object_id=lambda entry: entry.table_entry.table_id,
    write=write_counter,
    read=read_counter,
    present=present_counter,
    is_inserted=never_inserted,
)
METERS = Kind[p4r.DirectMeterEntry](
    name="direct_meter_entry",
    object_id=lambda entry: entry.table_entry.table_id,
    write=write_meter,
    read=read_meter,
    check_request=check_meter_request,
    present=present_meter,
    is_inserted=never_inserted,
)
