"""The statements that configure the switch or look into it."""

import operator
from collections.abc import Callable, Mapping

from p4abs_switch.console.commands.groups import groups_of
from p4abs_switch.errors import InputError, wrong_number
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.actions import build
from p4abs_switch.runtime.handles import key_only
from p4abs_switch.runtime.matches import has_priority, match_of
from p4abs_switch.runtime.objects import Objects
from p4abs_switch.runtime.switch import Switch
from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.names import Names, field_of
from p4abs_switch.stf.parts import Assignments
from p4abs_switch.stf.statements import (
    Add,
    AddGroup,
    AddMember,
    CheckCounter,
    CheckRegister,
    Command,
    RemoveAll,
    SetDefault,
    Statement,
)
from p4abs_switch.stf.values import match, number

_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Control:
    """Carries out statements on a switch. All raise InputError and what the switch does.

    entries: table and key of entries that were added, by line.
    """

    def __init__(self, switch: Switch, names: Names) -> None:
        switch.names = names  # commands know its aliases, too
        self._switch = switch
        self._names = names
        self.objects = Objects(switch)
        self._groups = groups_of(self.objects, _unheard)
        self.entries: dict[int, tuple[p4i.Table, p4r.TableEntry]] = {}
        self._named_entries: dict[str, p4r.TableEntry] = {}

    def change(self, statement: Statement) -> None:
        """Carries out a statement that changes something, or lets time pass."""
        for kind, carry_out in _CHANGES.items():
            if isinstance(statement, kind):
                carry_out(self, statement)

    def add(self, statement: Add) -> None:
        """Adds a table entry."""
        table = self._names.table(statement.table)
        entry = _entry(table, statement)
        entry.action.CopyFrom(self._action(table, statement))
        self._switch.insert(table_entry=entry)
        self.entries[statement.line] = table, key_only(entry)
        if statement.name is not None:
            self._named_entries[statement.name] = key_only(entry)

    def add_member(self, statement: AddMember) -> None:
        """Adds a member to an action profile."""
        profile = self._names.profile(statement.profile)
        action = self._names.action_of_profile(statement.action, profile)
        member = p4r.ActionProfileMember(
            action_profile_id=profile.preamble.id,
            member_id=statement.number,
            action=_call(action, statement.arguments),
        )
        self._switch.insert(action_profile_member=member)

    def add_group(self, statement: AddGroup) -> None:
        """Adds a group of members, each of weight 1, to an action profile."""
        profile = self._names.profile(statement.profile)
        members = [
            p4r.ActionProfileGroup.Member(member_id=member, weight=1)
            for member in statement.members
        ]
        group = p4r.ActionProfileGroup(
            action_profile_id=profile.preamble.id, group_id=statement.number, members=members
        )
        self._switch.insert(action_profile_group=group)

    def set_default(self, statement: SetDefault) -> None:
        """Sets a table's default action."""
        table = self._names.table(statement.table)
        action = _call(self._names.action_of_table(statement.action, table), statement.arguments)
        self.objects.tables.set_default(table, p4r.TableAction(action=action))

    def remove_all(self, _: RemoveAll) -> None:
        """Removes all entries of all tables but those that the program fills."""
        for table in self._names.p4info.tables:
            if table.match_fields and not table.is_const_table:
                self.objects.tables.clear(table)

    def mismatch(self, statement: CheckCounter | CheckRegister) -> list[str]:
        """What a counter or register has, where that is not what it should."""
        if isinstance(statement, CheckCounter):
            value = self._counted(statement)
            what = f"counter {statement.counter}({statement.cell}) has {value} {statement.unit}"
        else:
            register = self._names.register(statement.register)
            [value] = self.objects.registers.read(register, statement.index)
            what = f"register {statement.register}({statement.index}) has {value}"
        if _COMPARE[statement.comparison](value, statement.value):
            return []
        wanted = f"{statement.comparison} {statement.value}"
        return [f"line {statement.line}: {what}, expected {wanted}"]

    def _counted(self, statement: CheckCounter) -> int:
        if statement.cell in self._named_entries:
            data = self.objects.counters.read_direct(self._named_entries[statement.cell])
        else:
            counter = self._indexed(statement.counter)
            data = self.objects.counters.read(counter, number(statement.cell))
        return data.packet_count if statement.unit == "packets" else data.byte_count

    def _indexed(self, name: str) -> p4i.Counter:
        try:
            return self._names.counter(name)
        except InputError:
            table = self._names.table_of_counter(name)
            if table is None:
                raise
            raise StfError(
                f"{name} is the direct counter of table {table.preamble.name}, and has no index; "
                f"write = NAME behind an entry's add, then check_counter {name}(NAME)"
            ) from None

    def _action(self, table: p4i.Table, statement: Add) -> p4r.TableAction:
        if not table.implementation_id:
            action = self._names.action_of_table(statement.action, table)
            return p4r.TableAction(action=_call(action, statement.arguments))
        values = dict(statement.arguments)
        if statement.action not in ("member", "group") or values.keys() != {"id"}:
            name = table.preamble.name
            raise StfError(f"table {name} needs member(id:NUMBER) or group(id:NUMBER)")
        identity = number(values["id"])
        if statement.action == "member":
            return p4r.TableAction(action_profile_member_id=identity)
        return p4r.TableAction(action_profile_group_id=identity)

    def command(self, statement: Command) -> None:
        """Carries out a command of BMv2's command line and discards its output."""
        found = (group.command(statement.name) for group in self._groups)
        next(filter(None, found))(" ".join(statement.arguments))


_CHANGES: Mapping[type[Statement], Callable[..., None]] = {
    Add: Control.add,
    AddMember: Control.add_member,
    AddGroup: Control.add_group,
    SetDefault: Control.set_default,
    RemoveAll: Control.remove_all,
    Command: Control.command,
}


def _unheard(_text: str) -> None:
    """Discards a command's output."""


def _entry(table: p4i.Table, statement: Add) -> p4r.TableEntry:
    """Without an action. A test's priorities start at 0, P4Runtime's at 1; the lowest is none's."""
    values = {field_of(table, name).name: value for name, value in statement.key}
    missing = [
        field.name
        for field in table.match_fields
        if field.match_type == p4i.MatchField.EXACT and field.name not in values
    ]
    if missing:
        raise StfError(f"table {table.preamble.name} needs a value for {', '.join(missing)}")
    entry = p4r.TableEntry(table_id=table.preamble.id)
    if has_priority(table):
        entry.priority = (statement.priority or 0) + 1
    for field in table.match_fields:
        if field.name in values:
            matched = match_of(field, match(field, values[field.name]))
            entry.match.extend([] if matched is None else [matched])
    return entry


def _call(action: p4i.Action, written: Assignments) -> p4r.Action:
    values = dict(written)
    parameters = [each.name for each in action.params]
    unknown = next((name for name in values if name not in parameters), None)
    if unknown is not None:
        valid = ", ".join(parameters) or "none"
        raise StfError(f"action {action.preamble.name} has no parameter {unknown}; valid: {valid}")
    if values.keys() != set(parameters):
        wrong = wrong_number(len(written), "parameter", ", ".join(parameters))
        raise StfError(f"action {action.preamble.name}: {wrong}, each as NAME:VALUE")
    return build(action, [number(values[name]) for name in parameters])
