"""The statements that configure the switch or look into it."""

import operator
from collections.abc import Callable, Mapping

from p4abs_switch._engine import Switch
from p4abs_switch.bmv2.names import Action, Names, Table
from p4abs_switch.bmv2.replication import Mirror, Replication
from p4abs_switch.bytestring import encode
from p4abs_switch.engine_types import Action as EntryAction
from p4abs_switch.engine_types import Match
from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.statements import (
    Add,
    AddGroup,
    AddMember,
    Assignments,
    CheckCounter,
    CheckRegister,
    Command,
    SetDefault,
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
    """Carries out statements on a switch. All raise InputError and EngineError.

    entries: table, key and priority of entries that were added, by line.
    """

    def __init__(self, switch: Switch, names: Names) -> None:
        self._switch = switch
        self._names = names
        self._replication = Replication(switch)
        self.entries: dict[int, tuple[Table, list[Match], int]] = {}
        self._named_entries: dict[str, tuple[str, list[Match], int]] = {}

    def add(self, statement: Add) -> None:
        """Adds a table entry."""
        table = self._names.table(statement.table)
        key = _key(table, statement.key)
        priority = _priority(table, statement.priority)
        self._switch.table_insert(table.name, key, _entry_action(table, statement), priority)
        self.entries[statement.line] = (table, key, priority)
        if statement.name is not None:
            self._named_entries[statement.name] = (table.name, key, priority)

    def add_member(self, statement: AddMember) -> None:
        """Adds a member to an action profile."""
        profile = self._names.profile(statement.profile)
        action = profile.action(statement.action)
        arguments = _arguments(action, statement.arguments)
        self._switch.profile_member_insert(profile.name, statement.number, action.name, arguments)

    def add_group(self, statement: AddGroup) -> None:
        """Adds a group of members, each of weight 1, to an action profile."""
        profile = self._names.profile(statement.profile)
        members = [(member, 1, None) for member in statement.members]
        self._switch.profile_group_insert(profile.name, statement.number, 0, members)

    def set_default(self, statement: SetDefault) -> None:
        """Sets a table's default action."""
        table = self._names.table(statement.table)
        action = table.action(statement.action)
        arguments = _arguments(action, statement.arguments)
        self._switch.table_set_default(table.name, ("action", action.name, arguments))

    def remove_all(self) -> None:
        """Removes all entries of all tables but those that the program fills."""
        for table in self._names.tables:
            if not table.key or table.has_own_entries:
                continue
            for entry in self._switch.table_entries(table.name):
                self._switch.table_delete(table.name, entry.key, entry.priority)

    def mismatch(self, statement: CheckCounter | CheckRegister) -> list[str]:
        """What a counter or register has, where that is not what it should."""
        if isinstance(statement, CheckCounter):
            value = self._counted(statement)
            what = f"counter {statement.counter}({statement.cell}) has {value} {statement.unit}"
        else:
            name = self._names.register(statement.register).name
            value = self._switch.registers_read([(name, statement.index)])[0]
            what = f"register {statement.register}({statement.index}) has {value}"
        if _COMPARE[statement.comparison](value, statement.value):
            return []
        wanted = f"{statement.comparison} {statement.value}"
        return [f"line {statement.line}: {what}, expected {wanted}"]

    def _counted(self, statement: CheckCounter) -> int:
        if statement.cell in self._named_entries:
            entry = self._switch.table_entry(*self._named_entries[statement.cell])
            counted = (entry.packets, entry.bytes)
        else:
            counter = self._names.counter(statement.counter).name
            counted = self._switch.counter_read(counter, number(statement.cell))
        return counted[0 if statement.unit == "packets" else 1]

    def command(self, statement: Command) -> None:
        """Carries out a command of BMv2's command line."""
        _COMMANDS[statement.name](self, *statement.arguments)

    def _mirroring_add(self, session: str, port: str) -> None:
        self._replication.mirror(number(session), Mirror(port=number(port)))

    def _mirroring_add_mc(self, session: str, group: str) -> None:
        self._replication.check_group(number(group))
        self._replication.mirror(number(session), Mirror(group=number(group)))

    def _mirroring_delete(self, session: str) -> None:
        self._replication.delete_session(number(session))

    def _group_create(self, group: str) -> None:
        self._replication.create_group(number(group))

    def _node_create(self, instance: str, *ports: str) -> None:
        self._replication.create_node(number(instance), [number(port) for port in ports])

    def _node_update(self, node: str, *ports: str) -> None:
        self._replication.update_node(number(node), [number(port) for port in ports])

    def _node_associate(self, group: str, node: str) -> None:
        self._replication.associate(number(group), number(node))

    def _counter_read(self, counter: str, index: str) -> None:
        self._switch.counter_read(self._names.counter(counter).name, number(index))

    def _counter_write(self, counter: str, index: str, packets: str, size: str) -> None:
        name = self._names.counter(counter).name
        self._switch.counter_write(name, number(index), number(packets), number(size))

    def _counter_reset(self, counter: str) -> None:
        array = self._names.counter(counter)
        for index in range(array.size):
            self._switch.counter_write(array.name, index, 0, 0)

    def _register_read(self, register: str, index: str) -> None:
        self._switch.registers_read([(self._names.register(register).name, number(index))])

    def _register_write(self, register: str, index: str, value: str) -> None:
        name = self._names.register(register).name
        self._switch.registers_write([(name, number(index), number(value))])

    def _register_reset(self, register: str) -> None:
        array = self._names.register(register)
        self._switch.registers_write([(array.name, index, 0) for index in range(array.size)])

    def _no_effect(self, *_: str) -> None:
        """A command whose only effect on BMv2 is what it prints."""


_COMMANDS: Mapping[str, Callable[..., None]] = {
    "mirroring_add": Control._mirroring_add,
    "mirroring_add_mc": Control._mirroring_add_mc,
    "mirroring_delete": Control._mirroring_delete,
    "mirroring_get": Control._no_effect,
    "mc_mgrp_create": Control._group_create,
    "mc_node_create": Control._node_create,
    "mc_node_update": Control._node_update,
    "mc_node_associate": Control._node_associate,
    "counter_read": Control._counter_read,
    "counter_write": Control._counter_write,
    "counter_reset": Control._counter_reset,
    "register_read": Control._register_read,
    "register_write": Control._register_write,
    "register_reset": Control._register_reset,
    "meter_get_rates": Control._no_effect,
}


def _key(table: Table, written: Assignments) -> list[Match]:
    values = {table.field(name).name: value for name, value in written}
    missing = [f.name for f in table.key if f.kind == "exact" and f.name not in values]
    if missing:
        raise StfError(f"table {table.name} needs a value for {', '.join(missing)}")
    return [
        match(field.kind, values[field.name], field.width_bits)
        if field.name in values
        else ("any",)
        for field in table.key
    ]


def _entry_action(table: Table, statement: Add) -> EntryAction:
    if table.profile is None:
        action = table.action(statement.action)
        return ("action", action.name, _arguments(action, statement.arguments))
    values = dict(statement.arguments)
    if statement.action not in ("member", "group") or values.keys() != {"id"}:
        raise StfError(f"table {table.name} needs member(id:NUMBER) or group(id:NUMBER)")
    identity = number(values["id"])
    return ("member", identity) if statement.action == "member" else ("group", identity)


def _arguments(action: Action, written: Assignments) -> list[bytes]:
    values = dict(written)
    if values.keys() != action.parameters.keys():
        valid = ", ".join(action.parameters)
        raise StfError(f"action {action.name} has the parameters: {valid or 'none'}")
    return [encode(number(values[name])) for name in action.parameters]


def _priority(table: Table, written: int | None) -> int:
    """The engine's priorities start at 1, a test's at 0; without one, the lowest."""
    return (written or 0) + 1 if table.has_priority else 0
