"""What the engine reports of a table entry, as messages (P4Runtime 1.5, section 9.1)."""

from collections.abc import Mapping

from finsy.proto import p4r

from p4abs_switch import _engine
from p4abs_switch.messages import actions, counter_data, match, meter_config, meter_counts
from p4abs_switch.program.loaded_program import EntryMetadata, EntryPlace
from p4abs_switch.program.objects import Table


def key(table: Table, entry: _engine.TableEntry) -> p4r.TableEntry:
    """Nothing but table, key and priority."""
    return p4r.TableEntry(
        table_id=table.id, match=match.messages(table, entry.key), priority=entry.priority
    )


def default_key(table: Table) -> p4r.TableEntry:
    """What stands for the default entry."""
    return p4r.TableEntry(table_id=table.id, is_default_action=True)


def full(
    table: Table,
    entry: _engine.TableEntry,
    attached: Mapping[EntryPlace, EntryMetadata],
    wanted: p4r.TableEntry,
) -> p4r.TableEntry:
    """An entry with the direct resources that are wanted."""
    message = key(table, entry)
    message.is_const = table.is_const
    message.idle_timeout_ns = entry.idle_timeout_ns
    if wanted.HasField("time_since_last_hit") and table.has_idle_timeout:
        message.time_since_last_hit.elapsed_ns = entry.idle_ns
    place = (table.name, match.canonical(table, entry.key), entry.priority)
    return _completed(message, table, entry, attached.get(place), wanted)


def full_default(
    table: Table,
    entry: _engine.TableEntry,
    attached: Mapping[EntryPlace, EntryMetadata],
    wanted: p4r.TableEntry,
) -> p4r.TableEntry:
    """The default entry with the direct resources that are wanted."""
    message = default_key(table)
    message.is_const = table.has_const_default
    return _completed(message, table, entry, attached.get((table.name, (), 0)), wanted)


def indirect_default(table: Table) -> p4r.TableEntry | None:
    """The default entry of a table with an action profile: always the program's `NoAction`.

    None where P4Info does not tell of it; the engine does not.
    """
    if table.profile is None or table.initial_default is None:
        return None
    message = default_key(table)
    message.is_const = True
    message.action.action.action_id = table.initial_default.id
    return message


def _completed(
    message: p4r.TableEntry,
    table: Table,
    entry: _engine.TableEntry,
    attached: EntryMetadata | None,
    wanted: p4r.TableEntry,
) -> p4r.TableEntry:
    message.action.CopyFrom(actions.message(table, entry.action))
    if wanted.HasField("counter_data") and table.has_direct_counter:
        message.counter_data.CopyFrom(counter_data.data(entry.packets, entry.bytes))
    if wanted.HasField("meter_config") and entry.meter is not None:
        message.meter_config.CopyFrom(meter_config.message(entry.meter))
    if wanted.HasField("meter_counter_data") and _has_meter(message, table):
        message.meter_counter_data.CopyFrom(meter_counts.message(entry.meter_counts))
    if attached is not None:
        message.controller_metadata = attached.controller_metadata
        message.metadata = attached.metadata
        if message.action.HasField("action_profile_action_set"):
            chosen = message.action.action_profile_action_set
            chosen.action_selection_mode = attached.action_selection_mode
            chosen.size_semantics = attached.size_semantics
    return message


def _has_meter(message: p4r.TableEntry, table: Table) -> bool:
    return table.direct_meter is not None and not message.is_default_action
