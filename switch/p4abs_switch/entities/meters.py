"""Meter arrays: Write and Read of MeterEntry (P4Runtime 1.5, section 9.4.2)."""

from collections.abc import Iterator

from finsy.proto import p4r

from p4abs_switch.entities.kind import Change, Kind, check_modified, never_inserted
from p4abs_switch.messages import meter_config, meter_counts
from p4abs_switch.messages.indices import selected
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.status import engine_errors, invalid


def write(loaded: LoadedProgram, change: Change, entry: p4r.MeterEntry) -> None:
    """Configures one meter, or all of the array if no index is given; without config, as green.

    Sets what it has counted by color if that is given.
    """
    meter = loaded.program.meter(entry.meter_id)
    what = f"meter {meter.name}"
    check_modified(what, change)
    counts = meter_counts.counts(what, entry.counter_data)
    config = meter_config.config(meter, entry.config) if entry.HasField("config") else None
    cells = selected(what, meter.size, entry)
    with engine_errors():
        for cell in cells:
            loaded.switch.meter_write(meter.name, cell, config)
            if entry.HasField("counter_data"):
                loaded.switch.meter_set_counts(meter.name, cell, counts)


def read(loaded: LoadedProgram, wanted: p4r.MeterEntry) -> Iterator[p4r.Entity]:
    """The meters that a read asks for: id 0 is every array, no index is the whole array.

    They are fetched now and translated as they are taken. Raises RequestError now.
    """
    program = loaded.program
    if wanted.meter_id:
        meters = [program.meter(wanted.meter_id)]
    elif wanted.HasField("index"):
        raise invalid("a read of all meters cannot have an index")
    else:
        meters = list(program.meters.values())
    with engine_errors():
        fetched = [
            (
                meter,
                cell,
                loaded.switch.meter_read(meter.name, cell),
                loaded.switch.meter_counts(meter.name, cell),
            )
            for meter in meters
            for cell in selected(f"meter {meter.name}", meter.size, wanted)
        ]
    return (
        p4r.Entity(
            meter_entry=p4r.MeterEntry(
                meter_id=meter.id,
                index=p4r.Index(index=cell),
                config=None if config is None else meter_config.message(config),
                counter_data=meter_counts.message(counts)
                if wanted.HasField("counter_data")
                else None,
            )
        )
        for meter, cell, config, counts in fetched
    )


def check_request(loaded: LoadedProgram, entry: p4r.MeterEntry) -> None:
    """Raises RequestError for counts that a controller may not write."""
    what = f"meter {loaded.program.meter(entry.meter_id).name}"
    meter_counts.check_reset(what, entry.counter_data)


KIND = Kind[p4r.MeterEntry](
    name="meter_entry",
    object_id=lambda entry: entry.meter_id,
    write=write,
    read=read,
    check_request=check_request,
    wildcards=(p4r.Entity(meter_entry=p4r.MeterEntry(counter_data=p4r.MeterCounterData())),),
    is_inserted=never_inserted,
)
