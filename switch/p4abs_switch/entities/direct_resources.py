"""The direct counter and meter of a table entry (P4Runtime 1.5, section 9.1.7)."""

from finsy.proto import p4r

from p4abs_switch.messages import counter_data, meter_config, meter_counts
from p4abs_switch.program.loaded_program import Key, LoadedProgram
from p4abs_switch.program.objects import Table
from p4abs_switch.status import Code, RequestError, invalid


def check(table: Table, entry: p4r.TableEntry) -> None:
    """Raises RequestError for resources that the entry does not have, and for invalid values."""
    if entry.HasField("counter_data"):
        if not table.has_direct_counter:
            raise invalid(f"{table.what} has no direct counter")
        counter_data.counts(f"direct counter of {table.what}", entry.counter_data)
    if entry.HasField("meter_config"):
        if table.direct_meter is None:
            raise invalid(f"{table.what} has no direct meter")
        if entry.is_default_action:
            raise no_default_meter(table)
        meter_config.config(table.direct_meter, entry.meter_config)
    if entry.HasField("meter_counter_data"):
        if table.direct_meter is None:
            raise invalid(f"{table.what} has no direct meter")
        if entry.is_default_action:
            raise no_default_meter(table)
        meter_counts.counts(table.what, entry.meter_counter_data)


def write(loaded: LoadedProgram, table: Table, key: "Key | None", entry: p4r.TableEntry) -> None:
    """Sets the counter and what the meter has counted if given; without config it becomes green.

    No key is that of the default entry.
    """
    if entry.HasField("counter_data"):
        set_counter(loaded, table, key, entry.priority, entry.counter_data)
    if table.direct_meter is not None and key is not None:
        config = entry.meter_config if entry.HasField("meter_config") else None
        set_meter(loaded, table, key, entry.priority, config)
        if entry.HasField("meter_counter_data"):
            set_meter_counts(loaded, table, key, entry.priority, entry.meter_counter_data)


def set_counter(
    loaded: LoadedProgram,
    table: Table,
    key: "Key | None",
    priority: int,
    data: p4r.CounterData,
) -> None:
    """Sets the direct counter of an entry."""
    packets, size_bytes = counter_data.counts(f"direct counter of {table.what}", data)
    loaded.switch.table_set_counter(table.name, key, packets, size_bytes, priority)


def set_meter(
    loaded: LoadedProgram,
    table: Table,
    key: Key,
    priority: int,
    message: p4r.MeterConfig | None,
) -> None:
    """Configures the direct meter of an entry; None: every packet is green."""
    assert table.direct_meter is not None
    config = None if message is None else meter_config.config(table.direct_meter, message)
    loaded.switch.table_meter_write(table.name, key, config, priority)


def set_meter_counts(
    loaded: LoadedProgram,
    table: Table,
    key: Key,
    priority: int,
    data: p4r.MeterCounterData,
) -> None:
    """Sets what the direct meter of an entry has counted by color."""
    counts = meter_counts.counts(f"direct meter of {table.what}", data)
    loaded.switch.table_meter_set_counts(table.name, key, counts, priority)


def check_meter_reset(loaded: LoadedProgram, table_id: int, data: p4r.MeterCounterData) -> None:
    """Raises RequestError for counts by color that a controller may not write."""
    table = loaded.program.table(table_id)
    meter_counts.check_reset(f"direct meter of {table.what}", data)


def no_default_meter(table: Table) -> RequestError:
    """For requests about the meter of a default entry."""
    return RequestError(
        Code.UNIMPLEMENTED,
        f"the default entry of {table.what} has no direct meter: packets that miss are not metered",
    )
