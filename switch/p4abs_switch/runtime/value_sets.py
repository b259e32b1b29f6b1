"""Parser value sets. BMv2's members are one number: all fields side by side."""

from p4abs_switch.bytestring import encode
from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.matches import numbers_in
from p4abs_switch.runtime.switch import Switch


class ValueSets:
    """A switch's value sets."""

    def __init__(self, switch: Switch) -> None:
        self._switch = switch

    def values(self, value_set: p4i.ValueSet) -> list[int]:
        """What is not exact, which only P4Runtime can write, counts with its value."""
        return [_number(value_set, member) for member in self._members(value_set)]

    def add(self, value_set: p4i.ValueSet, value: int) -> None:
        """One that is there stays. Raises InputError."""
        members, member = self._members(value_set), _member(value_set, value)
        if member not in members:
            self._write(value_set, [*members, member])

    def remove(self, value_set: p4i.ValueSet, value: int) -> None:
        """Raises InputError where there is none."""
        members, member = self._members(value_set), _member(value_set, value)
        if member not in members:
            raise InputError(f"value set {value_set.preamble.name} has no value {value:#x}")
        self._write(value_set, [each for each in members if each != member])

    def clear(self, value_set: p4i.ValueSet) -> None:
        self._write(value_set, [])

    def _members(self, value_set: p4i.ValueSet) -> list[p4r.ValueSetMember]:
        wanted = p4r.ValueSetEntry(value_set_id=value_set.preamble.id)
        found = self._switch.read(value_set_entry=wanted)
        return [member for each in found for member in each.value_set_entry.members]

    def _write(self, value_set: p4i.ValueSet, members: list[p4r.ValueSetMember]) -> None:
        entry = p4r.ValueSetEntry(value_set_id=value_set.preamble.id, members=members)
        self._switch.modify(value_set_entry=entry)


def width_of(value_set: p4i.ValueSet) -> int:
    """Bits of all fields."""
    return sum(field.bitwidth for field in value_set.match)


def _member(value_set: p4i.ValueSet, value: int) -> p4r.ValueSetMember:
    name, left = value_set.preamble.name, value
    if value >> width_of(value_set):
        raise InputError(f"value set {name}: {value:#x} does not fit in {width_of(value_set)} bits")
    match = list[p4r.FieldMatch]()
    for field in reversed(value_set.match):
        exact = p4r.FieldMatch.Exact(value=encode(left & ((1 << field.bitwidth) - 1)))
        match.insert(0, p4r.FieldMatch(field_id=field.id, exact=exact))
        left >>= field.bitwidth
    return p4r.ValueSetMember(match=match)


def _number(value_set: p4i.ValueSet, member: p4r.ValueSetMember) -> int:
    found = {match.field_id: match for match in member.match}
    number = 0
    for field in value_set.match:
        value, *_ = numbers_in(field, found.get(field.id)) or (0,)
        number = number << field.bitwidth | value
    return number
