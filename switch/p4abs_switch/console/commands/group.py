"""What all groups of commands work with."""

import sys
from collections.abc import Callable
from functools import wraps

from p4abs_switch.console.commands.arguments import parsed
from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.handles import UnknownHandle, key_only
from p4abs_switch.runtime.names import Names
from p4abs_switch.runtime.objects import Objects


def say(text: str) -> None:
    """Answers the user."""
    sys.stdout.write(f"{text}\n")


class Group:
    """Commands of one kind of object: methods `do_COMMAND`, whose parameters say what the words
    behind the command are.

    say: answers who has given a command.
    """

    def __init__(self, objects: Objects, say: Callable[[str], None] = say) -> None:
        self.objects = objects
        self.say = say

    @property
    def names(self) -> Names:
        """The program's objects."""
        return self.objects.names

    def command(self, name: str) -> Callable[[str], None] | None:
        """What carries out a command, given the line behind it; None: it is of another group."""
        method = getattr(self, f"do_{name}", None)
        if method is None:
            return None

        @wraps(method)
        def carry_out(line: str) -> None:
            method(*parsed(method, self, line.split()))

        return carry_out

    def key(self, table: p4i.Table, handle: int) -> p4r.TableEntry:
        """The key of an entry, which others may have added. Raises InputError."""
        try:
            return self.objects.tables.key(table, handle)
        except UnknownHandle:
            entries = self.objects.tables.entries(table)
        if handle not in entries:
            valid = ", ".join(map(str, entries)) or "none"
            raise InputError(f"table {table.preamble.name} has no entry {handle}; valid: {valid}")
        return key_only(entries[handle])
