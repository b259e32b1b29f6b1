"""The program's objects by name: the full one, or an ending of it that only one object has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from finsy.proto import p4i

from p4abs_switch.console.error import CommandError


class _Object(Protocol):
    @property
    def preamble(self) -> p4i.Preamble: ...


_AnyObject = TypeVar("_AnyObject", bound=_Object)


@dataclass(frozen=True)
class Names:
    """The objects of a P4Info. Look-ups raise CommandError, which lists what there is."""

    p4info: p4i.P4Info

    def table(self, name: str) -> p4i.Table:
        return find("table", name, self.p4info.tables)

    def action(self, name: str, references: Iterable[p4i.ActionRef], of: str) -> p4i.Action:
        """One of the actions that an object `of` refers to."""
        return find(f"action of {of}", name, self.actions(references))

    def actions(self, references: Iterable[p4i.ActionRef]) -> list[p4i.Action]:
        ids = {reference.id for reference in references}
        return [action for action in self.p4info.actions if action.preamble.id in ids]

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
        return _of_id("action", number, self.p4info.actions)

    def table_of_id(self, number: int) -> p4i.Table:
        return _of_id("table", number, self.p4info.tables)

    def profile(self, name: str) -> p4i.ActionProfile:
        return find("action profile", name, self.p4info.action_profiles)

    def profile_of(self, table: p4i.Table) -> p4i.ActionProfile:
        """The action profile of a table."""
        for profile in self.p4info.action_profiles:
            if profile.preamble.id == table.implementation_id:
                return profile
        raise CommandError(f"table {table.preamble.name} has no action profile")


def find(kind: str, name: str, objects: Iterable[_AnyObject]) -> _AnyObject:
    """The object of a name. Raises CommandError."""
    known = list(objects)
    exact = [item for item in known if item.preamble.name == name]
    found = exact or [item for item in known if item.preamble.name.endswith(f".{name}")]
    if len(found) == 1:
        return found[0]
    fault = f"more than one {kind} ends in" if found else f"no {kind} is named"
    raise CommandError(f"{fault} {name!r}; valid: {listed(found or known)}")


def _of_id(kind: str, number: int, objects: Iterable[_AnyObject]) -> _AnyObject:
    for item in objects:
        if item.preamble.id == number:
            return item
    raise CommandError(f"the switch's P4Info has no {kind} with the id {number}")


def listed(objects: Sequence[_Object]) -> str:
    """The names of objects, for a message."""
    return ", ".join(item.preamble.name for item in objects) or "none"
