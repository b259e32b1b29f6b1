"""Reads a P4Info (P4Runtime 1.5, section 6).

Refuses what the server cannot serve, by name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from finsy.proto import p4i, p4t

from p4abs_switch.program.data_type import check_depth, data_type
from p4abs_switch.program.objects import (
    Action,
    ActionProfile,
    Counter,
    Digest,
    Field,
    KeyField,
    MatchKind,
    Meter,
    Program,
    Register,
    Table,
    TableAction,
    ValueSet,
)
from p4abs_switch.program.translated_types import TranslatedType, Types
from p4abs_switch.program.translation import SdnStrings
from p4abs_switch.status import invalid

_MOST_MULTICAST_GROUPS = (1 << 16) - 1


@dataclass(frozen=True, slots=True)
class _DirectResources:
    """What tables have, by table id and, for profiles, by profile id."""

    counted: frozenset[int]
    meters: Mapping[int, Meter]
    profiles: Mapping[int, ActionProfile]


def index(p4info: p4i.P4Info, translated: Mapping[str, TranslatedType] | None = None) -> Program:
    """Indexes a P4Info. `translated`: its translated types by name, as its JSON has them.

    Raises RequestError INVALID_ARGUMENT, naming the object, when the P4Info contradicts itself or
    has something that the server does not serve: such a config cannot be realized (section 14).
    """
    _refuse_externs(p4info)
    _refuse_platform(p4info.pkg_info.platform_properties)
    types = Types(p4info.type_info, translated or {})
    _check_indices(p4info, types)
    actions = _by_id("action", (_action(message, types) for message in p4info.actions))
    profiles = _by_id(
        "action profile",
        (_profile(p, p4info.tables, actions, types) for p in p4info.action_profiles),
    )
    direct = _DirectResources(
        counted=frozenset(counter.direct_table_id for counter in p4info.direct_counters),
        meters={m.direct_table_id: _meter(m.preamble, m.spec, 0) for m in p4info.direct_meters},
        profiles=profiles,
    )
    return Program(
        tables=_by_id("table", (_table(t, actions, direct, types) for t in p4info.tables)),
        actions=actions,
        profiles=profiles,
        registers=_by_id("register", (_register(r, types) for r in p4info.registers)),
        counters=_by_id(
            "counter",
            (Counter(c.preamble.id, c.preamble.name, c.size) for c in p4info.counters),
        ),
        meters=_by_id("meter", (_meter(m.preamble, m.spec, m.size) for m in p4info.meters)),
        value_sets=_by_id("value set", (_value_set(v, types) for v in p4info.value_sets)),
        digests=_by_id("digest", (_digest(d, p4info.type_info) for d in p4info.digests)),
        packet_in=_controller_header(p4info, "packet_in", types),
        packet_out=_controller_header(p4info, "packet_out", types),
        ports=types.ports(),
    )


class _Identified(Protocol):
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...


_IdentifiedObject = TypeVar("_IdentifiedObject", bound=_Identified)


def _by_id(kind: str, objects: Iterable[_IdentifiedObject]) -> dict[int, _IdentifiedObject]:
    result: dict[int, _IdentifiedObject] = {}
    for item in objects:
        if item.id == 0:
            raise invalid(f"P4Info: {kind} {item.name} has no id")
        if item.id in result:
            raise invalid(
                f"P4Info: {kind}s {result[item.id].name} and {item.name} share id {item.id:#010x}"
            )
        result[item.id] = item
    return result


def _refuse_externs(p4info: p4i.P4Info) -> None:
    for extern in p4info.externs:
        raise invalid(f"extern {extern.extern_type_name} is not supported")


def _refuse_platform(wanted: p4i.PlatformProperties) -> None:
    """Replicas are bounded by memory only."""
    if wanted.multicast_group_table_size > _MOST_MULTICAST_GROUPS:
        raise invalid(
            f"P4Info asks for {wanted.multicast_group_table_size} multicast groups;"
            f" valid: up to {_MOST_MULTICAST_GROUPS}"
        )


def _check_indices(p4info: p4i.P4Info, types: Types) -> None:
    """Translated numbers are the same numbers; an index is an int64 in messages, no string."""
    arrays: list[p4i.Counter | p4i.Meter | p4i.Register]
    arrays = [*p4info.counters, *p4info.meters, *p4info.registers]
    for array in arrays:
        name = array.index_type_name.name
        if types.are_strings(name):
            raise invalid(f"index of {array.preamble.name}: {name} is translated to strings")


def _action(message: p4i.Action, types: Types) -> Action:
    """Parameters of actions that no table has may be of translated types without a width."""
    parameters = [(p, *types.width(p.bitwidth, p.type_name.name)) for p in message.params]
    return Action(
        message.preamble.id,
        message.preamble.name,
        tuple(
            Field(p.id, p.name, width_bits, translation=translation)
            for p, width_bits, translation in parameters
        ),
    )


def _table(
    message: p4i.Table,
    actions: Mapping[int, Action],
    direct: _DirectResources,
    types: Types,
) -> Table:
    name = message.preamble.name
    for reference in message.action_refs:
        if reference.id not in actions:
            raise invalid(
                f"P4Info: table {name} refers to action {reference.id:#010x}, which is not there"
            )
    if message.implementation_id and message.implementation_id not in direct.profiles:
        raise invalid(
            f"P4Info: table {name} refers to action profile {message.implementation_id:#010x},"
            " which is not there"
        )
    return Table(
        id=message.preamble.id,
        name=name,
        key=tuple(_key_field(f"table {name}", part, types) for part in message.match_fields),
        actions={ref.id: _table_action(name, ref, actions) for ref in message.action_refs},
        size=message.size,
        is_const=message.is_const_table,
        has_initial_entries=message.has_initial_entries,
        initial_default=actions.get(message.initial_default_action.action_id),
        has_const_default=message.const_default_action_id != 0,
        has_direct_counter=message.preamble.id in direct.counted,
        direct_meter=direct.meters.get(message.preamble.id),
        profile=direct.profiles.get(message.implementation_id),
        has_idle_timeout=message.idle_timeout_behavior != p4i.Table.NO_TIMEOUT,
    )


def _table_action(
    table: str, reference: p4i.ActionRef, actions: Mapping[int, Action]
) -> TableAction:
    if reference.scope not in p4i.ActionRef.Scope.values():
        raise invalid(
            f"table {table} has action {actions[reference.id].name} with scope {reference.scope};"
            f" supported: {', '.join(p4i.ActionRef.Scope.keys())}"
        )
    return TableAction(
        action=actions[reference.id],
        in_entries=reference.scope != p4i.ActionRef.DEFAULT_ONLY,
        as_default=reference.scope != p4i.ActionRef.TABLE_ONLY,
    )


def _key_field(owner: str, message: p4i.MatchField, types: Types) -> KeyField:
    what = f"key field {message.name or message.id} of {owner}"
    width_bits, translation = types.known_width(what, message.bitwidth, message.type_name.name)
    kinds = p4i.MatchField.MatchType
    is_known = message.match_type in kinds.values()
    kind = kinds.Name(message.match_type) if is_known else str(message.match_type)
    if kind not in MatchKind.__members__:
        raise invalid(f"{what} has match type {message.other_match_type or kind}")
    if isinstance(translation, SdnStrings) and kind not in ("EXACT", "OPTIONAL"):
        raise invalid(f"{what} is translated to strings, which have no {kind} match")
    return KeyField(message.id, message.name, width_bits, MatchKind[kind], translation=translation)


def _profile(
    message: p4i.ActionProfile,
    tables: Iterable[p4i.Table],
    actions: Mapping[int, Action],
    types: Types,
) -> ActionProfile:
    """All tables of a profile have the same actions (section 9.2.1)."""
    offered = {
        reference.id
        for table in tables
        if table.implementation_id == message.preamble.id
        for reference in table.action_refs
        if reference.scope != p4i.ActionRef.DEFAULT_ONLY
    }
    return ActionProfile(
        id=message.preamble.id,
        name=message.preamble.name,
        size=message.size,
        has_selector=message.with_selector,
        max_group_size=message.max_group_size,
        counts_members=message.HasField("sum_of_members"),
        max_member_weight=message.sum_of_members.max_member_weight,
        weights_disallowed=message.weights_disallowed,
        actions={key: action for key, action in actions.items() if key in offered},
        ports=types.ports(),
    )


def _meter(preamble: p4i.Preamble, spec: p4i.MeterSpec, size: int) -> Meter:
    has_excess = spec.type == p4i.MeterSpec.SINGLE_RATE_THREE_COLOR
    is_single_rate = has_excess or spec.type == p4i.MeterSpec.SINGLE_RATE_TWO_COLOR
    return Meter(preamble.id, preamble.name, size, is_single_rate, has_excess)


def _value_set(message: p4i.ValueSet, types: Types) -> ValueSet:
    name = message.preamble.name
    key = tuple(_key_field(f"value set {name}", part, types) for part in message.match)
    return ValueSet(message.preamble.id, name, key, message.size)


def _digest(message: p4i.Digest, types: p4t.P4TypeInfo) -> Digest:
    name = message.preamble.name
    return Digest(message.preamble.id, name, data_type(f"digest {name}", message.type_spec, types))


def _register(message: p4i.Register, types: Types) -> Register:
    what = f"register {message.preamble.name}"
    width_bits, signed = _integer_type(what, message.type_spec, types)
    return Register(message.preamble.id, message.preamble.name, message.size, width_bits, signed)


def _integer_type(
    what: str, spec: p4t.P4DataTypeSpec, types: Types, depth: int = 0
) -> tuple[int, bool]:
    """Width in bits and signedness; a `type` is looked through to what it is made from."""
    check_depth(what, depth)
    if spec.HasField("new_type"):
        name = spec.new_type.name
        if types.are_strings(name):
            raise invalid(f"{what}: {name} is translated to strings")
        if name in types.translated:
            return types.translated[name].width_bits, False
        return _integer_type(what, types.info.new_types[name].original_type, types, depth + 1)
    bits = spec.bitstring
    if bits.HasField("bit"):
        return bits.bit.bitwidth, False
    if bits.HasField("int"):
        return bits.int.bitwidth, True
    raise invalid(f"{what} holds {spec.WhichOneof('type_spec')}; supported: bit, int")


def _controller_header(p4info: p4i.P4Info, name: str, types: Types) -> tuple[Field, ...]:
    for header in p4info.controller_packet_metadata:
        if header.preamble.name == name:
            fields = tuple(_metadata(name, part, types) for part in header.metadata)
            width_bits = sum(part.width_bits for part in fields)
            if width_bits % 8:
                raise invalid(
                    f"P4Info: {name} has {width_bits} bits, which is not a whole number of bytes"
                )
            return fields
    return ()


def _metadata(header: str, message: p4i.ControllerPacketMetadata.Metadata, types: Types) -> Field:
    width_bits, translation = types.known_width(
        f"{header}.{message.name}", message.bitwidth, message.type_name.name
    )
    return Field(message.id, message.name, width_bits, translation=translation)
