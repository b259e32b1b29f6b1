"""The direct counter and meter of a table entry (P4Runtime 1.4, sections 9.1.7, 9.3.1, 9.4.1)."""

from finsy.proto import p4r

from p4abs_switch import counter_data, match
from p4abs_switch.pipeline import Pipeline
from p4abs_switch.program import Table
from p4abs_switch.status import Code, RequestError


def check(table: Table, entry: p4r.TableEntry) -> None:
    """Raises RequestError for resources that the table does not have, and invalid values."""
    if entry.HasField("counter_data"):
        if not table.has_direct_counter:
            raise _invalid(f"{table.what} has no direct counter")
        counter_data.counts(f"direct counter of {table.what}", entry.counter_data)
    if entry.HasField("meter_config"):
        raise _invalid(f"{table.what} has no direct meter")
    if entry.HasField("meter_counter_data"):
        raise RequestError(Code.UNIMPLEMENTED, "meters do not count packets by color")


def insert(pipeline: Pipeline, table: Table, key: match.Key, entry: p4r.TableEntry) -> None:
    """Gives a new entry what it is to start with."""
    modify(pipeline, table, key, entry)


def modify(
    pipeline: Pipeline, table: Table, key: "match.Key | None", entry: p4r.TableEntry
) -> None:
    """Sets the counter if it is given; none is the key of the default entry."""
    if entry.HasField("counter_data"):
        set_counter(pipeline, table, key, entry.priority, entry.counter_data)


def set_counter(
    pipeline: Pipeline,
    table: Table,
    key: "match.Key | None",
    priority: int,
    data: p4r.CounterData,
) -> None:
    """Sets the direct counter of an entry."""
    packets, size_bytes = counter_data.counts(f"direct counter of {table.what}", data)
    pipeline.switch.table_set_counter(table.name, key, packets, size_bytes, priority)


def _invalid(message: str) -> RequestError:
    return RequestError(Code.INVALID_ARGUMENT, message)
