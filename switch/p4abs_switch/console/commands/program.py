"""What the program has."""

from collections.abc import Iterable

from p4abs_switch.console import actions
from p4abs_switch.console.commands.arguments import Table
from p4abs_switch.console.commands.group import Group
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.matches import key_text
from p4abs_switch.runtime.names import AnyObject
from p4abs_switch.runtime.value_sets import width_of

_RULE = "*" * 80


class ProgramCommands(Group):
    """`show_tables` and its kin."""

    def do_show_tables(self) -> None:
        """Tables of the program: show_tables"""
        for table in _sorted(self.names.p4info.tables):
            self.say(self._table_line(table))

    def do_show_actions(self) -> None:
        """Actions of the program: show_actions"""
        self._show_actions(self.names.p4info.actions)

    def do_table_show_actions(self, table: Table) -> None:
        """Actions of a table: table_show_actions <table>"""
        self._show_actions(self.names.actions_of_table(table))

    def do_table_info(self, table: Table) -> None:
        """A table's key and actions: table_info <table>"""
        self.say(self._table_line(table))
        self.say(_RULE)
        self._show_actions(self.names.actions_of_table(table))

    def do_show_pvs(self) -> None:
        """Parser value sets of the program: show_pvs"""
        for value_set in self.names.p4info.value_sets:
            width = width_of(value_set)
            self.say(f"{value_set.preamble.name:30} [compressed bitwidth:{width}]")

    def _show_actions(self, some: Iterable[p4i.Action]) -> None:
        for action in _sorted(some):
            self.say(actions.line(action))

    def _table_line(self, table: p4i.Table) -> str:
        profile = "None"
        if table.implementation_id:
            profile = self.names.profile_of(table).preamble.name
        return f"{table.preamble.name:30} [implementation={profile}, mk={key_text(table)}]"


def _sorted(objects: Iterable[AnyObject]) -> list[AnyObject]:
    return sorted(objects, key=lambda each: each.preamble.name)
