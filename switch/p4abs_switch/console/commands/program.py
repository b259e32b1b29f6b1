"""What the program has."""

from collections.abc import Callable
from pathlib import Path

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.console import actions
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.values import words
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.matches import key_text
from p4abs_switch.runtime.value_sets import width_of

_RULE = "*" * 80


class ProgramCommands(Group):
    """`show_tables` and its kin."""

    def do_show_tables(self, line: str) -> None:
        """Tables of the program: show_tables"""
        words(line, "")
        self._show(self._table_line)

    def do_show_actions(self, line: str) -> None:
        """Actions of the program: show_actions"""
        words(line, "")
        for action in sorted(self.names.p4info.actions, key=lambda each: each.preamble.name):
            self.say(actions.line(action))

    def do_table_show_actions(self, line: str) -> None:
        """Actions of a table: table_show_actions <table>"""
        [name] = words(line, "table")
        self._show_actions(self.names.table(name))

    def do_table_info(self, line: str) -> None:
        """A table's key and actions: table_info <table>"""
        [name] = words(line, "table")
        table = self.names.table(name)
        self.say(self._table_line(table))
        self.say(_RULE)
        self._show_actions(table)

    def do_show_pvs(self, line: str) -> None:
        """Parser value sets of the program: show_pvs"""
        words(line, "")
        for value_set in self.names.p4info.value_sets:
            width = width_of(value_set)
            self.say(f"{value_set.preamble.name:30} [compressed bitwidth:{width}]")

    def do_write_config_to_file(self, line: str) -> None:
        """Write the program's JSON to a file: write_config_to_file <file>"""
        [name] = words(line, "file")
        path = Path(name)
        try:
            path.write_bytes(self.session.device_config())
        except (OSError, ValueError) as error:
            raise InputError(f"{name}: {getattr(error, 'strerror', error)}") from None

    def _show(self, line_of: Callable[[p4i.Table], str]) -> None:
        for table in sorted(self.names.p4info.tables, key=lambda each: each.preamble.name):
            self.say(line_of(table))

    def _show_actions(self, table: p4i.Table) -> None:
        for action in sorted(
            self.names.actions_of_table(table), key=lambda each: each.preamble.name
        ):
            self.say(actions.line(action))

    def _table_line(self, table: p4i.Table) -> str:
        profile = "None"
        if table.implementation_id:
            profile = self.names.profile_of(table).preamble.name
        return f"{table.preamble.name:30} [implementation={profile}, mk={key_text(table)}]"
