"""Entries and default entries of tables."""

from collections.abc import Sequence

from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.handles import Handles, is_meant, key_only, resource_of
from p4abs_switch.runtime.switch import Switch


class NoSuchEntry(InputError):
    """No entry has this key, or none any longer."""


class Tables:
    """Entries by handles of its own. It numbers the entries of a table when it first looks there,
    then each added one. An entry's key is its table, match and priority."""

    def __init__(self, switch: Switch) -> None:
        self._switch = switch
        self._handles: dict[int, Handles] = {}

    def entries(self, table: p4i.Table) -> dict[int, p4r.TableEntry]:
        """The table's entries now, by handle."""
        found = self._read(p4r.TableEntry(table_id=table.preamble.id), table)
        return self._handles.setdefault(table.preamble.id, Handles()).adopt(found)

    def add(self, table: p4i.Table, entry: p4r.TableEntry) -> int:
        """Inserts an entry; returns its handle."""
        handles = self._known(table)
        self._switch.insert(table_entry=entry)
        return handles.add(entry)

    def key(self, table: p4i.Table, handle: int) -> p4r.TableEntry:
        """The key of a handle. Raises UnknownHandle, ExpiredHandle."""
        return self._known(table).key(handle)

    def handle(self, table: p4i.Table, entry: p4r.TableEntry) -> int:
        """The handle of an entry that is there."""
        return self._known(table).of(entry)

    def entry(self, table: p4i.Table, key: p4r.TableEntry) -> p4r.TableEntry:
        """The entry of a key. Raises NoSuchEntry."""
        found = [each for each in self._read(key, table) if is_meant(each, key)]
        if not found:
            raise NoSuchEntry(f"table {table.preamble.name} has no entry with that key")
        return found[0]

    def modify(self, table: p4i.Table, key: p4r.TableEntry, action: p4r.TableAction) -> None:
        """Lets an entry lead elsewhere. Raises NoSuchEntry."""
        entry = self._writable(table, key)
        entry.action.CopyFrom(action)
        self._switch.modify(table_entry=entry)

    def set_timeout(self, table: p4i.Table, key: p4r.TableEntry, timeout_ns: int) -> None:
        """How long an entry may be idle before the switch reports it; 0: for ever. Raises
        NoSuchEntry."""
        entry = self._writable(table, key)
        entry.idle_timeout_ns = timeout_ns
        self._switch.modify(table_entry=entry)

    def delete(self, table: p4i.Table, key: p4r.TableEntry) -> None:
        """Removes an entry."""
        self._switch.delete(table_entry=key)
        self._known(table).remove(key)

    def clear(self, table: p4i.Table) -> None:
        """Removes all entries but the default one; handles begin anew."""
        for entry in self._read(p4r.TableEntry(table_id=table.preamble.id), table):
            self._switch.delete(table_entry=key_only(entry))
        self._handles[table.preamble.id] = Handles()

    def default(self, table: p4i.Table) -> p4r.TableAction:
        """What the table does where no entry is hit; without a type: nothing."""
        wanted = p4r.TableEntry(table_id=table.preamble.id, is_default_action=True)
        found = self._switch.read(table_entry=wanted)
        return found[0].table_entry.action if found else p4r.TableAction()

    def set_default(self, table: p4i.Table, action: p4r.TableAction | None) -> None:
        """Changes that; None: to what the program declares."""
        entry = p4r.TableEntry(table_id=table.preamble.id, is_default_action=True, action=action)
        self._switch.modify(table_entry=entry)

    def _known(self, table: p4i.Table) -> Handles:
        if table.preamble.id not in self._handles:
            self.entries(table)
        return self._handles[table.preamble.id]

    def _read(self, key: p4r.TableEntry, table: p4i.Table) -> Sequence[p4r.TableEntry]:
        wanted = p4r.Entity(table_entry=key)
        if table.idle_timeout_behavior == p4i.Table.NOTIFY_CONTROL:
            wanted.table_entry.time_since_last_hit.SetInParent()
        return [each.table_entry for each in self._switch.fetch(wanted)]

    def _writable(self, table: p4i.Table, key: p4r.TableEntry) -> p4r.TableEntry:
        """An entry as it may be written: with its meter, which would be reset otherwise."""
        entry = self.entry(table, key)
        entry.ClearField("time_since_last_hit")
        if self._switch.names.has_meter(table):
            wanted = p4r.DirectMeterEntry(table_entry=key_only(entry))
            found = self._switch.read(direct_meter_entry=wanted)
            meter = resource_of(key, [each.direct_meter_entry for each in found])
            if meter is not None and meter.HasField("config"):
                entry.meter_config.CopyFrom(meter.config)
        return entry
