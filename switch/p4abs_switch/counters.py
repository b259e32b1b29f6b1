"""Counters, indirect and direct (P4Runtime 1.4, section 9.3)."""

from collections.abc import Iterator

from finsy.proto import p4r

from p4abs_switch import counter_data, direct_resources, entry_messages, table_entries
from p4abs_switch._engine import TableEntry
from p4abs_switch.indices import selected
from p4abs_switch.pipeline import Pipeline
from p4abs_switch.program import Table
from p4abs_switch.status import Code, RequestError, engine_errors


def write(pipeline: Pipeline, kind: p4r.Update.Type.ValueType, entry: p4r.CounterEntry) -> None:
    """Writes one cell, or all cells of the array if no index is given; nothing without data."""
    counter = pipeline.program.counter(entry.counter_id)
    what = f"counter {counter.name}"
    if kind != p4r.Update.MODIFY:
        raise RequestError(Code.INVALID_ARGUMENT, f"{what} can only be modified")
    cells = selected(what, counter.size, entry)
    if not entry.HasField("data"):
        return
    packets, size_bytes = counter_data.counts(what, entry.data)
    with engine_errors():
        for cell in cells:
            pipeline.switch.counter_write(counter.name, cell, packets, size_bytes)


def read(pipeline: Pipeline, wanted: p4r.CounterEntry) -> Iterator[p4r.Entity]:
    """The cells that a read asks for: id 0 is every counter, no index is the whole array.

    They are fetched now and translated as they are taken. Raises RequestError now.
    """
    program = pipeline.program
    if wanted.counter_id:
        counters = [program.counter(wanted.counter_id)]
    elif wanted.HasField("index"):
        raise RequestError(Code.INVALID_ARGUMENT, "a read of all counters cannot have an index")
    else:
        counters = list(program.counters.values())
    with engine_errors():
        fetched = [
            (counter, cell, pipeline.switch.counter_read(counter.name, cell))
            for counter in counters
            for cell in selected(f"counter {counter.name}", counter.size, wanted)
        ]
    return (
        p4r.Entity(
            counter_entry=p4r.CounterEntry(
                counter_id=counter.id, index=p4r.Index(index=cell), data=counter_data.data(*counts)
            )
        )
        for counter, cell, counts in fetched
    )


def write_direct(
    pipeline: Pipeline, kind: p4r.Update.Type.ValueType, entry: p4r.DirectCounterEntry
) -> None:
    """Writes the counter of one entry; nothing without data. Raises RequestError."""
    table = _counted_table(pipeline, entry.table_entry.table_id)
    if kind != p4r.Update.MODIFY:
        raise RequestError(
            Code.INVALID_ARGUMENT, f"the direct counter of {table.what} can only be modified"
        )
    key, priority = None, 0
    if not entry.table_entry.is_default_action:
        table_entries.find(pipeline, table, entry.table_entry)
        key, priority = table_entries.checked_key(table, entry.table_entry)
    if entry.HasField("data"):
        with engine_errors():
            direct_resources.set_counter(pipeline, table, key, priority, entry.data)


def present_direct(pipeline: Pipeline, wanted: p4r.DirectCounterEntry) -> p4r.Entity:
    """The direct counter of the one entry with the key given. Raises RequestError."""
    table = _counted_table(pipeline, wanted.table_entry.table_id)
    if wanted.table_entry.is_default_action:
        return _direct_entity(table, None, table_entries.default(pipeline, table))
    entry = table_entries.find(pipeline, table, wanted.table_entry)
    return _direct_entity(table, entry_messages.key(table, entry), entry)


def read_direct(pipeline: Pipeline, wanted: p4r.DirectCounterEntry) -> Iterator[p4r.Entity]:
    """Direct counters of one entry, of a table's entries, or (table id 0) of all tables.

    They are fetched now and translated as they are taken. Raises RequestError now, NOT_FOUND when
    a given match has no entry.
    """
    filtered = wanted.table_entry
    tables = pipeline.program.tables.values()
    if filtered.table_id:
        counted = [_counted_table(pipeline, filtered.table_id)]
    elif filtered.match:
        raise RequestError(
            Code.INVALID_ARGUMENT, "a read of all direct counters cannot be filtered by match"
        )
    else:
        counted = [table for table in tables if table.has_direct_counter]
    if filtered.is_default_action:
        defaults = [(table, table_entries.default(pipeline, table)) for table in counted]
        return (_direct_entity(table, None, entry) for table, entry in defaults)
    fetched = [(table, table_entries.entries(pipeline, table, filtered)) for table in counted]
    if filtered.match and not fetched[0][1]:
        raise RequestError(Code.NOT_FOUND, f"{counted[0].what} has no such entry")
    return (
        _direct_entity(table, entry_messages.key(table, entry), entry)
        for table, found in fetched
        for entry in found
    )


def _direct_entity(
    table: Table, key: p4r.TableEntry | None, entry: TableEntry | None
) -> p4r.Entity:
    """No key is that of the default entry."""
    packets, size_bytes = (0, 0) if entry is None else (entry.packets, entry.bytes)
    return p4r.Entity(
        direct_counter_entry=p4r.DirectCounterEntry(
            table_entry=entry_messages.default_key(table) if key is None else key,
            data=counter_data.data(packets, size_bytes),
        )
    )


def _counted_table(pipeline: Pipeline, table_id: int) -> Table:
    table = pipeline.program.table(table_id)
    if not table.has_direct_counter:
        raise RequestError(Code.INVALID_ARGUMENT, f"{table.what} has no direct counter")
    return table
