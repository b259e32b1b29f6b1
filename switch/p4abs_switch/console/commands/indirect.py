"""Tables with an action profile: entries that lead to members and groups.

The older commands name a profile by its table.
"""

import sys
from collections.abc import Sequence

from p4abs_switch.console.commands.arguments import Handle, Table
from p4abs_switch.console.commands.tables import TableCommands
from p4abs_switch.console.matches import entry_in, take_priority
from p4abs_switch.console.values import GREATEST_ID, before_arrow, whole
from p4abs_switch.errors import InputError, wrong_number
from p4abs_switch.protobuf import p4i, p4r

_ADD = "<table> <key fields> => <handle> [priority]"


class IndirectCommands(TableCommands):
    """`table_indirect_add` and its kin."""

    def do_table_indirect_add(self, table: Table, *words: str) -> None:
        """Add an entry: table_indirect_add <table> <key fields> => <member> [priority]"""
        entry, handle = self._entry(table, words)
        entry.action.action_profile_member_id = handle + 1
        self._add(table, entry)

    def do_table_indirect_add_with_group(self, table: Table, *words: str) -> None:
        """Add an entry: table_indirect_add_with_group <table> <key fields> => <group> [priority]"""
        entry, handle = self._entry(table, words)
        entry.action.action_profile_group_id = handle + 1
        self._add(table, entry)

    def do_table_indirect_delete(self, table: str, handle: Handle) -> None:
        """Delete an entry: table_indirect_delete <table> <handle>"""
        self.do_table_delete(table, handle)

    def do_table_indirect_create_member(self, table: Table, *words: str) -> None:
        """Create a member: table_indirect_create_member <table> <action> <parameters>"""
        self._older("act_prof_create_member", table, words)

    def do_table_indirect_modify_member(self, table: Table, *words: str) -> None:
        """Change a member: table_indirect_modify_member <table> <action> <member> <parameters>"""
        self._older("act_prof_modify_member", table, words)

    def do_table_indirect_delete_member(self, table: Table, *words: str) -> None:
        """Delete a member: table_indirect_delete_member <table> <member>"""
        self._older("act_prof_delete_member", table, words)

    def do_table_indirect_create_group(self, table: Table, *words: str) -> None:
        """Create a group: table_indirect_create_group <table>"""
        self._older("act_prof_create_group", table, words)

    def do_table_indirect_delete_group(self, table: Table, *words: str) -> None:
        """Delete a group: table_indirect_delete_group <table> <group>"""
        self._older("act_prof_delete_group", table, words)

    def do_table_indirect_add_member_to_group(self, table: Table, *words: str) -> None:
        """Add a member: table_indirect_add_member_to_group <table> <member> <group>"""
        self._older("act_prof_add_member_to_group", table, words)

    def do_table_indirect_remove_member_from_group(self, table: Table, *words: str) -> None:
        """Remove a member: table_indirect_remove_member_from_group <table> <member> <group>"""
        self._older("act_prof_remove_member_from_group", table, words)

    def do_table_dump_member(self, table: Table, *words: str) -> None:
        """Show a member: table_dump_member <table> <member>"""
        self._of_profile_of(table, "act_prof_dump_member", words)

    def do_table_dump_group(self, table: Table, *words: str) -> None:
        """Show a group: table_dump_group <table> <group>"""
        self._of_profile_of(table, "act_prof_dump_group", words)

    def _entry(self, table: p4i.Table, words: Sequence[str]) -> tuple[p4r.TableEntry, int]:
        """An entry of a key, and the handle behind the arrow."""
        self.names.profile_of(table)
        key, found = before_arrow(words, _ADD)
        priority = take_priority(table, found, 1)
        if len(found) != 1:
            raise InputError(wrong_number(len(found), "handle", _ADD))
        return entry_in(table, key, priority), whole(found[0], "the handle", GREATEST_ID - 1)

    def _add(self, table: p4i.Table, entry: p4r.TableEntry) -> None:
        self.say(f"Adding entry to indirect match table {table.preamble.name}")
        self.added(table, entry)

    def _older(self, command: str, table: p4i.Table, words: Sequence[str]) -> None:
        """Carries out the command that does it now. Raises InputError for a shared profile."""
        profile = self.names.profile_of(table)
        if len(profile.table_ids) > 1:
            name = profile.preamble.name
            raise InputError(f"several tables use action profile {name}; use {command} {name}")
        sys.stderr.write(f"This is a deprecated command, use '{command}' instead\n")
        self._of_profile_of(table, command, words)

    def _of_profile_of(self, table: p4i.Table, command: str, words: Sequence[str]) -> None:
        """Carries out a command that names the profile itself."""
        name = self.names.profile_of(table).preamble.name
        carry_out = self.command(command)
        assert carry_out is not None
        carry_out(" ".join((name, *words)))
