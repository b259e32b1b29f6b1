"""Random cases for a program: table entries, registers, and frames, as a test's statements."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from p4abs_switch.bmv2.names import Action, KeyField, Names, Table
from p4abs_switch.differential.bmv2 import MOST_REGISTER_BITS
from p4abs_switch.differential.packets import PacketGenerator
from p4abs_switch.differential.pools import PORTS, Pools, uses
from p4abs_switch.stf.statements import (
    Add,
    AddGroup,
    AddMember,
    Assignments,
    Command,
    Packet,
    SetDefault,
    Statement,
)

_PACKETS = 40
_MOST_ENTRIES = 6
_MEMBERS, _GROUPS = 4, 2
_REPLICATED = (1, 2, 3)
_CLONE = ("clone_ingress_pkt_to_egress", "clone_egress_pkt_to_egress")
_HIDDEN = "tbl_"


def random_case(seed: str, names: Names, document: Any) -> list[Statement]:
    """A case; the same seed makes the same one."""
    random = Random(seed)
    return _Case(random, names, document).statements()


class _Case:
    def __init__(self, random: Random, names: Names, document: Any) -> None:
        self._random = random
        self._names = names
        self._pools = Pools(random, document)
        self._packets = PacketGenerator(random, document, self._pools)
        self._replicates = uses(document, "mcast_grp", *_CLONE)

    def statements(self) -> list[Statement]:
        replication = self._replication() if self._replicates else ()
        control = [*replication, *self._registers(), *self._profiles(), *self._tables()]
        late = {id(s) for s in control if isinstance(s, Add) and self._random.random() < 0.2}
        result: list[Statement] = [s for s in control if id(s) not in late]
        packets = [self._packet() for _ in range(_PACKETS)]
        for statement in (s for s in control if id(s) in late):
            packets.insert(self._random.randrange(len(packets)), statement)
        return _numbered([*result, *packets])

    def _packet(self) -> Statement:
        return Packet(0, self._random.choice(PORTS), self._packets.frame())

    def _replication(self) -> Iterator[Statement]:
        for number in _REPLICATED:
            port = str(self._random.choice(PORTS))
            yield Command(0, "mirroring_add", (str(number), port))
            ports = map(str, sorted(self._random.sample(PORTS, 2)))
            yield Command(0, "mc_mgrp_create", (str(number),))
            yield Command(0, "mc_node_create", (str(self._random.randrange(4)), *ports))
            yield Command(0, "mc_node_associate", (str(number), str(number - 1)))

    def _registers(self) -> Iterator[Statement]:
        for register in self._names.registers:
            if register.size and register.width_bits <= MOST_REGISTER_BITS:
                for _ in range(self._random.randrange(3)):
                    index = self._random.randrange(min(register.size, 8))
                    value = self._random.getrandbits(register.width_bits)
                    yield Command(0, "register_write", (register.name, str(index), str(value)))

    def _profiles(self) -> Iterator[Statement]:
        for profile in self._names.profiles:
            for number in range(1, _MEMBERS + 1):
                action = self._random.choice(profile.actions)
                yield AddMember(0, profile.name, number, action.name, self._arguments(action))
            for number in range(1, _GROUPS + 1) if profile.selects else ():
                members = self._random.sample(range(1, _MEMBERS + 1), self._random.randint(1, 3))
                yield AddGroup(0, profile.name, number, tuple(members))

    def _tables(self) -> Iterator[Statement]:
        for table in self._names.tables:
            if table.name.startswith(_HIDDEN):
                continue
            if not (table.has_constant_default or table.profile) and self._random.random() < 0.3:
                action = self._random.choice(table.actions)
                yield SetDefault(0, table.name, action.name, self._arguments(action))
            if table.key and not table.has_own_entries:
                for _ in range(self._random.randrange(_MOST_ENTRIES + 1)):
                    yield self._entry(table)

    def _entry(self, table: Table) -> Statement:
        key = tuple((field.name, self._match(field)) for field in table.key)
        priority = self._random.randrange(1, 1000) if table.has_priority else None
        return Add(0, table.name, priority, key, *self._call(table), None)

    def _call(self, table: Table) -> tuple[str, Assignments]:
        if table.profile is None:
            action = self._random.choice(table.actions)
            return action.name, self._arguments(action)
        if self._names.profile(table.profile).selects:
            return "group", (("id", str(self._random.randint(1, _GROUPS))),)
        return "member", (("id", str(self._random.randint(1, _MEMBERS))),)

    def _match(self, field: KeyField) -> str:
        width = field.width_bits
        if field.target == "standard_metadata.ingress_port":
            value = self._random.choice(PORTS)
        else:
            value = self._pools.value(field.target, width)
        ones = (1 << width) - 1
        if field.kind == "exact":
            return hex(value)
        if field.kind == "lpm":
            return f"{value:#x}/{self._random.choice((0, width, self._random.randint(0, width)))}"
        if field.kind == "range":
            other = self._pools.value(field.target, width)
            return f"{min(value, other):#x}->{max(value, other):#x}"
        mask = self._random.choice((0, ones, ones, self._random.getrandbits(width)))
        return f"{value:#x}&&&{mask:#x}"

    def _arguments(self, action: Action) -> Assignments:
        return tuple(
            (name, hex(self._pools.value(f"{action.name}.{name}", width)))
            for name, width in action.parameters.items()
        )


def _numbered(statements: list[Statement]) -> list[Statement]:
    """With line numbers, so that results can be told apart."""
    return [replace(statement, line=line) for line, statement in enumerate(statements, start=1)]
