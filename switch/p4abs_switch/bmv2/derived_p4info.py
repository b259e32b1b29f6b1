"""A P4Info of a program that came without one, from its BMv2 JSON.

Names, ids and aliases are those that p4c gives. It lacks what only the sources say: annotations
such as `@id`, documentation, translated types, and headers of packets to and from the controller. A
digest is a tuple, and a field of an optional match a ternary one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from p4abs_switch.bmv2.document import Document, Widths, learn_lists, parsed, tables_of
from p4abs_switch.bmv2.symbols import aliases, ids
from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i, p4t

_Item = Mapping[str, Any]
_MATCH_TYPES = {
    "exact": p4i.MatchField.EXACT,
    "valid": p4i.MatchField.EXACT,
    "lpm": p4i.MatchField.LPM,
    "ternary": p4i.MatchField.TERNARY,
    "range": p4i.MatchField.RANGE,
    "optional": p4i.MatchField.OPTIONAL,
}
_METER_UNITS = {"packets": p4i.MeterSpec.PACKETS, "bytes": p4i.MeterSpec.BYTES}
# p4c's table of a `switch` whose expression is no table's action_run.
_OF_SWITCH = re.compile(r"switch_\d+_table")


def derive(json: bytes) -> p4i.P4Info:
    """The P4Info of a program. Raises InputError."""
    document = parsed(json)
    try:
        return _Derivation(document).p4info()
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise InputError(
            f"no P4Info can be derived from it: {type(error).__name__} {error}"
        ) from None


class _Derivation:
    """One program's objects, as the format has them, with their ids and aliases."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._widths = Widths(document)
        # One digest may be sent by several statements, each with a list of its own.
        self._learn_lists = list({each.name: each for each in learn_lists(document)}.values())
        by_id = {action["id"]: action for action in document["actions"]}
        self._tables = [table for table in tables_of(document) if not _is_compiler_s(table)]
        self._offered = {
            table["name"]: [by_id[number] for number in table["action_ids"]]
            for table in self._tables
        }
        self._defaults = {
            table["name"]: by_id[table["default_entry"]["action_id"]]
            for table in self._tables
            if table.get("default_entry", {}).get("action_id") in by_id
        }
        # A default action need not be for entries.
        of_tables = [*self._offered.values(), [*self._defaults.values()]]
        self._actions = {action["name"]: action for some in of_tables for action in some}
        objects = self._objects()
        prefixes = p4i.P4Ids.Prefix
        self._ids = {kind: ids(prefixes.Value(kind), names) for kind, names in objects.items()}
        self._aliases = aliases(name for names in objects.values() for name in names)

    def p4info(self) -> p4i.P4Info:
        return p4i.P4Info(
            pkg_info=p4i.PkgInfo(arch="v1model"),
            tables=[self._table(table) for table in self._tables],
            actions=[self._action(action) for action in self._actions.values()],
            action_profiles=[self._profile(each) for each in self._profiles()],
            counters=[
                p4i.Counter(**self._sized("COUNTER", each), spec=_COUNTED)
                for each in self._arrays("counter_arrays")
            ],
            direct_counters=[
                p4i.DirectCounter(**self._bound("DIRECT_COUNTER", each), spec=_COUNTED)
                for each in self._direct("counter_arrays")
            ],
            meters=[
                p4i.Meter(**self._sized("METER", each), spec=_metered(each))
                for each in self._arrays("meter_arrays")
            ],
            direct_meters=[
                p4i.DirectMeter(**self._bound("DIRECT_METER", each), spec=_metered(each))
                for each in self._direct("meter_arrays")
            ],
            registers=[
                p4i.Register(**self._sized("REGISTER", each), type_spec=_bits(each["bitwidth"]))
                for each in self._arrays("register_arrays")
            ],
            value_sets=list(self._value_sets()),
            digests=list(self._digests()),
        )

    def _objects(self) -> Mapping[str, Iterable[str]]:
        """Their names by kind."""
        named = {
            "ACTION_PROFILE": self._profiles(),
            "COUNTER": self._arrays("counter_arrays"),
            "DIRECT_COUNTER": self._direct("counter_arrays"),
            "METER": self._arrays("meter_arrays"),
            "DIRECT_METER": self._direct("meter_arrays"),
            "REGISTER": self._arrays("register_arrays"),
            "VALUE_SET": self._sets(),
        }
        return {
            "TABLE": [*self._offered],
            "ACTION": [*self._actions],
            **{kind: [item["name"] for item in items] for kind, items in named.items()},
            "DIGEST": [each.name for each in self._learn_lists],
        }

    def _sized(self, kind: str, array: _Item) -> dict[str, Any]:
        return {"preamble": self._preamble(kind, array["name"]), "size": array["size"]}

    def _bound(self, kind: str, array: _Item) -> dict[str, Any]:
        table = self._id("TABLE", array["binding"])
        return {"preamble": self._preamble(kind, array["name"]), "direct_table_id": table}

    def _arrays(self, kind: str) -> list[_Item]:
        """All but direct ones, which belong to tables."""
        return [item for item in self._document[kind] if not item.get("is_direct")]

    def _direct(self, kind: str) -> list[_Item]:
        return [item for item in self._document[kind] if item.get("is_direct")]

    def _profiles(self) -> list[_Item]:
        pipelines = self._document["pipelines"]
        return [each for pipeline in pipelines for each in pipeline["action_profiles"]]

    def _sets(self) -> list[_Item]:
        return [*self._document.get("parse_vsets", ())]

    def _table(self, table: _Item) -> p4i.Table:
        name, is_filled = table["name"], bool(table.get("entries"))
        message = p4i.Table(
            preamble=self._preamble("TABLE", name),
            match_fields=[
                self._match_field(number, part) for number, part in enumerate(table["key"], start=1)
            ],
            action_refs=[
                p4i.ActionRef(id=self._id("ACTION", action["name"]))
                for action in self._offered[name]
            ],
            size=table["max_size"],
            is_const_table=is_filled,
            has_initial_entries=is_filled,
            direct_resource_ids=list(self._direct_resources(name)),
        )
        if table.get("action_profile") is not None:
            message.implementation_id = self._id("ACTION_PROFILE", table["action_profile"])
        if name in self._defaults:
            default = self._id("ACTION", self._defaults[name]["name"])
            message.initial_default_action.action_id = default
            if table["default_entry"].get("action_const"):
                message.const_default_action_id = default
        if table.get("support_timeout"):
            message.idle_timeout_behavior = p4i.Table.NOTIFY_CONTROL
        return message

    def _match_field(self, number: int, part: _Item) -> p4i.MatchField:
        return p4i.MatchField(
            id=number,
            name=part.get("name") or ".".join(part["target"]),
            bitwidth=self._widths.of(part["target"]),
            match_type=_MATCH_TYPES[part["match_type"]],
        )

    def _direct_resources(self, table: str) -> Iterator[int]:
        for kind, arrays in (
            ("DIRECT_COUNTER", "counter_arrays"),
            ("DIRECT_METER", "meter_arrays"),
        ):
            bound = (each for each in self._direct(arrays) if each["binding"] == table)
            yield from (self._id(kind, each["name"]) for each in bound)

    def _action(self, action: _Item) -> p4i.Action:
        parameters = enumerate(action["runtime_data"], start=1)
        return p4i.Action(
            preamble=self._preamble("ACTION", action["name"]),
            params=[
                p4i.Action.Param(id=number, name=each["name"], bitwidth=each["bitwidth"])
                for number, each in parameters
            ],
        )

    def _profile(self, profile: _Item) -> p4i.ActionProfile:
        return p4i.ActionProfile(
            preamble=self._preamble("ACTION_PROFILE", profile["name"]),
            table_ids=[
                self._id("TABLE", table["name"])
                for table in self._tables
                if table.get("action_profile") == profile["name"]
            ],
            with_selector="selector" in profile,
            size=profile["max_size"],
        )

    def _value_sets(self) -> Iterator[p4i.ValueSet]:
        """The format has their widths where a parser's state compares with them."""
        keys = {
            transition["value"]: state["transition_key"]
            for parser in self._document["parsers"]
            for state in parser["parse_states"]
            for transition in state["transitions"]
            if transition["type"] == "parse_vset"
        }
        for item in self._sets():
            of_fields = [
                part["value"][1] if part["type"] == "lookahead" else self._widths.of(part["value"])
                for part in keys.get(item["name"], ())
            ]
            widths = enumerate(of_fields or [item["compressed_bitwidth"]], start=1)
            yield p4i.ValueSet(
                preamble=self._preamble("VALUE_SET", item["name"]),
                match=[
                    p4i.MatchField(id=number, bitwidth=width, match_type=p4i.MatchField.EXACT)
                    for number, width in widths
                ],
                size=item.get("max_size", 0),
            )

    def _digests(self) -> Iterator[p4i.Digest]:
        for learned in self._learn_lists:
            members = p4t.P4TupleTypeSpec(members=map(_bits, learned.widths_bits))
            preamble = self._preamble("DIGEST", learned.name)
            yield p4i.Digest(preamble=preamble, type_spec=p4t.P4DataTypeSpec(tuple=members))

    def _preamble(self, kind: str, name: str) -> p4i.Preamble:
        return p4i.Preamble(id=self._id(kind, name), name=name, alias=self._aliases[name])

    def _id(self, kind: str, name: str) -> int:
        return self._ids[kind][name]


_COUNTED = p4i.CounterSpec(unit=p4i.CounterSpec.BOTH)


def _bits(width_bits: int) -> p4t.P4DataTypeSpec:
    bit = p4t.P4BitTypeSpec(bitwidth=width_bits)
    return p4t.P4DataTypeSpec(bitstring=p4t.P4BitstringLikeTypeSpec(bit=bit))


def _metered(meter: _Item) -> p4i.MeterSpec:
    return p4i.MeterSpec(unit=_METER_UNITS.get(meter.get("type", ""), p4i.MeterSpec.UNSPECIFIED))


def _is_compiler_s(table: _Item) -> bool:
    """Whether p4c made it of a statement; there is nothing to set in it."""
    if not table.get("default_entry", {}).get("action_const"):
        return False
    if _OF_SWITCH.fullmatch(table["name"]):
        return bool(table.get("entries"))
    return table["name"].startswith("tbl_") and not table["key"]
