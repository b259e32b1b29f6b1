"""Entries as BMv2 tells them."""

from p4abs_switch._engine import TableEntry
from p4abs_switch.bmv2.names import Table
from p4abs_switch.engine_types import Action
from p4abs_switch.thrift.actions import data_of
from p4abs_switch.thrift.keys import options_of, params_of
from p4abs_switch.thrift.structures import ActionEntry, ActionKind, Entry, EntryLife

NS_PER_MS = 1_000_000


def entry_told(table: Table, handle: int, entry: TableEntry) -> Entry:
    """An entry of the engine."""
    life = None
    if entry.idle_timeout_ns:
        timeouts_ms = entry.idle_timeout_ns // NS_PER_MS, entry.idle_ns // NS_PER_MS
        life = EntryLife(*timeouts_ms)
    options = options_of(table, entry.priority)
    return Entry(params_of(table, entry.key), options, handle, action_told(entry.action), life)


def action_told(action: Action) -> ActionEntry:
    """What an entry leads to. One-shot action sets, which BMv2 does not have, lead to nothing."""
    match action:
        case ("action", name, arguments):
            return ActionEntry(ActionKind.ACTION_DATA, name, data_of(arguments))
        case ("member", number):
            return ActionEntry(ActionKind.MEMBER, member=handle_of(number))
        case ("group", number):
            return ActionEntry(ActionKind.GROUP, group=handle_of(number))
    return ActionEntry(ActionKind.NONE)


def handle_of(number: int) -> int:
    """The handle of a member or group by its number in the engine, which begins at 1."""
    return number - 1


def profile_id(handle: int) -> int:
    """The number in the engine of a member or group by its handle; 0 is nobody's."""
    return max(0, handle + 1)
