"""What all groups of commands work with."""

import sys

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import whole
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.handles import UnknownHandle, key_only
from p4abs_switch.runtime.names import Names
from p4abs_switch.runtime.tables import Tables


class Group:
    """Commands of one kind of object."""

    def __init__(self, session: Session, tables: Tables) -> None:
        self.session = session
        self.tables = tables

    @property
    def names(self) -> Names:
        """The program's objects."""
        return self.session.names

    def key(self, table: p4i.Table, handle: int) -> p4r.TableEntry:
        """The key of an entry, which others may have added. Raises InputError."""
        try:
            return self.tables.key(table, handle)
        except UnknownHandle:
            entries = self.tables.entries(table)
        if handle not in entries:
            valid = ", ".join(map(str, entries)) or "none"
            raise InputError(f"table {table.preamble.name} has no entry {handle}; valid: {valid}")
        return key_only(entries[handle])

    def key_in(self, table: p4i.Table, text: str) -> p4r.TableEntry:
        """Likewise of a handle as text."""
        return self.key(table, whole(text, "the handle"))

    @staticmethod
    def say(text: str) -> None:
        """Answers the user."""
        sys.stdout.write(f"{text}\n")
