"""A program's objects under the names that tests use.

BMv2's driver takes a full name or any end of one that is unique; key fields have rules of their
own, which make `valid` and `stack$0.field` short for what the JSON calls them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from p4abs_switch._engine import EngineError
from p4abs_switch.bmv2.document import parsed
from p4abs_switch.bmv2.errors import InputError

_STACK_ELEMENT = re.compile(r"\$(\d+)")
_PRIORITY_KINDS = frozenset({"ternary", "range", "optional"})


@dataclass(frozen=True, slots=True)
class KeyField:
    """A field of a key; kind is BMv2's match type, target what is matched."""

    name: str
    kind: str
    target: str
    width_bits: int


@dataclass(frozen=True, slots=True)
class Action:
    """An action and its parameters' widths in bits by name, in order."""

    name: str
    parameters: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with the actions of its entries, which a profile may hold.

    number: its id in BMv2's messages.
    default: the action that it starts with where no entry is hit; None with a profile.
    """

    name: str
    number: int
    size: int
    key: tuple[KeyField, ...]
    actions: tuple[Action, ...]
    profile: str | None
    default: Action | None
    has_own_entries: bool
    has_constant_default: bool
    has_counter: bool
    has_meter: bool
    has_timeouts: bool

    @property
    def is_compiler_s(self) -> bool:
        """Whether p4c made it of a statement; there is nothing to set in it."""
        return self.name.startswith("tbl_") and self.has_constant_default and not self.key

    @property
    def has_priority(self) -> bool:
        """Whether its entries need a priority."""
        return any(field.kind in _PRIORITY_KINDS for field in self.key)

    def field(self, name: str) -> KeyField:
        """The key field a test means. Raises InputError."""
        name = _STACK_ELEMENT.sub(r"[\1]", name)
        fields = {field.name: field for field in self.key}
        stem = name.removesuffix(".valid") if name.endswith(".valid") else name
        for full in (name, f"{name}$", f"{name}.$valid$", f"{stem}.$valid$"):
            if full in fields:
                return fields[full]
        for full, field in fields.items():
            if full.endswith((f".{name}", f".{name}$", f".{stem}.$valid$")) or (
                name == "valid" and full.endswith("$valid$")
            ):
                return field
        raise InputError(
            f"table {self.name} has no key field {name}; valid: {', '.join(fields) or 'none'}"
        )

    def action(self, name: str) -> Action:
        """The action a test means. Raises InputError."""
        return _find(f"action of table {self.name}", self.actions, name)


@dataclass(frozen=True, slots=True)
class Profile:
    """An action profile with the actions of its tables; selects: whether it has groups."""

    name: str
    size: int
    actions: tuple[Action, ...]
    selects: bool

    def action(self, name: str) -> Action:
        """The action a test means. Raises InputError."""
        return _find(f"action of profile {self.name}", self.actions, name)


@dataclass(frozen=True, slots=True)
class Array:
    """Registers (of a width), counters or meters (without one)."""

    name: str
    size: int
    width_bits: int


@dataclass(frozen=True, slots=True)
class Direct:
    """Counters or meters of a table's entries."""

    name: str
    table: str


@dataclass(frozen=True, slots=True)
class ValueSet:
    """A parser value set and the widths of its fields."""

    name: str
    size: int
    widths_bits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LearnList:
    """What a digest tells: its number in BMv2's messages and the widths of its fields."""

    name: str
    number: int
    widths_bits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """What a test can name."""

    tables: tuple[Table, ...]
    profiles: tuple[Profile, ...]
    registers: tuple[Array, ...]
    counters: tuple[Array, ...]
    meters: tuple[Array, ...]
    direct_counters: tuple[Direct, ...]
    direct_meters: tuple[Direct, ...]
    value_sets: tuple[ValueSet, ...]
    learn_lists: tuple[LearnList, ...]
    aliases: Mapping[str, str]

    def table(self, name: str) -> Table:
        """The table a test means. Raises InputError."""
        own = [table for table in self.tables if not table.is_compiler_s]
        return _find("table", self.tables, self.aliases.get(name, name), valid=own)

    def profile(self, name: str) -> Profile:
        """The action profile a test means. Raises InputError."""
        return _find("action profile", self.profiles, self.aliases.get(name, name))

    def register(self, name: str) -> Array:
        """The register a test means. Raises InputError."""
        return _find("register", self.registers, self.aliases.get(name, name))

    def counter(self, name: str) -> Array:
        """The counter a test means. Raises InputError."""
        return _find("counter", self.counters, self.aliases.get(name, name))

    def meter(self, name: str) -> Array:
        """The meter a test means. Raises InputError."""
        return _find("meter", self.meters, self.aliases.get(name, name))


NO_NAMES = Names((), (), (), (), (), (), (), (), (), {})
"""Those of no program."""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_Object = TypeVar("_Object", bound=_Named)


def _find(
    kind: str, objects: Iterable[_Object], name: str, *, valid: Iterable[_Object] | None = None
) -> _Object:
    """valid: those that a message lists; None: all."""
    objects = list(objects)
    by_preference = (
        [item for item in objects if item.name == name],
        [item for item in objects if item.name.endswith(f".{name}")],
        [item for item in objects if item.name.endswith(name)],
    )
    for found in by_preference:
        if len(found) > 1:
            raise InputError(
                f"{kind} {name} is ambiguous: {', '.join(item.name for item in found)}"
            )
        if found:
            return found[0]
    listed = ", ".join(item.name for item in (objects if valid is None else valid))
    raise InputError(f"no {kind} {name}; valid: {listed or 'none'}")


def read_names(program: bytes, aliases: Mapping[str, str]) -> Names:
    """The names in a program's BMv2 JSON. Raises InputError."""
    try:
        return _names(parsed(program), aliases)
    except EngineError as error:
        raise InputError(f"is not BMv2's JSON: {error}") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"is not BMv2's JSON: {type(error).__name__} {error}") from None


def _names(document: Mapping[str, Any], aliases: Mapping[str, str]) -> Names:
    actions = {
        item["id"]: Action(item["name"], {p["name"]: p["bitwidth"] for p in item["runtime_data"]})
        for item in document["actions"]
    }
    widths = _Widths(document)
    tables = tuple(
        _table(item, actions, widths)
        for pipeline in document["pipelines"]
        for item in pipeline["tables"]
    )
    return Names(
        tables,
        tuple(_profiles(document, tables)),
        _arrays(document["register_arrays"]),
        _arrays(document["counter_arrays"]),
        _arrays(document["meter_arrays"]),
        _direct(document["counter_arrays"]),
        _direct(document["meter_arrays"]),
        tuple(_value_sets(document, widths)),
        tuple(_learn_lists(document, widths)),
        aliases,
    )


def _value_sets(document: Mapping[str, Any], widths: "_Widths") -> Iterator[ValueSet]:
    """The format has their widths where a parser's state compares with them."""
    keys = {
        transition["value"]: state["transition_key"]
        for parser in document["parsers"]
        for state in parser["parse_states"]
        for transition in state["transitions"]
        if transition["type"] == "parse_vset"
    }
    for item in document.get("parse_vsets", ()):
        of_fields = tuple(
            part["value"][1] if part["type"] == "lookahead" else widths.of(part["value"])
            for part in keys.get(item["name"], ())
        )
        widths_bits = of_fields or (item["compressed_bitwidth"],)
        yield ValueSet(item["name"], item.get("max_size", 0), widths_bits)


def _learn_lists(document: Mapping[str, Any], widths: "_Widths") -> Iterator[LearnList]:
    """The compiler calls all lists of one field alike: one with other fields than a list before it
    has the name that the engine gives it."""
    known: list[LearnList] = []
    for item in document.get("learn_lists", ()):
        of_fields = tuple(
            4 * len(part["value"].removeprefix("0x"))
            if part["type"] == "hexstr"
            else widths.of(part["value"])
            for part in item["elements"]
        )
        name, number = item["name"], item["id"]
        if any(each.name == name and each.widths_bits != of_fields for each in known):
            name = f"{name}.{number}"
        known.append(LearnList(name, number, of_fields))
    yield from known


def _profiles(document: Mapping[str, Any], tables: Iterable[Table]) -> Iterator[Profile]:
    for pipeline in document["pipelines"]:
        for item in pipeline["action_profiles"]:
            used = (table.actions for table in tables if table.profile == item["name"])
            actions = dict.fromkeys(action.name for part in used for action in part)
            by_name = {action.name: action for table in tables for action in table.actions}
            offered = tuple(by_name[name] for name in actions)
            yield Profile(item["name"], item["max_size"], offered, "selector" in item)


def _table(item: Mapping[str, Any], actions: Mapping[int, Action], widths: "_Widths") -> Table:
    default = item.get("default_entry", {})
    return Table(
        item["name"],
        item["id"],
        item["max_size"],
        tuple(_key_field(part, widths) for part in item["key"]),
        tuple(actions[number] for number in item["action_ids"]),
        item.get("action_profile"),
        actions.get(default.get("action_id")),
        bool(item.get("entries")),
        bool(default.get("action_const")),
        bool(item.get("with_counters")),
        bool(item.get("direct_meters")),
        bool(item.get("support_timeout")),
    )


def _key_field(part: Mapping[str, Any], widths: "_Widths") -> KeyField:
    target = ".".join(part["target"])
    return KeyField(
        part.get("name") or target, part["match_type"], target, widths.of(part["target"])
    )


def _arrays(items: Iterable[Mapping[str, Any]]) -> tuple[Array, ...]:
    """All but direct ones, which belong to tables."""
    return tuple(
        Array(item["name"], item["size"], item.get("bitwidth", 0))
        for item in items
        if not item.get("is_direct")
    )


def _direct(items: Iterable[Mapping[str, Any]]) -> tuple[Direct, ...]:
    """Those that belong to tables."""
    return tuple(Direct(item["name"], item["binding"]) for item in items if item.get("is_direct"))


class _Widths:
    """Widths of fields in bits."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        types = {
            item["name"]: {field[0]: field[1] for field in item["fields"]}
            for item in document["header_types"]
        }
        self._headers = {item["name"]: types[item["header_type"]] for item in document["headers"]}

    def of(self, target: list[str]) -> int:
        """The width of a key's target; validity is one bit."""
        width = self._headers.get(target[0], {}).get(target[-1], 1)
        return width if isinstance(width, int) else 1
