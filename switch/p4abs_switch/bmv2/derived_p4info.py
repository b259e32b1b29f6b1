"""A P4Info of a program that came without one, from its BMv2 JSON.

Names, ids and aliases are those that p4c gives. What only the sources say is missing: ids and other
things of annotations, documentation, translated types, units of meters, and headers of packets to
and from the controller. A digest is a tuple, and a field of an optional match a ternary one.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from finsy.proto import p4i, p4t

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.bmv2.names import Action, Array, KeyField, Names, Table, read_names
from p4abs_switch.bmv2.symbols import aliases, ids

_PREFIXES = p4i.P4Ids.Prefix
_MATCH_TYPES = {
    "exact": p4i.MatchField.EXACT,
    "valid": p4i.MatchField.EXACT,
    "lpm": p4i.MatchField.LPM,
    "ternary": p4i.MatchField.TERNARY,
    "range": p4i.MatchField.RANGE,
    "optional": p4i.MatchField.OPTIONAL,
}


def derive(json: bytes) -> p4i.P4Info:
    """The P4Info of a program. Raises InputError."""
    names = read_names(json, {})
    try:
        return _Derivation(names).p4info()
    except (LookupError, ValueError, TypeError) as error:
        raise InputError(f"tells of no P4Info: {type(error).__name__} {error}") from None


class _Named(Protocol):
    @property
    def name(self) -> str: ...


class _Derivation:
    """One program's objects with their ids and aliases."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._tables = [table for table in names.tables if not table.is_compiler_s]
        self._actions = {
            action.name: action for table in self._tables for action in _offered(table)
        }
        self._ids = {
            kind: ids(kind, [each.name for each in objects])
            for kind, objects in self._objects().items()
        }
        self._aliases = aliases(name for named in self._ids.values() for name in named)

    def p4info(self) -> p4i.P4Info:
        names = self._names
        return p4i.P4Info(
            pkg_info=p4i.PkgInfo(arch="v1model"),
            tables=[self._table(table) for table in self._tables],
            actions=[self._action(action) for action in self._actions.values()],
            action_profiles=list(self._profiles()),
            counters=[
                p4i.Counter(
                    preamble=self._preamble(_PREFIXES.COUNTER, each), spec=_COUNTED, size=each.size
                )
                for each in names.counters
            ],
            direct_counters=[
                p4i.DirectCounter(
                    preamble=self._preamble(_PREFIXES.DIRECT_COUNTER, each),
                    spec=_COUNTED,
                    direct_table_id=self._id(_PREFIXES.TABLE, each.table),
                )
                for each in names.direct_counters
            ],
            meters=[
                p4i.Meter(preamble=self._preamble(_PREFIXES.METER, each), size=each.size)
                for each in names.meters
            ],
            direct_meters=[
                p4i.DirectMeter(
                    preamble=self._preamble(_PREFIXES.DIRECT_METER, each),
                    direct_table_id=self._id(_PREFIXES.TABLE, each.table),
                )
                for each in names.direct_meters
            ],
            registers=[self._register(each) for each in names.registers],
            value_sets=list(self._value_sets()),
            digests=list(self._digests()),
        )

    def _objects(self) -> dict[p4i.P4Ids.Prefix.ValueType, Iterable[_Named]]:
        names = self._names
        return {
            _PREFIXES.TABLE: self._tables,
            _PREFIXES.ACTION: self._actions.values(),
            _PREFIXES.ACTION_PROFILE: names.profiles,
            _PREFIXES.COUNTER: names.counters,
            _PREFIXES.DIRECT_COUNTER: names.direct_counters,
            _PREFIXES.METER: names.meters,
            _PREFIXES.DIRECT_METER: names.direct_meters,
            _PREFIXES.REGISTER: names.registers,
            _PREFIXES.VALUE_SET: names.value_sets,
            _PREFIXES.DIGEST: names.learn_lists,
        }

    def _table(self, table: Table) -> p4i.Table:
        default = table.default and self._id(_PREFIXES.ACTION, table.default.name)
        message = p4i.Table(
            preamble=self._preamble(_PREFIXES.TABLE, table),
            match_fields=[
                _match_field(number, part) for number, part in enumerate(table.key, start=1)
            ],
            action_refs=[
                p4i.ActionRef(id=self._id(_PREFIXES.ACTION, action.name))
                for action in table.actions
            ],
            const_default_action_id=default if table.has_constant_default and default else 0,
            size=table.size,
            is_const_table=table.has_own_entries,
            has_initial_entries=table.has_own_entries,
            direct_resource_ids=list(self._direct_resources(table)),
        )
        if table.profile is not None:
            message.implementation_id = self._id(_PREFIXES.ACTION_PROFILE, table.profile)
        if default:
            message.initial_default_action.action_id = default
        if table.has_timeouts:
            message.idle_timeout_behavior = p4i.Table.NOTIFY_CONTROL
        return message

    def _direct_resources(self, table: Table) -> Iterator[int]:
        for kind, resources in (
            (_PREFIXES.DIRECT_COUNTER, self._names.direct_counters),
            (_PREFIXES.DIRECT_METER, self._names.direct_meters),
        ):
            for each in resources:
                if each.table == table.name:
                    yield self._id(kind, each.name)

    def _action(self, action: Action) -> p4i.Action:
        parameters = enumerate(action.parameters.items(), start=1)
        return p4i.Action(
            preamble=self._preamble(_PREFIXES.ACTION, action),
            params=[
                p4i.Action.Param(id=number, name=name, bitwidth=width_bits)
                for number, (name, width_bits) in parameters
            ],
        )

    def _profiles(self) -> Iterator[p4i.ActionProfile]:
        for profile in self._names.profiles:
            yield p4i.ActionProfile(
                preamble=self._preamble(_PREFIXES.ACTION_PROFILE, profile),
                table_ids=[
                    self._id(_PREFIXES.TABLE, table.name)
                    for table in self._tables
                    if table.profile == profile.name
                ],
                with_selector=profile.selects,
                size=profile.size,
            )

    def _register(self, register: Array) -> p4i.Register:
        return p4i.Register(
            preamble=self._preamble(_PREFIXES.REGISTER, register),
            type_spec=_bits(register.width_bits),
            size=register.size,
        )

    def _value_sets(self) -> Iterator[p4i.ValueSet]:
        for value_set in self._names.value_sets:
            widths = enumerate(value_set.widths_bits, start=1)
            yield p4i.ValueSet(
                preamble=self._preamble(_PREFIXES.VALUE_SET, value_set),
                match=[
                    p4i.MatchField(id=number, bitwidth=width, match_type=p4i.MatchField.EXACT)
                    for number, width in widths
                ],
                size=value_set.size,
            )

    def _digests(self) -> Iterator[p4i.Digest]:
        for learned in self._names.learn_lists:
            members = [_bits(width_bits) for width_bits in learned.widths_bits]
            yield p4i.Digest(
                preamble=self._preamble(_PREFIXES.DIGEST, learned),
                type_spec=p4t.P4DataTypeSpec(tuple=p4t.P4TupleTypeSpec(members=members)),
            )

    def _preamble(self, kind: p4i.P4Ids.Prefix.ValueType, item: _Named) -> p4i.Preamble:
        name = item.name
        return p4i.Preamble(id=self._id(kind, name), name=name, alias=self._aliases[name])

    def _id(self, kind: p4i.P4Ids.Prefix.ValueType, name: str) -> int:
        return self._ids[kind][name]


_COUNTED = p4i.CounterSpec(unit=p4i.CounterSpec.BOTH)


def _bits(width_bits: int) -> p4t.P4DataTypeSpec:
    bit = p4t.P4BitTypeSpec(bitwidth=width_bits)
    return p4t.P4DataTypeSpec(bitstring=p4t.P4BitstringLikeTypeSpec(bit=bit))


def _match_field(number: int, part: KeyField) -> p4i.MatchField:
    kind = _MATCH_TYPES[part.kind]
    return p4i.MatchField(id=number, name=part.name, bitwidth=part.width_bits, match_type=kind)


def _offered(table: Table) -> list[Action]:
    """Its actions, of which the default one need not be for entries."""
    return [*table.actions, *([table.default] if table.default else [])]
