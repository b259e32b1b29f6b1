"""Parser value sets. A value is one number: all fields side by side."""

from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import hexadecimal, number_in, words
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.tables import Tables
from p4abs_switch.runtime.value_sets import ValueSets, width_of


class ValueSetCommands(Group):
    """`pvs_add` and its kin."""

    def __init__(self, session: Session, tables: Tables) -> None:
        super().__init__(session, tables)
        self._value_sets = ValueSets(session)

    def do_pvs_add(self, line: str) -> None:
        """Add a value: pvs_add <value set> <value>"""
        self._value_sets.add(*self._with_value(line))

    def do_pvs_remove(self, line: str) -> None:
        """Remove a value: pvs_remove <value set> <value>"""
        self._value_sets.remove(*self._with_value(line))

    def do_pvs_get(self, line: str) -> None:
        """Show all values: pvs_get <value set>"""
        [name] = words(line, "set")
        value_set = self.names.value_set(name)
        for value in self._value_sets.values(value_set):
            self.say(hexadecimal(value, width_of(value_set)))

    def do_pvs_clear(self, line: str) -> None:
        """Remove all values: pvs_clear <value set>"""
        [name] = words(line, "set")
        self._value_sets.clear(self.names.value_set(name))

    def _with_value(self, line: str) -> tuple[p4i.ValueSet, int]:
        name, text = words(line, "set value")
        value_set = self.names.value_set(name)
        what = f"value of parser value set {value_set.preamble.name}"
        return value_set, number_in(text, width_of(value_set), what)
