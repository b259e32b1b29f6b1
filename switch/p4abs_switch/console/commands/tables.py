"""Entries and default entries of tables."""

from p4abs_switch.console import actions, matches
from p4abs_switch.console.commands.profiles import ProfileCommands
from p4abs_switch.console.matches import entry_in, match_text, table_kind, take_priority
from p4abs_switch.console.values import GREATEST_COUNT, before_arrow, whole, words
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.matches import has_priority, kind_name, priority_of

_ADD = "<table> <action> <key fields> => <parameters> [priority]"
_NS_PER_MS = 1_000_000
_NAME_WIDTH = 20


class TableCommands(ProfileCommands):
    """`table_add` and its kin."""

    def do_table_add(self, line: str) -> None:
        """Add an entry: table_add <table> <action> <key fields> => <parameters> [priority]"""
        name, action_name, *rest = words(line, "table action =>", more=True)
        table = self.names.table(name)
        key, parameters = before_arrow(rest, _ADD)
        declared = self.names.action_of_table(action_name, table)
        entry = entry_in(table, key, take_priority(table, parameters, len(declared.params)))
        action = actions.action_of(declared, parameters)
        entry.action.action.CopyFrom(action)
        self.say(f"Adding entry to {table_kind(table)} match table {name}")
        self.say(matches.echo(table, entry))
        self.say(actions.echo(self.names, action_name, action))
        self.added(table, entry)

    def do_table_set_default(self, line: str) -> None:
        """Set the default entry: table_set_default <table> <action> <parameters>"""
        name, action_name, *parameters = words(line, "table action", more=True)
        table = self.names.table(name)
        action = self._action(table, action_name, parameters)
        self.say(f"Setting default action of {name}")
        self.say(actions.echo(self.names, action_name, action))
        self.tables.set_default(table, p4r.TableAction(action=action))

    def do_table_reset_default(self, line: str) -> None:
        """Restore the program's default entry: table_reset_default <table>"""
        [name] = words(line, "table")
        self.tables.set_default(self.names.table(name), None)

    def do_table_modify(self, line: str) -> None:
        """Change an entry's action: table_modify <table> <action> <handle> [=>] <parameters>"""
        name, action_name, handle, *parameters = words(line, "table action handle", more=True)
        table = self.names.table(name)
        key = self.key_in(table, handle)
        given = parameters[1:] if parameters[:1] == ["=>"] else parameters
        action = p4r.TableAction(action=self._action(table, action_name, given))
        self.say(f"Modifying entry {int(handle, 0)} for {table_kind(table)} match table {name}")
        self.tables.modify(table, key, action)

    def do_table_delete(self, line: str) -> None:
        """Delete an entry: table_delete <table> <handle>"""
        name, handle = words(line, "table handle")
        table = self.names.table(name)
        key = self.key_in(table, handle)
        self.say(f"Deleting entry {int(handle, 0)} from {name}")
        self.tables.delete(table, key)

    def do_table_set_timeout(self, line: str) -> None:
        """Set an entry's idle timeout: table_set_timeout <table> <handle> <timeout in ms>"""
        name, handle, timeout = words(line, "table handle timeout")
        table = self.names.table(name)
        key = self.key_in(table, handle)
        timeout_ms = whole(timeout, "the timeout in ms", GREATEST_COUNT // _NS_PER_MS)
        self.say(f"Setting a {timeout_ms} ms timeout for entry {int(handle, 0)}")
        self.tables.set_timeout(table, key, timeout_ms * _NS_PER_MS)

    def do_table_clear(self, line: str) -> None:
        """Delete all entries but the default one: table_clear <table>"""
        [name] = words(line, "table")
        self.tables.clear(self.names.table(name))

    def do_table_num_entries(self, line: str) -> None:
        """Count a table's entries: table_num_entries <table>"""
        [name] = words(line, "table")
        self.say(str(len(self.tables.entries(self.names.table(name)))))

    def do_table_dump(self, line: str) -> None:
        """Show a table's entries, and its profile's members: table_dump <table>"""
        [name] = words(line, "table")
        table = self.names.table(name)
        self.say("==========\nTABLE ENTRIES")
        for handle, entry in self.tables.entries(table).items():
            self.say("**********")
            self._dump(table, handle, entry)
        if table.implementation_id:
            self.dump_profile(self.names.profile_of(table))
        self.say("==========\nDumping default entry")
        self.say(actions.table_action_text(self.names, self.tables.default(table)))
        self.say("==========")

    def do_table_dump_entry(self, line: str) -> None:
        """Show an entry: table_dump_entry <table> <handle>"""
        name, handle = words(line, "table handle")
        table = self.names.table(name)
        entry = self.tables.entry(table, self.key_in(table, handle))
        self._dump(table, int(handle, 0), entry)

    def do_table_dump_entry_from_key(self, line: str) -> None:
        """Show the entry of a key: table_dump_entry_from_key <table> <key fields> [priority]"""
        name, *key = words(line, "table", more=True)
        table = self.names.table(name)
        priority = key.pop() if key and has_priority(table) else ""
        entry = self.tables.entry(table, entry_in(table, key, priority))
        self._dump(table, self.tables.handle(table, entry), entry)

    def added(self, table: p4i.Table, entry: p4r.TableEntry) -> None:
        """Inserts an entry and tells its handle."""
        self.say(f"Entry has been added with handle {self.tables.add(table, entry)}")

    def _action(self, table: p4i.Table, name: str, parameters: list[str]) -> p4r.Action:
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
