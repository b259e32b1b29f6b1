"""Parser value sets of one field."""

from finsy.proto import p4i, p4r

from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.error import CommandError
from p4abs_switch.console.names import find
from p4abs_switch.console.values import encode, hexadecimal, words


class ValueSetCommands(Group):
    """`pvs_add` and its kin."""

    def do_pvs_add(self, line: str) -> None:
        """Add a value: pvs_add <value set> <value>"""
        name, text = words(line, "set value")
        value_set = self._value_set(name)
        value, values = self._encode(value_set, text), self._values(value_set)
        if value not in values:
            self._write(value_set, [*values, value])

    def do_pvs_remove(self, line: str) -> None:
        """Remove a value: pvs_remove <value set> <value>"""
        name, text = words(line, "set value")
        value_set = self._value_set(name)
        value = self._encode(value_set, text)
        self._write(value_set, [each for each in self._values(value_set) if each != value])

    def do_pvs_get(self, line: str) -> None:
        """Show all values: pvs_get <value set>"""
        [name] = words(line, "set")
        value_set = self._value_set(name)
        for value in self._values(value_set):
            self.say(hexadecimal(value, value_set.match[0].bitwidth))

    def do_pvs_clear(self, line: str) -> None:
        """Remove all values: pvs_clear <value set>"""
        [name] = words(line, "set")
        self._write(self._value_set(name), [])

    def _value_set(self, name: str) -> p4i.ValueSet:
        value_set = find("parser value set", name, self.names.p4info.value_sets)
        if [field.match_type for field in value_set.match] != [p4i.MatchField.EXACT]:
            raise CommandError(
                f"parser value set {value_set.preamble.name}: valid are sets of one exact field"
            )
        return value_set

    @staticmethod
    def _encode(value_set: p4i.ValueSet, text: str) -> bytes:
        what = f"value of parser value set {value_set.preamble.name}"
        return encode(text, value_set.match[0].bitwidth, what)

    def _values(self, value_set: p4i.ValueSet) -> list[bytes]:
        found = self.session.read(
            value_set_entry=p4r.ValueSetEntry(value_set_id=value_set.preamble.id)
        )
        return [
            member.match[0].exact.value for each in found for member in each.value_set_entry.members
        ]

    def _write(self, value_set: p4i.ValueSet, values: list[bytes]) -> None:
        entry = p4r.ValueSetEntry(value_set_id=value_set.preamble.id)
        for value in values:
            match = entry.members.add().match.add(field_id=value_set.match[0].id)
            match.exact.value = value
        self.session.modify(value_set_entry=entry)
