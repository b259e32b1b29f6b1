"""Tables with an action profile: entries that lead to members and groups.

The older commands name a profile by its table.
"""

import sys

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.console.commands.profiles import handle_of
from p4abs_switch.console.commands.tables import TableCommands
from p4abs_switch.console.matches import entry_in, take_priority
from p4abs_switch.console.values import before_arrow, words
from p4abs_switch.errors import wrong_number
from p4abs_switch.protobuf import p4i, p4r

_ADD = "<table> <key fields> => <handle> [priority]"


class IndirectCommands(TableCommands):
    """`table_indirect_add` and its kin."""

    def do_table_indirect_add(self, line: str) -> None:
        """Add an entry: table_indirect_add <table> <key fields> => <member> [priority]"""
        table, entry, handle = self._entry(line)
        entry.action.action_profile_member_id = handle + 1
        self._add(table, entry)

    def do_table_indirect_add_with_group(self, line: str) -> None:
        """Add one: table_indirect_add_with_group <table> <key fields> => <group> [priority]"""
        table, entry, handle = self._entry(line)
        entry.action.action_profile_group_id = handle + 1
        self._add(table, entry)

    def do_table_indirect_delete(self, line: str) -> None:
        """Delete an entry: table_indirect_delete <table> <handle>"""
        self.do_table_delete(line)

    def do_table_indirect_create_member(self, line: str) -> None:
        """Create a member: table_indirect_create_member <table> <action> <parameters>"""
        self.do_act_prof_create_member(self._deprecated(line, "act_prof_create_member"))

    def do_table_indirect_modify_member(self, line: str) -> None:
        """Change one: table_indirect_modify_member <table> <action> <member> <parameters>"""
        self.do_act_prof_modify_member(self._deprecated(line, "act_prof_modify_member"))

    def do_table_indirect_delete_member(self, line: str) -> None:
        """Delete a member: table_indirect_delete_member <table> <member>"""
        self.do_act_prof_delete_member(self._deprecated(line, "act_prof_delete_member"))

    def do_table_indirect_create_group(self, line: str) -> None:
        """Create a group: table_indirect_create_group <table>"""
        self.do_act_prof_create_group(self._deprecated(line, "act_prof_create_group"))

    def do_table_indirect_delete_group(self, line: str) -> None:
        """Delete a group: table_indirect_delete_group <table> <group>"""
        self.do_act_prof_delete_group(self._deprecated(line, "act_prof_delete_group"))

    def do_table_indirect_add_member_to_group(self, line: str) -> None:
        """Add one: table_indirect_add_member_to_group <table> <member> <group>"""
        command = "act_prof_add_member_to_group"
        self.do_act_prof_add_member_to_group(self._deprecated(line, command))

    def do_table_indirect_remove_member_from_group(self, line: str) -> None:
        """Remove one: table_indirect_remove_member_from_group <table> <member> <group>"""
        command = "act_prof_remove_member_from_group"
        self.do_act_prof_remove_member_from_group(self._deprecated(line, command))

    def do_table_dump_member(self, line: str) -> None:
        """Show a member: table_dump_member <table> <member>"""
        self.do_act_prof_dump_member(self._by_profile(line)[1])

    def do_table_dump_group(self, line: str) -> None:
        """Show a group: table_dump_group <table> <group>"""
        self.do_act_prof_dump_group(self._by_profile(line)[1])

    def _entry(self, line: str) -> tuple[p4i.Table, p4r.TableEntry, int]:
        """The table, an entry of its key, and the handle behind the arrow."""
        name, *rest = words(line, "table => handle", more=True)
        table = self.names.table(name)
        self.names.profile_of(table)
        key, found = before_arrow(rest, _ADD)
        priority = take_priority(table, found, 1)
        if len(found) != 1:
            raise InputError(wrong_number(len(found), "handle", _ADD))
        return table, entry_in(table, key, priority), handle_of(found[0], "the handle")

    def _add(self, table: p4i.Table, entry: p4r.TableEntry) -> None:
        self.say(f"Adding entry to indirect match table {table.preamble.name}")
        self.added(table, entry)

    def _deprecated(self, line: str, command: str) -> str:
        """The arguments of the command that does it. Raises InputError for a shared profile."""
        profile, arguments = self._by_profile(line)
        if len(profile.table_ids) > 1:
            name = profile.preamble.name
            raise InputError(f"several tables have {name}; use {command} {name}")
        sys.stderr.write(f"This is a deprecated command, use '{command}' instead\n")
        return arguments

    def _by_profile(self, line: str) -> tuple[p4i.ActionProfile, str]:
        """The profile of the table that a line names, and the line that names the profile."""
        name, *rest = words(line, "table", more=True)
        profile = self.names.profile_of(self.names.table(name))
        return profile, " ".join([profile.preamble.name, *rest])
