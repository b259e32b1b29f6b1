"""Random entities that the objects of a program can have."""

import random
from collections.abc import Sequence
from typing import Any

from finsy.proto import p4i, p4r

_WITH_PRIORITY = (p4i.MatchField.TERNARY, p4i.MatchField.RANGE, p4i.MatchField.OPTIONAL)
_IDS = 4
_PORTS = 4


class RightEntities:
    """Entities about the objects of a P4Info: the form is right, the numbers may not be."""

    def __init__(self, source: random.Random, p4info: p4i.P4Info) -> None:
        self._source = source
        self._p4info = p4info
        kinds = {
            self._table_entry: p4info.tables,
            self._direct_counter: p4info.direct_counters,
            self._direct_meter: p4info.direct_meters,
            self._member: p4info.action_profiles,
            self._group: p4info.action_profiles,
            self._counter: p4info.counters,
            self._meter: p4info.meters,
            self._register: p4info.registers,
            self._value_set: p4info.value_sets,
            self._digest: p4info.digests,
        }
        self._kinds = [kind for kind, objects in kinds.items() if objects]
        self._kinds += [self._multicast_group, self._clone_session]

    def entity(self) -> p4r.Entity:
        """Of any kind that the program has."""
        return self._source.choice(self._kinds)()

    def _number(self) -> int:
        return self._source.randrange(_IDS)

    def _value(self) -> bytes:
        return bytes([self._source.randrange(1, 8)])

    def _table_entry(self) -> p4r.Entity:
        return p4r.Entity(table_entry=self._entry_of(self._source.choice(self._p4info.tables)))

    def _entry_of(self, table: p4i.Table) -> p4r.TableEntry:
        entry = p4r.TableEntry(table_id=table.preamble.id, priority=self._source.randrange(4))
        for field in table.match_fields:
            self._match(entry.match.add(field_id=field.id), field)
        self._action(entry.action.action, table.action_refs)
        if table.implementation_id:
            entry.action.Clear()
            kind = self._source.randrange(3)
            if kind == 0:
                entry.action.action_profile_member_id = self._source.randrange(4)
            elif kind == 1:
                entry.action.action_profile_group_id = self._source.randrange(4)
            else:
                actions = entry.action.action_profile_action_set.action_profile_actions
                self._action(actions.add(weight=1).action, table.action_refs)
        if not any(field.match_type in _WITH_PRIORITY for field in table.match_fields):
            entry.priority = 0
        self._extras(entry)
        return entry

    def _extras(self, entry: p4r.TableEntry) -> None:
        match self._source.randrange(8):
            case 0:
                entry.is_default_action, entry.priority = True, 0
                entry.ClearField("match")
            case 1:
                entry.idle_timeout_ns = self._source.choice((1_000_000, 10**12))
            case 2:
                entry.counter_data.packet_count = self._number()
            case 3:
                self._rates(entry.meter_config)
            case 4:
                entry.ClearField("action")

    def _match(self, match: p4r.FieldMatch, field: p4i.MatchField) -> None:
        value = bytes([self._source.randrange(1, 8)])
        match field.match_type:
            case p4i.MatchField.LPM:
                match.lpm.value = value + bytes((field.bitwidth + 7) // 8 - 1)
                match.lpm.prefix_len = self._source.randrange(max(1, field.bitwidth - 4)) + 4
            case p4i.MatchField.TERNARY:
                match.ternary.value = match.ternary.mask = value
            case p4i.MatchField.RANGE:
                match.range.low, match.range.high = b"\x01", value
            case p4i.MatchField.OPTIONAL:
                match.optional.value = value
            case _:
                match.exact.value = value

    def _action(self, action: p4r.Action, references: Sequence[p4i.ActionRef]) -> None:
        action.action_id = self._source.choice(references).id
        declared = next(a for a in self._p4info.actions if a.preamble.id == action.action_id)
        for parameter in declared.params:
            action.params.add(param_id=parameter.id, value=bytes([self._source.randrange(1, 4)]))

    def _direct_counter(self) -> p4r.Entity:
        counter = self._source.choice(self._p4info.direct_counters)
        entry = p4r.DirectCounterEntry(table_entry=self._direct(counter.direct_table_id))
        if self._number():
            entry.data.packet_count = self._number()
        return p4r.Entity(direct_counter_entry=entry)

    def _direct_meter(self) -> p4r.Entity:
        meter = self._source.choice(self._p4info.direct_meters)
        entry = p4r.DirectMeterEntry(table_entry=self._direct(meter.direct_table_id))
        if self._number():
            self._rates(entry.config)
        return p4r.Entity(direct_meter_entry=entry)

    def _direct(self, table_id: int) -> p4r.TableEntry:
        [table] = [each for each in self._p4info.tables if each.preamble.id == table_id]
        entry = self._entry_of(table)
        entry.ClearField("action")
        return entry

    def _rates(self, config: p4r.MeterConfig) -> None:
        config.cir = config.cburst = self._number()
        config.pir = config.pburst = self._number() + _IDS

    def _member(self) -> p4r.Entity:
        profile = self._source.choice(self._p4info.action_profiles)
        member = p4r.ActionProfileMember(
            action_profile_id=profile.preamble.id, member_id=self._number()
        )
        table = next(t for t in self._p4info.tables if t.preamble.id in profile.table_ids)
        self._action(member.action, table.action_refs)
        return p4r.Entity(action_profile_member=member)

    def _group(self) -> p4r.Entity:
        profile = self._source.choice(self._p4info.action_profiles)
        group = p4r.ActionProfileGroup(
            action_profile_id=profile.preamble.id, group_id=self._number(), max_size=self._number()
        )
        for _ in range(self._number()):
            group.members.add(member_id=self._number(), weight=1, watch_port=self._value())
        return p4r.Entity(action_profile_group=group)

    def _counter(self) -> p4r.Entity:
        counter = self._source.choice(self._p4info.counters)
        entry = p4r.CounterEntry(counter_id=counter.preamble.id)
        self._index(entry.index)
        if self._number():
            entry.data.byte_count = self._number()
        return p4r.Entity(counter_entry=entry)

    def _meter(self) -> p4r.Entity:
        meter = self._source.choice(self._p4info.meters)
        entry = p4r.MeterEntry(meter_id=meter.preamble.id)
        self._index(entry.index)
        if self._number():
            self._rates(entry.config)
        return p4r.Entity(meter_entry=entry)

    def _register(self) -> p4r.Entity:
        register = self._source.choice(self._p4info.registers)
        entry = p4r.RegisterEntry(register_id=register.preamble.id)
        self._index(entry.index)
        if self._number():
            entry.data.bitstring = self._value()
        return p4r.Entity(register_entry=entry)

    def _index(self, index: p4r.Index) -> None:
        if self._number():
            index.index = self._number()

    def _value_set(self) -> p4r.Entity:
        value_set = self._source.choice(self._p4info.value_sets)
        entry = p4r.ValueSetEntry(value_set_id=value_set.preamble.id)
        for _ in range(self._number()):
            member = entry.members.add()
            for field in value_set.match:
                self._match(member.match.add(field_id=field.id), field)
        return p4r.Entity(value_set_entry=entry)

    def _digest(self) -> p4r.Entity:
        digest = self._source.choice(self._p4info.digests)
        entry = p4r.DigestEntry(digest_id=digest.preamble.id)
        entry.config.max_list_size = self._number()
        entry.config.max_timeout_ns = self._number()
        entry.config.ack_timeout_ns = self._number()
        return p4r.Entity(digest_entry=entry)

    def _multicast_group(self) -> p4r.Entity:
        entity = p4r.Entity()
        group = entity.packet_replication_engine_entry.multicast_group_entry
        group.multicast_group_id = self._number()
        self._replicas(group.replicas)
        return entity

    def _clone_session(self) -> p4r.Entity:
        entity = p4r.Entity()
        session = entity.packet_replication_engine_entry.clone_session_entry
        session.session_id = self._number()
        session.packet_length_bytes = self._source.choice((0, 64, 65_535))
        self._replicas(session.replicas)
        return entity

    def _replicas(self, replicas: Any) -> None:
        for instance in range(self._number()):
            replica = replicas.add(instance=instance)
            if self._number():
                replica.port = self._value()
            else:
                replica.egress_port = self._source.randrange(_PORTS)
