"""The program's objects by name: the full one, or an ending of it that only one object has."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i


class _Object(Protocol):
    @property
    def preamble(self) -> p4i.Preamble: ...


class _Direct(_Object, Protocol):
    @property
    def direct_table_id(self) -> int: ...


AnyObject = TypeVar("AnyObject", bound=_Object)


@dataclass(frozen=True)
class Names:
    """The objects of a P4Info. Look-ups raise InputError, which lists what there is."""

    p4info: p4i.P4Info

    def find(self, kind: str, name: str, objects: Iterable[AnyObject]) -> AnyObject:
        """One of some objects."""
        return find(kind, name, objects)

    def table(self, name: str) -> p4i.Table:
        return self.find("table", name, self.p4info.tables)

    def action_of_table(self, name: str, table: p4i.Table) -> p4i.Action:
        """An action that a table refers to."""
        kind = f"action of table {table.preamble.name}"
        return self.find(kind, name, self.actions_of_table(table))

    def action_of_profile(self, name: str, profile: p4i.ActionProfile) -> p4i.Action:
        """One that the tables of a profile refer to."""
        kind = f"action of action profile {profile.preamble.name}"
        return self.find(kind, name, self.actions_of_profile(profile))

    def actions_of_profile(self, profile: p4i.ActionProfile) -> list[p4i.Action]:
        tables = [self.table_of_id(number) for number in profile.table_ids]
        actions = [action for table in tables for action in self.actions_of_table(table)]
        return [*{action.preamble.id: action for action in actions}.values()]

    def actions_of_table(self, table: p4i.Table) -> Sequence[p4i.Action]:
        """Those that a table refers to."""
        return self._offered[table.preamble.id]

    def all(self) -> list[str]:
        """Every object's name."""
        kinds = (
            self.p4info.tables,
            self.p4info.actions,
            self.p4info.registers,
            self.p4info.counters,
            self.p4info.direct_counters,
            self.p4info.meters,
            self.p4info.direct_meters,
            self.p4info.action_profiles,
            self.p4info.value_sets,
        )
        return [item.preamble.name for kind in kinds for item in kind]

    def action_of_id(self, number: int) -> p4i.Action:
        return _of_id("action", number, self._actions)

    def table_of_id(self, number: int) -> p4i.Table:
        return _of_id("table", number, self._tables)

    def register(self, name: str) -> p4i.Register:
        return self.find("register", name, self.p4info.registers)

    def value_set(self, name: str) -> p4i.ValueSet:
        return self.find("parser value set", name, self.p4info.value_sets)

    def counter(self, name: str) -> p4i.Counter:
        return self._array("counter", name, self.p4info.counters, self.p4info.direct_counters)

    def meter(self, name: str) -> p4i.Meter:
        return self._array("meter", name, self.p4info.meters, self.p4info.direct_meters)

    def table_of_counter(self, name: str) -> p4i.Table | None:
        """The table that has a direct counter of this name, if there is one."""
        return self._table_of(name, self.p4info.direct_counters)

    def table_of_meter(self, name: str) -> p4i.Table | None:
        """Likewise of a direct meter."""
        return self._table_of(name, self.p4info.direct_meters)

    def has_counter(self, table: p4i.Table) -> bool:
        """Whether a table counts by its entries."""
        return _is_direct(table, self.p4info.direct_counters)

    def has_meter(self, table: p4i.Table) -> bool:
        """Likewise of a direct meter."""
        return _is_direct(table, self.p4info.direct_meters)

    def profile(self, name: str) -> p4i.ActionProfile:
        return self.find("action profile", name, self.p4info.action_profiles)

    def profile_of(self, table: p4i.Table) -> p4i.ActionProfile:
        """The action profile of a table."""
        for profile in self.p4info.action_profiles:
            if profile.preamble.id == table.implementation_id:
                return profile
        raise InputError(f"table {table.preamble.name} has no action profile")

    @cached_property
    def _actions(self) -> Mapping[int, p4i.Action]:
        return {action.preamble.id: action for action in self.p4info.actions}

    @cached_property
    def _tables(self) -> Mapping[int, p4i.Table]:
        return {table.preamble.id: table for table in self.p4info.tables}

    @cached_property
    def _offered(self) -> Mapping[int, Sequence[p4i.Action]]:
        """The actions of each table, by the table's id."""
        return {number: self._referred(table) for number, table in self._tables.items()}

    def _referred(self, table: p4i.Table) -> Sequence[p4i.Action]:
        ids = dict.fromkeys(reference.id for reference in table.action_refs)
        return [self._actions[number] for number in ids if number in self._actions]

    def _array(
        self, kind: str, name: str, objects: Iterable[AnyObject], direct: Sequence[_Object]
    ) -> AnyObject:
        try:
            return self.find(kind, name, objects)
        except InputError as error:
            raise InputError(f"{error}; direct: {listed(direct)}") from None

    def _table_of(self, name: str, direct: Iterable[_Direct]) -> p4i.Table | None:
        try:
            found = find("direct", name, direct)
        except InputError:
            return None
        return self.table_of_id(found.direct_table_id)


def find(
    kind: str, name: str, objects: Iterable[AnyObject], separators: Sequence[str] = (".",)
) -> AnyObject:
    """The object of a name, full or behind the first of the separators that there is one with.

    Raises InputError.
    """
    known = list(objects)
    found = [item for item in known if item.preamble.name == name]
    for separator in separators:
        ending = f"{separator}{name}"
        found = found or [item for item in known if item.preamble.name.endswith(ending)]
    if len(found) == 1:
        return found[0]
    fault = f"more than one {kind} ends in" if found else f"no {kind} is named"
    raise InputError(f"{fault} {name!r}; valid: {listed(found or known)}")


def listed(objects: Sequence[_Object]) -> str:
    """The names of objects, for a message."""
    return ", ".join(item.preamble.name for item in objects) or "none"


def _of_id(kind: str, number: int, objects: Mapping[int, AnyObject]) -> AnyObject:
    if number not in objects:
        raise InputError(f"the switch's P4Info has no {kind} with the id {number}")
    return objects[number]


def _is_direct(table: p4i.Table, direct: Iterable[_Direct]) -> bool:
    return any(each.direct_table_id == table.preamble.id for each in direct)
