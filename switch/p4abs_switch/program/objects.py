"""A program's objects by id: the dictionary between controller and engine.

The engine knows objects by name and position, the controller by id (P4Runtime 1.5, section 6).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeVar

from p4abs_switch.program.data_type import DataType
from p4abs_switch.program.translation import SdnStrings, Translation
from p4abs_switch.status import invalid


class MatchKind(Enum):
    """How a key field is matched; the values are BMv2's names."""

    EXACT = "exact"
    LPM = "lpm"
    TERNARY = "ternary"
    RANGE = "range"
    OPTIONAL = "optional"  # p4c hands it to BMv2 as ternary


@dataclass(frozen=True, slots=True)
class Field:
    """A value of `bit<W>`: an action parameter or a field of a controller header.

    translation: what controllers give in the place of its number.
    """

    id: int
    name: str
    width_bits: int
    translation: Translation | None = field(default=None, kw_only=True)


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
class ActionProfile:
    """An action profile, or action selector: actions that entries of tables refer to by id.

    `max_group_size` bounds the sum of a group's weights, or of its members if `counts_members`;
    0: no bound. `ports` is as that of the program.
    """

    id: int
    name: str
    size: int
    has_selector: bool
    max_group_size: int
    counts_members: bool
    max_member_weight: int
    weights_disallowed: bool
    actions: Mapping[int, Action]
    ports: SdnStrings | None = None


@dataclass(frozen=True, slots=True)
class Meter:
    """A meter array, or the direct meter of a table, whose size is 0.

    is_single_rate: pir and pburst are cir and cburst. has_excess: there is an eburst, too.
    """

    id: int
    name: str
    size: int
    is_single_rate: bool
    has_excess: bool


@dataclass(frozen=True, slots=True)
class ValueSet:
    """A set of values that a parser state matches against."""

    id: int
    name: str
    key: tuple[KeyField, ...]
    size: int

    @property
    def what(self) -> str:
        """How messages name it."""
        return f"value set {self.name}"


@dataclass(frozen=True, slots=True)
class Digest:
    """What the program sends to the controller, and its type."""

    id: int
    name: str
    type: DataType


@dataclass(frozen=True, slots=True)
class Table:
    """A match-action table."""

    id: int
    name: str
    key: tuple[KeyField, ...]
    actions: Mapping[int, TableAction]
    size: int
    is_const: bool
    has_initial_entries: bool
    initial_default: "Action | None"
    has_const_default: bool
    has_direct_counter: bool
    direct_meter: "Meter | None"
    profile: "ActionProfile | None"
    has_idle_timeout: bool

    @property
    def what(self) -> str:
        """How messages name it."""
        return f"table {self.name}"

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
    """All objects of a P4Info. The two headers are empty where the program has none.

    `ports`: what ports that are watched or replicated to are called, where not by their numbers.
    """

    tables: Mapping[int, Table] = field(default_factory=dict)
    actions: Mapping[int, Action] = field(default_factory=dict)
    registers: Mapping[int, Register] = field(default_factory=dict)
    counters: Mapping[int, Counter] = field(default_factory=dict)
    meters: Mapping[int, Meter] = field(default_factory=dict)
    profiles: Mapping[int, ActionProfile] = field(default_factory=dict)
    value_sets: Mapping[int, ValueSet] = field(default_factory=dict)
    digests: Mapping[int, Digest] = field(default_factory=dict)
    packet_in: tuple[Field, ...] = ()
    packet_out: tuple[Field, ...] = ()
    ports: SdnStrings | None = None

    def table(self, table_id: int) -> Table:
        """The table of an id, or INVALID_ARGUMENT."""
        return _find("table", self.tables, table_id)

    def register(self, register_id: int) -> Register:
        """The register of an id, or INVALID_ARGUMENT."""
        return _find("register", self.registers, register_id)

    def counter(self, counter_id: int) -> Counter:
        """The counter of an id, or INVALID_ARGUMENT."""
        return _find("counter", self.counters, counter_id)

    def meter(self, meter_id: int) -> Meter:
        """The meter array of an id, or INVALID_ARGUMENT."""
        return _find("meter", self.meters, meter_id)

    def profile(self, profile_id: int) -> ActionProfile:
        """The action profile of an id, or INVALID_ARGUMENT."""
        return _find("action profile", self.profiles, profile_id)

    def value_set(self, value_set_id: int) -> ValueSet:
        """The value set of an id, or INVALID_ARGUMENT."""
        return _find("value set", self.value_sets, value_set_id)

    def digest(self, digest_id: int) -> Digest:
        """The digest of an id, or INVALID_ARGUMENT."""
        return _find("digest", self.digests, digest_id)


def _find(kind: str, objects: Mapping[int, _Object], wanted: int) -> _Object:
    if wanted in objects:
        return objects[wanted]
    valid = ", ".join(f"{key:#010x} ({item.name})" for key, item in objects.items())
    raise invalid(f"no {kind} has id {wanted:#010x}; valid: {valid or 'none'}")
