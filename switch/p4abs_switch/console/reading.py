"""What counters and registers hold, read without a place in the election."""

from collections.abc import Mapping
from typing import Any

from finsy.proto import p4i, p4r

from p4abs_switch.client import ReadOnlyConnection
from p4abs_switch.console.commands.registers import cell_number
from p4abs_switch.console.error import CommandError
from p4abs_switch.console.handles import key_only
from p4abs_switch.console.matches import match_text
from p4abs_switch.console.names import Names, find, listed

Row = Mapping[str, Any]
"""What one cell holds, by name; `index`, or of direct counters `key`, says which one."""


def counter(
    connection: ReadOnlyConnection, names: Names, name: str, index: int | None
) -> list[Row]:
    """One cell of a counter or all; of a direct one all entries. Raises CommandError, RpcError."""
    p4info = names.p4info
    try:
        found = find("counter", name, p4info.counters)
    except CommandError as error:
        return _direct_counter(connection, names, name, index, str(error))
    wanted = p4r.CounterEntry(counter_id=found.preamble.id)
    if index is not None:
        wanted.index.index = _checked("counter", found.preamble.name, found.size, index)
    entities = connection.read(p4r.Entity(counter_entry=wanted))
    entries = [entity.counter_entry for entity in entities]
    return [{"index": each.index.index, **_counts(found.spec, each.data)} for each in entries]


def register(
    connection: ReadOnlyConnection, names: Names, name: str, index: int | None
) -> list[Row]:
    """One cell of a register or all. Raises CommandError, RpcError."""
    found = find("register", name, names.p4info.registers)
    wanted = p4r.RegisterEntry(register_id=found.preamble.id)
    if index is not None:
        wanted.index.index = _checked("register", found.preamble.name, found.size, index)
    entities = connection.read(p4r.Entity(register_entry=wanted))
    entries = [entity.register_entry for entity in entities]
    return [{"index": each.index.index, "value": cell_number(found, each.data)} for each in entries]


def _direct_counter(
    connection: ReadOnlyConnection, names: Names, name: str, index: int | None, reason: str
) -> list[Row]:
    """reason: why there is no indirect counter of that name."""
    try:
        found = find("counter", name, names.p4info.direct_counters)
    except CommandError:
        direct = listed(names.p4info.direct_counters)
        raise CommandError(f"{reason}; of tables: {direct}") from None
    table = names.table_of_id(found.direct_table_id)
    if index is not None:
        raise CommandError(
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


def _checked(kind: str, name: str, size: int, index: int) -> int:
    if not 0 <= index < size:
        raise CommandError(f"{kind} {name} has no cell {index}; valid: 0 to {size - 1}")
    return index


def _counts(spec: p4i.CounterSpec, data: p4r.CounterData) -> Row:
    """What it counts; the other number would always be 0."""
    both = {"packets": data.packet_count, "bytes": data.byte_count}
    left_out = {p4i.CounterSpec.BYTES: "packets", p4i.CounterSpec.PACKETS: "bytes"}.get(spec.unit)
    return {name: count for name, count in both.items() if name != left_out}


def _key(table: p4i.Table, entry: p4r.TableEntry) -> str:
    """Fields that do not care are left out, as P4Runtime does."""
    given = {match.field_id for match in entry.match}
    parts = [
        f"{field.name}={match_text(field, key_only(entry))}"
        for field in table.match_fields
        if field.id in given
    ]
    return ", ".join([*parts, *([f"priority {entry.priority}"] if entry.priority else [])])
