"""The statements of a test, each with the line it stands in."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Unit: TypeAlias = Literal["packets", "bytes"]
UNITS: tuple[Unit, ...] = get_args(Unit)
Assignments: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values as written."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a frame must begin with: hexadecimal digits, `*` for any; exact: and end with."""

    digits: str
    exact: bool


@dataclass(frozen=True, slots=True)
class Packet:
    """A frame arrives."""

    line: int
    port: int
    frame: bytes


@dataclass(frozen=True, slots=True)
class Expect:
    """A frame leaves; without a pattern, any."""

    line: int
    port: int
    pattern: Pattern | None


@dataclass(frozen=True, slots=True)
class NoPacket:
    """The packet before it brings out no frame."""

    line: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Time passes."""

    line: int


@dataclass(frozen=True, slots=True)
class Add:
    """A table entry; of priorities the higher wins."""

    line: int
    table: str
    priority: int | None
    key: Assignments
    action: str
    arguments: Assignments
    name: str | None


@dataclass(frozen=True, slots=True)
class AddMember:
    """A member of an action profile; entries refer to it as `member(id:NUMBER)`."""

    line: int
    profile: str
    number: int
    action: str
    arguments: Assignments


@dataclass(frozen=True, slots=True)
class AddGroup:
    """A group of an action profile's members; entries refer to it as `group(id:NUMBER)`."""

    line: int
    profile: str
    number: int
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetDefault:
    """A table's default action."""

    line: int
    table: str
    action: str
    arguments: Assignments


@dataclass(frozen=True, slots=True)
class RemoveAll:
    """All entries go, but for those of tables that the program fills."""

    line: int


@dataclass(frozen=True, slots=True)
class CheckCounter:
    """A counter's cell, or the direct counter of an entry by its name, against a number."""

    line: int
    counter: str
    cell: str
    unit: Unit
    comparison: str
    value: int


@dataclass(frozen=True, slots=True)
class CheckRegister:
    """A register's cell against a number."""

    line: int
    register: str
    index: int
    comparison: str
    value: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command of BMv2's command line."""

    line: int
    name: str
    arguments: tuple[str, ...]


Statement: TypeAlias = (
    Packet
    | Expect
    | NoPacket
    | Wait
    | Add
    | AddMember
    | AddGroup
    | SetDefault
    | RemoveAll
    | CheckCounter
    | CheckRegister
    | Command
)
