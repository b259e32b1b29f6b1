"""The parts of statements: how each is read and written."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

from p4abs_switch._engine import PORT_LIMIT
from p4abs_switch.stf import tokens
from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.tokens import Tokens
from p4abs_switch.stf.values import number

COMPARISONS = ("==", "!=", "<=", "<", ">=", ">")
_MAX_DIGITS = 10  # of a port, with zeros at its front
_UNITS: TypeAlias = Literal["packets", "bytes"]
UNITS: tuple[_UNITS, ...] = get_args(_UNITS)


@dataclass(frozen=True, slots=True)
class Part:
    """read: takes it from a statement. write: its text, which is empty for what is left out."""

    read: Callable[[Tokens], Any]
    write: Callable[[Any], str] = str


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a frame must begin with: hexadecimal digits, `*` for any; exact: and end with."""

    digits: str
    exact: bool


def _port(words: Tokens) -> int:
    port = words.word()
    if not (port.isascii() and port.isdigit()):
        raise StfError(f"port {port or 'missing'}: must be a decimal number")
    if len(port) > _MAX_DIGITS or int(port) > PORT_LIMIT:  # the limit itself drops, as in BMv2
        raise StfError(f"port {port}: valid: 0 to {PORT_LIMIT - 1}")
    return int(port)


def _frame(words: Tokens) -> bytes:
    digits = words.rest()
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise StfError(f"packet data {digits}: must be pairs of hexadecimal digits") from None


def _pattern(words: Tokens) -> Pattern | None:
    digits = words.rest()
    if not re.fullmatch(r"[0-9a-fA-F*]*\$?", digits):
        raise StfError(f"expected data {digits}: must be hexadecimal digits or *, then $ for exact")
    return Pattern(digits.rstrip("$").lower(), digits.endswith("$")) if digits else None


def _pattern_text(pattern: Pattern | None) -> str:
    return "" if pattern is None else f"{pattern.digits}{'$' if pattern.exact else ''}"


def _priority(words: Tokens) -> int | None:
    text = words.accept(tokens.NUMBER)
    if text is not None and not (text.isascii() and text.isdigit()):
        raise StfError(f"priority {text}: must be a decimal number")
    return None if text is None else int(text)


def _key(words: Tokens) -> tuple[tuple[str, str], ...]:
    key: list[tuple[str, str]] = []
    while name := words.accept(tokens.NAME, ":"):
        value = words.take_value()
        sign = next((sign for sign in ("/", "&&&", "->") if words.accept(sign)), None)
        key.append((name, value if sign is None else value + sign + words.take(tokens.NUMBER)))
    return tuple(key)


def _arguments(words: Tokens) -> tuple[tuple[str, str], ...]:
    words.take("(")
    arguments: list[tuple[str, str]] = []
    while not words.accept(")"):
        if arguments:
            words.take(",")
        name = words.take(tokens.NAME)
        words.take(":")
        arguments.append((name, words.take_value()))
    return tuple(arguments)


def _assigned(separator: str) -> Callable[[tuple[tuple[str, str], ...]], str]:
    return lambda pairs: separator.join(f"{_quoted(name)}:{value}" for name, value in pairs)


def _quoted(name: str) -> str:
    """In quotes where a program's name is not one of the language."""
    return name if name.replace(".", "").replace("_", "").isalnum() else f'"{name}"'


def _entry(words: Tokens) -> str:
    """An entry's name; where it is used there may be a $ before it."""
    return words.take(tokens.NAME).removeprefix("$")


def _members(words: Tokens) -> tuple[int, ...]:
    members = []
    while member := words.accept(tokens.NUMBER):
        members.append(number(member))
    return tuple(members)


def _all(words: Tokens) -> str:
    what = words.rest()
    if what.lower() != "all":
        raise StfError(f"remove {what}: valid: remove all")
    return what


def _in_brackets(read: Callable[[Tokens], Any]) -> Part:
    def within(words: Tokens) -> Any:
        words.take("(")
        value = read(words)
        words.take(")")
        return value

    return Part(within, lambda value: f"({value})")


def _unit(words: Tokens) -> _UNITS:
    words.go_on_with("packets == 0")
    written = words.take(tokens.NAME)
    unit = next((unit for unit in UNITS if unit == written.lower()), None)
    if unit is None:
        raise StfError(f"counter unit {written}; valid: {', '.join(UNITS)}")
    return unit


def _number(words: Tokens) -> int:
    return number(words.take(tokens.NUMBER))


Assignments: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values as written."""
All: TypeAlias = Annotated[str, Part(_all)]
Arguments: TypeAlias = Annotated[
    Assignments, Part(_arguments, lambda pairs: f"({_assigned(', ')(pairs)})")
]
Cell: TypeAlias = Annotated[
    str, _in_brackets(lambda words: words.accept(tokens.NUMBER) or _entry(words))
]
EntryName: TypeAlias = Annotated[
    str | None,
    Part(
        lambda words: _entry(words) if words.accept("=") else None,
        lambda name: f"= {name}" if name else "",
    ),
]
Expected: TypeAlias = Annotated[Pattern | None, Part(_pattern, _pattern_text)]
Frame: TypeAlias = Annotated[bytes, Part(_frame, bytes.hex)]
Index: TypeAlias = Annotated[int, _in_brackets(_number)]
Key: TypeAlias = Annotated[Assignments, Part(_key, _assigned(" "))]
Members: TypeAlias = Annotated[
    tuple[int, ...], Part(_members, lambda members: " ".join(map(str, members)))
]
Name: TypeAlias = Annotated[str, Part(lambda words: words.take(tokens.NAME))]
Number: TypeAlias = Annotated[int, Part(_number)]
Port: TypeAlias = Annotated[int, Part(_port)]
Priority: TypeAlias = Annotated[
    int | None, Part(_priority, lambda value: "" if value is None else str(value))
]
Sign: TypeAlias = Annotated[str, Part(lambda words: words.take(*COMPARISONS))]
Unit: TypeAlias = Annotated[_UNITS, Part(_unit)]
