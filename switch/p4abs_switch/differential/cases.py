"""Random cases for a program: table entries, registers, and frames, as a test's statements."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from p4abs_switch.bmv2.document import tables_of
from p4abs_switch.differential.bmv2 import MAX_REGISTER_BITS
from p4abs_switch.differential.packets import PacketGenerator
from p4abs_switch.differential.pools import PORTS, Pools, uses
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.cells import width_of
from p4abs_switch.runtime.matches import has_priority
from p4abs_switch.stf.names import Names
from p4abs_switch.stf.parts import Assignments
from p4abs_switch.stf.statements import (
    Add,
    AddGroup,
    AddMember,
    Command,
    Packet,
    SetDefault,
    Statement,
)

_PACKETS = 40
_MAX_ENTRIES = 6
_MEMBERS, _GROUPS = 4, 2
_REPLICATED = (1, 2, 3)
_CLONE = ("clone_ingress_pkt_to_egress", "clone_egress_pkt_to_egress")


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
        # What keys match, by table, as packets have it.
        self._targets = {
            table["name"]: [".".join(part["target"]) for part in table["key"]]
            for table in tables_of(document)
        }

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
        for register in self._names.p4info.registers:
            width_bits, _ = width_of(register)
            if register.size and width_bits <= MAX_REGISTER_BITS:
                for _ in range(self._random.randrange(3)):
                    index = self._random.randrange(min(register.size, 8))
                    value, name = self._random.getrandbits(width_bits), register.preamble.name
                    yield Command(0, "register_write", (name, str(index), str(value)))

    def _profiles(self) -> Iterator[Statement]:
        for profile in self._names.p4info.action_profiles:
            name, actions = profile.preamble.name, self._names.actions_of_profile(profile)
            if not actions:  # no table has the profile
                continue
            for number in range(1, _MEMBERS + 1):
                action = self._random.choice(actions)
                yield AddMember(0, name, number, action.preamble.name, self._arguments(action))
            for number in range(1, _GROUPS + 1) if profile.with_selector else ():
                members = self._random.sample(range(1, _MEMBERS + 1), self._random.randint(1, 3))
                yield AddGroup(0, name, number, tuple(members))

    def _tables(self) -> Iterator[Statement]:
        for table in self._names.p4info.tables:
            is_fixed = table.const_default_action_id or table.implementation_id
            if not is_fixed and self._random.random() < 0.3:
                action = self._random.choice(self._names.actions_of_table(table))
                called = action.preamble.name, self._arguments(action)
                yield SetDefault(0, table.preamble.name, *called)
            if table.match_fields and not table.is_const_table:
                for _ in range(self._random.randrange(_MAX_ENTRIES + 1)):
                    yield self._entry(table)

    def _entry(self, table: p4i.Table) -> Statement:
        targets = self._targets[table.preamble.name]
        pairs = zip(table.match_fields, targets, strict=True)
        key = tuple((field.name, self._match(field, target)) for field, target in pairs)
        priority = self._random.randrange(1, 1000) if has_priority(table) else None
        return Add(0, table.preamble.name, priority, key, *self._call(table), None)

    def _call(self, table: p4i.Table) -> tuple[str, Assignments]:
        if not table.implementation_id:
            action = self._random.choice(self._names.actions_of_table(table))
            return action.preamble.name, self._arguments(action)
        if self._names.profile_of(table).with_selector:
            return "group", (("id", str(self._random.randint(1, _GROUPS))),)
        return "member", (("id", str(self._random.randint(1, _MEMBERS))),)

    def _match(self, field: p4i.MatchField, target: str) -> str:
        width = field.bitwidth
        if target == "standard_metadata.ingress_port":
            value = self._random.choice(PORTS)
        else:
            value = self._pools.value(target, width)
        ones = (1 << width) - 1
        match field.match_type:
            case p4i.MatchField.EXACT:
                return hex(value)
            case p4i.MatchField.LPM:
                length = self._random.choice((0, width, self._random.randint(0, width)))
                return f"{value:#x}/{length}"
            case p4i.MatchField.RANGE:
                other = self._pools.value(target, width)
                return f"{min(value, other):#x}->{max(value, other):#x}"
        mask = self._random.choice((0, ones, ones, self._random.getrandbits(width)))
        return f"{value:#x}&&&{mask:#x}"

    def _arguments(self, action: p4i.Action) -> Assignments:
        name = action.preamble.name
        return tuple(
            (each.name, hex(self._pools.value(f"{name}.{each.name}", each.bitwidth)))
            for each in action.params
        )


def _numbered(statements: list[Statement]) -> list[Statement]:
    """With line numbers, so that results can be told apart."""
    return [replace(statement, line=line) for line, statement in enumerate(statements, start=1)]
