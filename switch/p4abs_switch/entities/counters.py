"""Counter arrays: Write and Read of CounterEntry (P4Runtime 1.5, section 9.3.2)."""

from collections.abc import Iterator

from finsy.proto import p4r

from p4abs_switch.entities.kind import Change, Kind, check_modified, never_inserted
from p4abs_switch.messages import counter_data
from p4abs_switch.messages.indices import selected
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.status import engine_errors, invalid


def write(loaded: LoadedProgram, change: Change, entry: p4r.CounterEntry) -> None:
    """Writes one cell, or all cells of the array if no index is given; nothing without data."""
    counter = loaded.program.counter(entry.counter_id)
    what = f"counter {counter.name}"
    check_modified(what, change)
    cells = selected(what, counter.size, entry)
    if not entry.HasField("data"):
        return
    packets, size_bytes = counter_data.counts(what, entry.data)
    with engine_errors():
        for cell in cells:
            loaded.switch.counter_write(counter.name, cell, packets, size_bytes)


def read(loaded: LoadedProgram, wanted: p4r.CounterEntry) -> Iterator[p4r.Entity]:
    """The cells that a read asks for: id 0 is every counter, no index is the whole array.

    They are fetched now and translated as they are taken. Raises RequestError now.
    """
    program = loaded.program
    if wanted.counter_id:
        counters = [program.counter(wanted.counter_id)]
    elif wanted.HasField("index"):
        raise invalid("a read of all counters cannot have an index")
    else:
        counters = list(program.counters.values())
    with engine_errors():
        fetched = [
            (counter, cell, loaded.switch.counter_read(counter.name, cell))
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


KIND = Kind[p4r.CounterEntry](
    name="counter_entry",
    object_id=lambda entry: entry.counter_id,
    write=write,
    read=read,
    wildcards=(p4r.Entity(counter_entry=p4r.CounterEntry()),),
    is_inserted=never_inserted,
)
