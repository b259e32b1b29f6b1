"""Entries and default entries of tables."""

from collections.abc import Sequence

from p4abs_switch.console import actions, matches
from p4abs_switch.console.commands.arguments import Handle, Table
from p4abs_switch.console.commands.profiles import ProfileCommands
from p4abs_switch.console.matches import entry_in, match_text, table_kind, take_priority
from p4abs_switch.console.values import GREATEST_COUNT, before_arrow, whole
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.matches import has_priority, kind_name, priority_of

_ADD = "<table> <action> <key fields> => <parameters> [priority]"
_NS_PER_MS = 1_000_000
_NAME_WIDTH = 20


class TableCommands(ProfileCommands):
    """`table_add` and its kin. Commands that print the table's name take it as text, to print it as
    it was given."""

    def do_table_add(self, table: str, action: str, *words: str) -> None:
        """Add an entry: table_add <table> <action> <key fields> => <parameters> [priority]"""
        found = self.names.table(table)
        key, parameters = before_arrow(words, _ADD)
        declared = self.names.action_of_table(action, found)
        entry = entry_in(found, key, take_priority(found, parameters, len(declared.params)))
        called = actions.action_of(declared, parameters)
        entry.action.action.CopyFrom(called)
        self.say(f"Adding entry to {table_kind(found)} match table {table}")
        self.say(matches.echo(found, entry))
        self.say(actions.echo(self.names, action, called))
        self.added(found, entry)

    def do_table_set_default(self, table: str, action: str, *parameters: str) -> None:
        """Set the default entry: table_set_default <table> <action> <parameters>"""
        found = self.names.table(table)
        called = self._action(found, action, parameters)
        self.say(f"Setting default action of {table}")
        self.say(actions.echo(self.names, action, called))
        self.objects.tables.set_default(found, p4r.TableAction(action=called))

    def do_table_reset_default(self, table: Table) -> None:
        """Restore the program's default entry: table_reset_default <table>"""
        self.objects.tables.set_default(table, None)

    def do_table_modify(self, table: str, action: str, handle: Handle, *parameters: str) -> None:
        """Change an entry's action: table_modify <table> <action> <handle> [=>] <parameters>"""
        found = self.names.table(table)
        key = self.key(found, handle)
        given = parameters[1:] if parameters[:1] == ("=>",) else parameters
        leads_to = p4r.TableAction(action=self._action(found, action, given))
        self.say(f"Modifying entry {handle} for {table_kind(found)} match table {table}")
        self.objects.tables.modify(found, key, leads_to)

    def do_table_delete(self, table: str, handle: Handle) -> None:
        """Delete an entry: table_delete <table> <handle>"""
        found = self.names.table(table)
        key = self.key(found, handle)
        self.say(f"Deleting entry {handle} from {table}")
        self.objects.tables.delete(found, key)

    def do_table_set_timeout(self, table: Table, handle: Handle, timeout: str) -> None:
        """Set an entry's idle timeout: table_set_timeout <table> <handle> <timeout in ms>"""
        key = self.key(table, handle)
        timeout_ms = whole(timeout, "the timeout in ms", GREATEST_COUNT // _NS_PER_MS)
        self.say(f"Setting a {timeout_ms} ms timeout for entry {handle}")
        self.objects.tables.set_timeout(table, key, timeout_ms * _NS_PER_MS)

    def do_table_clear(self, table: Table) -> None:
        """Delete all entries but the default one: table_clear <table>"""
        self.objects.tables.clear(table)

    def do_table_num_entries(self, table: Table) -> None:
        """Count a table's entries: table_num_entries <table>"""
        self.say(str(len(self.objects.tables.entries(table))))

    def do_table_dump(self, table: Table) -> None:
        """Show a table's entries, and its profile's members: table_dump <table>"""
        self.say("==========\nTABLE ENTRIES")
        for handle, entry in self.objects.tables.entries(table).items():
            self.say("**********")
            self._dump(table, handle, entry)
        if table.implementation_id:
            self.dump_profile(self.names.profile_of(table))
        self.say("==========\nDumping default entry")
        self.say(actions.table_action_text(self.names, self.objects.tables.default(table)))
        self.say("==========")

    def do_table_dump_entry(self, table: Table, handle: Handle) -> None:
        """Show an entry: table_dump_entry <table> <handle>"""
        self._dump(table, handle, self.objects.tables.entry(table, self.key(table, handle)))

    def do_table_dump_entry_from_key(self, table: Table, *key: str) -> None:
        """Show the entry of a key: table_dump_entry_from_key <table> <key fields> [priority]"""
        *fields, priority = key if key and has_priority(table) else (*key, "")
        entry = self.objects.tables.entry(table, entry_in(table, fields, priority))
        self._dump(table, self.objects.tables.handle(table, entry), entry)

    def added(self, table: p4i.Table, entry: p4r.TableEntry) -> None:
        """Inserts an entry and tells its handle."""
        self.say(f"Entry has been added with handle {self.objects.tables.add(table, entry)}")

    def _action(self, table: p4i.Table, name: str, parameters: Sequence[str]) -> p4r.Action:
        """An action that the table may use. Raises InputError."""
        return actions.action_of(self.names.action_of_table(name, table), parameters)

    def _dump(self, table: p4i.Table, handle: int, entry: p4r.TableEntry) -> None:
        self.say(f"Dumping entry {handle:#x}\nMatch key:")
        width = max([_NAME_WIDTH, *(len(field.name) for field in table.match_fields)])
        for field in table.match_fields:
            kind = kind_name(field).upper()
            self.say(f"* {field.name:{width}}: {kind:10}{match_text(field, entry)}")
        if has_priority(table):
            self.say(f"Priority: {priority_of(entry)}")
        self.say(actions.table_action_text(self.names, entry.action))
        if entry.idle_timeout_ns and entry.HasField("time_since_last_hit"):
            idle_ms = entry.time_since_last_hit.elapsed_ns // _NS_PER_MS
            timeout_ms = entry.idle_timeout_ns // _NS_PER_MS
            self.say(f"Life: {idle_ms}ms since hit, timeout is {timeout_ms}ms")
