"""What counters and registers hold, read without a place in the election."""

from collections.abc import Mapping
from typing import Any

from p4abs_switch.client import ReadOnlyConnection
from p4abs_switch.console.matches import match_text
from p4abs_switch.console.values import hexadecimal
from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.cells import cell, number_in
from p4abs_switch.runtime.handles import key_only
from p4abs_switch.runtime.names import Names, find, listed

Row = Mapping[str, Any]
"""What one cell holds, by name; `index`, or of direct counters `key`, says which one."""


def counter(
    connection: ReadOnlyConnection, names: Names, name: str, index: int | None
) -> list[Row]:
    """One cell of a counter or all; of a direct one all entries. Raises InputError, RpcError."""
    p4info = names.p4info
    try:
        found = find("counter", name, p4info.counters)
    except InputError as error:
        return _direct_counter(connection, names, name, index, str(error))
    wanted = p4r.CounterEntry(counter_id=found.preamble.id)
    if index is not None:
        wanted.index.CopyFrom(cell("counter", found, index))
    entities = connection.read(p4r.Entity(counter_entry=wanted))
    entries = [entity.counter_entry for entity in entities]
    return [{"index": each.index.index, **_counts(found.spec, each.data)} for each in entries]


def register(
    connection: ReadOnlyConnection, names: Names, name: str, index: int | None
) -> list[Row]:
    """One cell of a register or all. Raises InputError, RpcError."""
    found = find("register", name, names.p4info.registers)
    wanted = p4r.RegisterEntry(register_id=found.preamble.id)
    if index is not None:
        wanted.index.CopyFrom(cell("register", found, index))
    entities = connection.read(p4r.Entity(register_entry=wanted))
    entries = [entity.register_entry for entity in entities]
    return [{"index": each.index.index, "value": number_in(found, each.data)} for each in entries]


def _direct_counter(
    connection: ReadOnlyConnection, names: Names, name: str, index: int | None, reason: str
) -> list[Row]:
    """reason: why there is no indirect counter of that name."""
    try:
        found = find("counter", name, names.p4info.direct_counters)
    except InputError:
        direct = listed(names.p4info.direct_counters)
        raise InputError(f"{reason}; of tables: {direct}") from None
    table = names.table_of_id(found.direct_table_id)
    if index is not None:
        raise InputError(
            f"counter {found.preamble.name} has no index: it counts the entries of table "
            f"{table.preamble.name}"
        )
    wanted = p4r.TableEntry(table_id=table.preamble.id)
    entities = connection.read(
        p4r.Entity(direct_counter_entry=p4r.DirectCounterEntry(table_entry=wanted))
    )
    entries = [entity.direct_counter_entry for entity in entities]
    return [
        {"key": _key(table, each.table_entry), **_counts(found.spec, each.data)} for each in entries
    ]


def _with_prefix(value: int, width_bits: int) -> str:
    return f"0x{hexadecimal(value, width_bits)}"


def _counts(spec: p4i.CounterSpec, data: p4r.CounterData) -> Row:
    """What it counts; the other number would always be 0."""
    both = {"packets": data.packet_count, "bytes": data.byte_count}
    left_out = {p4i.CounterSpec.BYTES: "packets", p4i.CounterSpec.PACKETS: "bytes"}.get(spec.unit)
    return {name: count for name, count in both.items() if name != left_out}


def _key(table: p4i.Table, entry: p4r.TableEntry) -> str:
    """Fields that do not care are left out, as P4Runtime does."""
    given = {match.field_id for match in entry.match}
    parts = [
        f"{field.name}={match_text(field, key_only(entry), _with_prefix)}"
        for field in table.match_fields
        if field.id in given
    ]
    return ", ".join([*parts, *([f"priority {entry.priority}"] if entry.priority else [])])
