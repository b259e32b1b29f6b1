"""A program as its P4Info describes it, indexed by id (P4Runtime 1.4, section 6).

The engine knows objects by name and position, the controller by id: this index is the dictionary
between the two. Building it refuses what the server cannot serve, by name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeVar

from finsy.proto import p4i, p4t

from p4abs_switch.status import Code, RequestError


class MatchKind(Enum):
    """How a key field is matched; the values are BMv2's names."""

    EXACT = "exact"
    LPM = "lpm"
    TERNARY = "ternary"
    RANGE = "range"
    OPTIONAL = "optional"  # p4c hands it to BMv2 as ternary


@dataclass(frozen=True, slots=True)
class Field:
    """A value of `bit<W>`: an action parameter or a field of a controller header."""

    id: int
    name: str
    width_bits: int


@dataclass(frozen=True, slots=True)
class KeyField(Field):
    """A field of a table's key."""

    kind: MatchKind


@dataclass(frozen=True, slots=True)
class Action:
    """An action with its parameters in the order of its declaration."""

    id: int
    name: str
    parameters: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class TableAction:
    """An action that a table may use, and where: in entries, as its default, or both."""

    action: Action
    in_entries: bool
    as_default: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A match-action table."""

    id: int
    name: str
    key: tuple[KeyField, ...]
    actions: Mapping[int, TableAction]
    is_const: bool
    has_const_default: bool
    has_direct_counter: bool
    has_action_profile: bool
    has_idle_timeout: bool

    @property
    def has_priority(self) -> bool:
        """Whether entries are ordered by a priority that the controller gives."""
        ordered = (MatchKind.TERNARY, MatchKind.RANGE, MatchKind.OPTIONAL)
        return any(part.kind in ordered for part in self.key)


@dataclass(frozen=True, slots=True)
class Register:
    """An array of `bit<W>` or `int<W>`."""

    id: int
    name: str
    size: int
    width_bits: int
    signed: bool


@dataclass(frozen=True, slots=True)
class Counter:
    """An indirect counter array."""

    id: int
    name: str
    size: int


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_Object = TypeVar("_Object", bound=_Named)


@dataclass(frozen=True, slots=True)
class Program:
    """All objects of a P4Info. The two headers are empty where the program has none."""

    tables: Mapping[int, Table] = field(default_factory=dict)
    actions: Mapping[int, Action] = field(default_factory=dict)
    registers: Mapping[int, Register] = field(default_factory=dict)
    counters: Mapping[int, Counter] = field(default_factory=dict)
    packet_in: tuple[Field, ...] = ()
    packet_out: tuple[Field, ...] = ()

    def table(self, table_id: int) -> Table:
        """The table of an id, or INVALID_ARGUMENT."""
        return _find("table", self.tables, table_id)

    def register(self, register_id: int) -> Register:
        """The register of an id, or INVALID_ARGUMENT."""
        return _find("register", self.registers, register_id)

    def counter(self, counter_id: int) -> Counter:
        """The counter of an id, or INVALID_ARGUMENT."""
        return _find("counter", self.counters, counter_id)


def index(p4info: p4i.P4Info) -> Program:
    """Indexes a P4Info.

    Raises RequestError INVALID_ARGUMENT, naming the object, when the P4Info contradicts itself or
    has something that the server does not serve: such a config cannot be realized (section 14).
    """
    _refuse_unsupported(p4info)
    types = p4info.type_info
    actions = _by_id("action", (_action(message, types) for message in p4info.actions))
    counted = {counter.direct_table_id for counter in p4info.direct_counters}
    return Program(
        tables=_by_id("table", (_table(t, actions, counted, types) for t in p4info.tables)),
        actions=actions,
        registers=_by_id("register", (_register(r, types) for r in p4info.registers)),
        counters=_by_id(
            "counter",
            (Counter(c.preamble.id, c.preamble.name, c.size) for c in p4info.counters),
        ),
        packet_in=_controller_header(p4info, "packet_in"),
        packet_out=_controller_header(p4info, "packet_out"),
    )


class _Identified(_Named, Protocol):
    @property
    def id(self) -> int: ...


_IdentifiedObject = TypeVar("_IdentifiedObject", bound=_Identified)


def _by_id(kind: str, objects: Iterable[_IdentifiedObject]) -> dict[int, _IdentifiedObject]:
    result: dict[int, _IdentifiedObject] = {}
    for item in objects:
        if item.id == 0:
            raise RequestError(Code.INVALID_ARGUMENT, f"P4Info: {kind} {item.name} has no id")
        if item.id in result:
            raise RequestError(
                Code.INVALID_ARGUMENT,
                f"P4Info: {kind}s {result[item.id].name} and {item.name} share id {item.id:#010x}",
            )
        result[item.id] = item
    return result


def _find(kind: str, objects: Mapping[int, _Object], wanted: int) -> _Object:
    if wanted in objects:
        return objects[wanted]
    valid = ", ".join(f"{key:#010x} ({item.name})" for key, item in objects.items())
    raise RequestError(
        Code.INVALID_ARGUMENT, f"no {kind} has id {wanted:#010x}; valid: {valid or 'none'}"
    )


def _refuse_unsupported(p4info: p4i.P4Info) -> None:
    unsupported = (
        ("action profile", p4info.action_profiles),
        ("meter", p4info.meters),
        ("direct meter", p4info.direct_meters),
        ("value set", p4info.value_sets),
        ("digest", p4info.digests),
    )
    for kind, objects in unsupported:
        for item in objects:
            raise RequestError(
                Code.INVALID_ARGUMENT, f"{kind} {item.preamble.name} is not supported"
            )
    for extern in p4info.externs:
        raise RequestError(
            Code.INVALID_ARGUMENT, f"extern {extern.extern_type_name} is not supported"
        )


def _action(message: p4i.Action, types: p4t.P4TypeInfo) -> Action:
    name = message.preamble.name
    for parameter in message.params:
        _refuse_translation(f"parameter {name}.{parameter.name}", parameter.type_name.name, types)
    parameters = tuple(Field(p.id, p.name, p.bitwidth) for p in message.params)
    return Action(message.preamble.id, name, parameters)


def _table(
    message: p4i.Table,
    actions: Mapping[int, Action],
    counted: set[int],
    types: p4t.P4TypeInfo,
) -> Table:
    name = message.preamble.name
    for reference in message.action_refs:
        if reference.id not in actions:
            raise RequestError(
                Code.INVALID_ARGUMENT,
                f"P4Info: table {name} refers to action {reference.id:#010x}, which is not there",
            )
    return Table(
        id=message.preamble.id,
        name=name,
        key=tuple(_key_field(name, part, types) for part in message.match_fields),
        actions={ref.id: _table_action(ref, actions) for ref in message.action_refs},
        is_const=message.is_const_table,
        has_const_default=message.const_default_action_id != 0,
        has_direct_counter=message.preamble.id in counted,
        has_action_profile=message.implementation_id != 0,
        has_idle_timeout=message.idle_timeout_behavior != p4i.Table.NO_TIMEOUT,
    )


def _table_action(reference: p4i.ActionRef, actions: Mapping[int, Action]) -> TableAction:
    return TableAction(
        action=actions[reference.id],
        in_entries=reference.scope != p4i.ActionRef.DEFAULT_ONLY,
        as_default=reference.scope != p4i.ActionRef.TABLE_ONLY,
    )


def _key_field(table: str, message: p4i.MatchField, types: p4t.P4TypeInfo) -> KeyField:
    what = f"key field {message.name} of table {table}"
    _refuse_translation(what, message.type_name.name, types)
    kind = p4i.MatchField.MatchType.Name(message.match_type)
    if kind not in MatchKind.__members__:
        raise RequestError(
            Code.INVALID_ARGUMENT, f"{what} has match type {message.other_match_type or kind}"
        )
    return KeyField(message.id, message.name, message.bitwidth, MatchKind[kind])


def _register(message: p4i.Register, types: p4t.P4TypeInfo) -> Register:
    what = f"register {message.preamble.name}"
    width_bits, signed = _integer_type(what, message.type_spec, types)
    return Register(message.preamble.id, message.preamble.name, message.size, width_bits, signed)


def _integer_type(what: str, spec: p4t.P4DataTypeSpec, types: p4t.P4TypeInfo) -> tuple[int, bool]:
    """Width in bits and signedness; a `type` is looked through to what it is made from."""
    if spec.HasField("new_type"):
        _refuse_translation(what, spec.new_type.name, types)
        return _integer_type(what, types.new_types[spec.new_type.name].original_type, types)
    bits = spec.bitstring
    if bits.HasField("bit"):
        return bits.bit.bitwidth, False
    if bits.HasField("int"):
        return bits.int.bitwidth, True
    raise RequestError(
        Code.INVALID_ARGUMENT, f"{what} holds {spec.WhichOneof('type_spec')}; supported: bit, int"
    )


def _refuse_translation(what: str, type_name: str, types: p4t.P4TypeInfo) -> None:
    if type_name in types.new_types and types.new_types[type_name].HasField("translated_type"):
        raise RequestError(
            Code.INVALID_ARGUMENT, f"{what}: @p4runtime_translation of {type_name} is not supported"
        )


def _controller_header(p4info: p4i.P4Info, name: str) -> tuple[Field, ...]:
    for header in p4info.controller_packet_metadata:
        if header.preamble.name == name:
            fields = tuple(Field(m.id, m.name, m.bitwidth) for m in header.metadata)
            width_bits = sum(part.width_bits for part in fields)
            if width_bits % 8:
                raise RequestError(
                    Code.INVALID_ARGUMENT,
                    f"P4Info: {name} has {width_bits} bits, which is not a whole number of bytes",
                )
            return fields
    return ()
