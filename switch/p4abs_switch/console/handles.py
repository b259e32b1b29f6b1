"""A table's entries by number.

BMv2 numbers entries as they are added, P4Runtime knows them by their keys. So entries are numbered
here: those that the table has when it is first looked at, in the order in which the switch tells
them, and then each that is added. A number is kept while the session lasts, and is not given again.
"""

from finsy.proto import p4i, p4r

from p4abs_switch.console.error import CommandError
from p4abs_switch.console.session import Session


class Handles:
    """The numbers of this session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._numbers: dict[int, dict[bytes, int]] = {}

    def entries(self, table: p4i.Table) -> dict[int, p4r.TableEntry]:
        """The table's entries now, in the order of their numbers. Raises RpcError."""
        wanted = p4r.TableEntry(table_id=table.preamble.id)
        if table.idle_timeout_behavior == p4i.Table.NOTIFY_CONTROL:
            wanted.time_since_last_hit.SetInParent()
        found = self._session.read(table_entry=wanted)
        entries = [each.table_entry for each in found if not each.table_entry.is_default_action]
        numbered = [(self._number(entry), entry) for entry in entries]
        return dict(sorted(numbered, key=lambda pair: pair[0]))

    def add(self, table: p4i.Table, entry: p4r.TableEntry) -> int:
        """Inserts an entry; returns its number. Raises RpcError."""
        if table.preamble.id not in self._numbers:
            self._numbers[table.preamble.id] = {}  # an empty one has been looked at, too
            self.entries(table)
        self._session.insert(table_entry=entry)
        return self._number(entry)

    def find(self, table: p4i.Table, handle: int) -> p4r.TableEntry:
        """The entry of a number. Raises CommandError, which lists those that there are."""
        entries = self.entries(table)
        if handle not in entries:
            valid = ", ".join(str(number) for number in entries) or "none"
            raise CommandError(f"table {table.preamble.name} has no entry {handle}; valid: {valid}")
        return entries[handle]

    def _number(self, entry: p4r.TableEntry) -> int:
        numbers = self._numbers.setdefault(entry.table_id, {})
        return numbers.setdefault(key_of(entry), len(numbers))


def key_only(entry: p4r.TableEntry) -> p4r.TableEntry:
    """An entry's table, match and priority."""
    return p4r.TableEntry(table_id=entry.table_id, match=entry.match, priority=entry.priority)


def key_of(entry: p4r.TableEntry) -> bytes:
    """What tells an entry of a table from others."""
    match = sorted(entry.match, key=lambda each: each.field_id)
    key = p4r.TableEntry(table_id=entry.table_id, match=match, priority=entry.priority)
    return key.SerializeToString(deterministic=True)
