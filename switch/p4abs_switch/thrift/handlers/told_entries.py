"""Entries as BMv2 tells them."""

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.actions import data_of
from p4abs_switch.runtime.names import Names
from p4abs_switch.thrift.keys import data_told, options_of, params_of
from p4abs_switch.thrift.structures import ActionEntry, ActionKind, Entry, EntryLife

NS_PER_MS = 1_000_000


def entry_told(names: Names, table: p4i.Table, handle: int, entry: p4r.TableEntry) -> Entry:
    """An entry of a table."""
    life = None
    if entry.idle_timeout_ns:
        idle_ns = entry.time_since_last_hit.elapsed_ns
        life = EntryLife(entry.idle_timeout_ns // NS_PER_MS, idle_ns // NS_PER_MS)
    told = action_told(names, entry.action)
    return Entry(params_of(table, entry), options_of(table, entry), handle, told, life)


def action_told(names: Names, action: p4r.TableAction) -> ActionEntry:
    """What an entry leads to. One-shot action sets, which BMv2 does not have, lead to nothing."""
    match action.WhichOneof("type"):
        case "action":
            declared = names.action_of_id(action.action.action_id)
            data = data_told(data_of(declared, action.action))
            return ActionEntry(ActionKind.ACTION_DATA, declared.preamble.name, data)
        case "action_profile_member_id":
            return ActionEntry(ActionKind.MEMBER, member=action.action_profile_member_id - 1)
        case "action_profile_group_id":
            return ActionEntry(ActionKind.GROUP, group=action.action_profile_group_id - 1)
    return ActionEntry(ActionKind.NONE)
