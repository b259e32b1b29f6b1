"""Entities of a program, by name."""

from collections.abc import Iterator, Sequence

from finsy.proto import p4d, p4i, p4r
from p4abs_switch import bytestring


class Entities:
    """Builds entities from names; values are numbers, in canonical byte strings."""

    def __init__(self, p4info: p4i.P4Info) -> None:
        self.p4info = p4info
        self._ids = {item.alias: item.id for item in _preambles(p4info)}

    def id(self, alias: str) -> int:
        return self._ids[alias]

    def entry(
        self,
        table: str,
        match: Sequence[p4r.FieldMatch] = (),
        action: str | None = None,
        *arguments: int,
        priority: int = 0,
    ) -> p4r.Entity:
        entry = p4r.TableEntry(table_id=self.id(table), match=match, priority=priority)
        if action is not None:
            entry.action.CopyFrom(self.action(action, *arguments))
        return p4r.Entity(table_entry=entry)

    def default(self, table: str, action: str | None = None, *arguments: int) -> p4r.Entity:
        entity = self.entry(table, (), action, *arguments)
        entity.table_entry.is_default_action = True
        return entity

    def action(self, action: str, *arguments: int) -> p4r.TableAction:
        message = p4r.TableAction(action=p4r.Action(action_id=self.id(action)))
        for number, argument in enumerate(arguments, start=1):
            message.action.params.add(param_id=number, value=bytestring.encode(argument))
        return message

    def cell(
        self, register: str, index: int | None = None, data: bytes | None = None
    ) -> p4r.Entity:
        entry = p4r.RegisterEntry(register_id=self.id(register))
        if index is not None:
            entry.index.index = index
        if data is not None:
            entry.data.CopyFrom(p4d.P4Data(bitstring=data))
        return p4r.Entity(register_entry=entry)

    def counter(
        self, counter: str, index: int | None = None, counts: tuple[int, int] | None = None
    ) -> p4r.Entity:
        entry = p4r.CounterEntry(counter_id=self.id(counter))
        if index is not None:
            entry.index.index = index
        if counts is not None:
            entry.data.packet_count, entry.data.byte_count = counts
        return p4r.Entity(counter_entry=entry)


def _preambles(p4info: p4i.P4Info) -> Iterator[p4i.Preamble]:
    yield from (item.preamble for item in p4info.tables)
    yield from (item.preamble for item in p4info.actions)
    yield from (item.preamble for item in p4info.action_profiles)
    yield from (item.preamble for item in p4info.registers)
    yield from (item.preamble for item in p4info.counters)
    yield from (item.preamble for item in p4info.meters)
    yield from (item.preamble for item in p4info.value_sets)
    yield from (item.preamble for item in p4info.digests)


def exact(field_id: int, value: int) -> p4r.FieldMatch:
    return p4r.FieldMatch(
        field_id=field_id, exact=p4r.FieldMatch.Exact(value=bytestring.encode(value))
    )


def lpm(field_id: int, value: int, prefix_length: int) -> p4r.FieldMatch:
    return p4r.FieldMatch(
        field_id=field_id,
        lpm=p4r.FieldMatch.LPM(value=bytestring.encode(value), prefix_len=prefix_length),
    )


def ternary(field_id: int, value: int, mask: int) -> p4r.FieldMatch:
    return p4r.FieldMatch(
        field_id=field_id,
        ternary=p4r.FieldMatch.Ternary(
            value=bytestring.encode(value), mask=bytestring.encode(mask)
        ),
    )


def between(field_id: int, low: int, high: int) -> p4r.FieldMatch:
    return p4r.FieldMatch(
        field_id=field_id,
        range=p4r.FieldMatch.Range(low=bytestring.encode(low), high=bytestring.encode(high)),
    )


def optional(field_id: int, value: int) -> p4r.FieldMatch:
    return p4r.FieldMatch(
        field_id=field_id, optional=p4r.FieldMatch.Optional(value=bytestring.encode(value))
    )


def frame(destination: int, source: int, ether_type: int) -> bytes:
    """An Ethernet frame of 60 bytes."""
    header = destination.to_bytes(6, "big") + source.to_bytes(6, "big")
    return header + ether_type.to_bytes(2, "big") + bytes(46)
