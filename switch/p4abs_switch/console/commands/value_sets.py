"""Parser value sets. A value is one number: all fields side by side."""

from p4abs_switch.console.commands.arguments import ValueSet
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.values import hexadecimal, number_in
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.value_sets import width_of


class ValueSetCommands(Group):
    """`pvs_add` and its kin."""

    def do_pvs_add(self, set_: ValueSet, value: str) -> None:
        """Add a value: pvs_add <value set> <value>"""
        self.objects.value_sets.add(set_, _value(set_, value))

    def do_pvs_remove(self, set_: ValueSet, value: str) -> None:
        """Remove a value: pvs_remove <value set> <value>"""
        self.objects.value_sets.remove(set_, _value(set_, value))

    def do_pvs_get(self, set_: ValueSet) -> None:
        """Show all values: pvs_get <value set>"""
        for value in self.objects.value_sets.values(set_):
            self.say(hexadecimal(value, width_of(set_)))

    def do_pvs_clear(self, set_: ValueSet) -> None:
        """Remove all values: pvs_clear <value set>"""
        self.objects.value_sets.clear(set_)


def _value(value_set: p4i.ValueSet, text: str) -> int:
    what = f"value of parser value set {value_set.preamble.name}"
    return number_in(text, width_of(value_set), what)
