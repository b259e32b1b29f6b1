"""Counters, indirect and direct (P4Runtime 1.4, section 9.3)."""

from collections.abc import Iterator

from finsy.proto import p4r

from p4abs_switch import counter_data, table_entries
from p4abs_switch._engine import TableEntry
from p4abs_switch.indices import selected
from p4abs_switch.p4info import Table
from p4abs_switch.pipeline import Pipeline
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
            Code.INVALID_ARGUMENT, f"the direct counter of table {table.name} can only be modified"
        )
    if entry.table_entry.is_default_action:
        raise RequestError(
            Code.UNIMPLEMENTED, f"the default entry of table {table.name} has no direct counter"
        )
    key, found = table_entries.find(pipeline, table, entry.table_entry)
    if entry.HasField("data"):
        table_entries.set_counter(pipeline, table, key, found.priority, entry.data)


def present_direct(pipeline: Pipeline, wanted: p4r.DirectCounterEntry) -> p4r.Entity:
    """The direct counter of the one entry with the key given. Raises RequestError."""
    table = _counted_table(pipeline, wanted.table_entry.table_id)
    _, found = table_entries.find(pipeline, table, wanted.table_entry)
    return _direct_entity(table, found)


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
    fetched = [(table, table_entries.entries(pipeline, table, filtered)) for table in counted]
    if filtered.match and not fetched[0][1]:
        raise RequestError(Code.NOT_FOUND, f"table {counted[0].name} has no such entry")
    return (_direct_entity(table, entry) for table, found in fetched for entry in found)


def _direct_entity(table: Table, entry: TableEntry) -> p4r.Entity:
    return p4r.Entity(
        direct_counter_entry=p4r.DirectCounterEntry(
            table_entry=table_entries.key_message(table, entry),
            data=counter_data.data(entry.packets, entry.bytes),
        )
    )


def _counted_table(pipeline: Pipeline, table_id: int) -> Table:
    table = pipeline.program.table(table_id)
    if not table.has_direct_counter:
        raise RequestError(Code.INVALID_ARGUMENT, f"table {table.name} has no direct counter")
    return table
