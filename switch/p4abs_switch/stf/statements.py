"""The statements of a test, each with the line it stands in: keyword and parts, in their order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias, get_args, get_type_hints

from p4abs_switch.stf.parts import (
    All,
    Arguments,
    Cell,
    EntryName,
    Expected,
    Frame,
    Index,
    Key,
    Members,
    Name,
    Number,
    Part,
    Port,
    Priority,
    Sign,
    Unit,
)
from p4abs_switch.stf.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Packet:
    """A frame arrives."""

    line: int
    port: Port
    frame: Frame


@dataclass(frozen=True, slots=True)
class Expect:
    """A frame leaves; without a pattern, any."""

    line: int
    port: Port
    pattern: Expected


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
    table: Name
    priority: Priority
    key: Key
    action: Name
    arguments: Arguments
    name: EntryName


@dataclass(frozen=True, slots=True)
class AddMember:
    """A member of an action profile; entries refer to it as `member(id:NUMBER)`."""

    line: int
    profile: Name
    number: Number
    action: Name
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class AddGroup:
    """A group of an action profile's members; entries refer to it as `group(id:NUMBER)`."""

    line: int
    profile: Name
    number: Number
    members: Members


@dataclass(frozen=True, slots=True)
class SetDefault:
    """A table's default action."""

    line: int
    table: Name
    action: Name
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class RemoveAll:
    """All entries go, but for those of tables that the program fills."""

    line: int
    what: All = "all"


@dataclass(frozen=True, slots=True)
class CheckCounter:
    """A counter's cell, or the direct counter of an entry by its name, against a number."""

    line: int
    counter: Name
    cell: Cell
    unit: Unit
    comparison: Sign
    value: Number


@dataclass(frozen=True, slots=True)
class CheckRegister:
    """A register's cell against a number."""

    line: int
    register: Name
    index: Index
    comparison: Sign
    value: Number


@dataclass(frozen=True, slots=True)
class Command:
    """A command of BMv2's command line."""

    line: int
    name: str
    arguments: tuple[str, ...]


_OfLanguage: TypeAlias = (
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
)
Statement: TypeAlias = _OfLanguage | Command
KEYWORDS: Mapping[str, type[_OfLanguage]] = {
    "packet": Packet,
    "expect": Expect,
    "no_packet": NoPacket,
    "wait": Wait,
    "add": Add,
    "add_member": AddMember,
    "add_group": AddGroup,
    "setdefault": SetDefault,
    "remove": RemoveAll,
    "check_counter": CheckCounter,
    "check_register": CheckRegister,
}


def _parts(kind: type[_OfLanguage]) -> Mapping[str, Part]:
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: get_args(hints[each.name])[-1] for each in fields(kind)[1:]}


_PARTS: Mapping[type, Mapping[str, Part]] = {kind: _parts(kind) for kind in KEYWORDS.values()}
"""All but the line, by name."""


def read(keyword: str, line: int, rest: str) -> Statement:
    """The statement of a keyword and what stands behind it. Raises StfError."""
    kind, tokens = KEYWORDS[keyword], Tokens(rest)
    parts: list[Any] = [part.read(tokens) for part in _PARTS[kind].values()]
    tokens.end()
    return kind(line, *parts)


def to_text(statements: Iterable[Statement]) -> str:
    """A test with one statement per line, which reads back as the same statements."""
    return "".join(f"{_text(statement)}\n" for statement in statements)


def _text(statement: Statement) -> str:
    if isinstance(statement, Command):
        return " ".join((statement.name, *statement.arguments))
    text = next(word for word, kind in KEYWORDS.items() if isinstance(statement, kind))
    for name, part in _PARTS[type(statement)].items():
        written = part.write(getattr(statement, name))
        text += written if not written or written.startswith("(") else f" {written}"
    return text
