"""From a test's text to its statements, one per line; `#` begins a comment.

p4c's language:

    packet PORT HEX
    expect PORT [HEX with * for any digit] [$ where it must end]
    no_packet | wait
    add TABLE [PRIORITY] KEY:VALUE... ACTION(PARAMETER:VALUE, ...) [= NAME]
    setdefault TABLE ACTION(...)
    remove all
    check_counter COUNTER(INDEX or NAME) [packets|bytes COMPARISON NUMBER]

and COMMANDS. A key's VALUE may have * for digits, or be VALUE/LENGTH. Beyond p4c's:

    add ... KEY:VALUE&&&MASK | KEY:LOW->HIGH
    add_member PROFILE NUMBER ACTION(...), then add ... member(id:NUMBER)
    add_group PROFILE NUMBER MEMBER..., then add ... group(id:NUMBER)
    check_register REGISTER(INDEX) COMPARISON NUMBER
"""

import re
from collections.abc import Callable, Mapping

from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.statements import (
    UNITS,
    Add,
    AddGroup,
    AddMember,
    Assignments,
    CheckCounter,
    CheckRegister,
    Command,
    Expect,
    NoPacket,
    Packet,
    Pattern,
    RemoveAll,
    SetDefault,
    Statement,
    Wait,
)
from p4abs_switch.stf.tokens import KEY_VALUE, NAME, NUMBER, Tokens
from p4abs_switch.stf.values import number

COMMANDS = frozenset(
    (
        *("mirroring_add", "mirroring_add_mc", "mirroring_delete", "mirroring_get"),
        *("mc_mgrp_create", "mc_node_create", "mc_node_update", "mc_node_associate"),
        *("counter_read", "counter_write", "counter_reset"),
        *("register_read", "register_write", "register_reset"),
        *("meter_get_rates", "meter_set_rates", "meter_array_set_rates"),
    )
)
"""Those of BMv2's command line that a test may have."""

_COMMENT = re.compile(r'("[^"]*")|#.*')  # or a quoted name, which may have the sign in it

COMPARISONS = ("==", "!=", "<=", "<", ">=", ">")


def parse(text: str) -> list[Statement]:
    """Reads a whole test. Raises StfError `LINE: what is wrong`."""
    statements = []
    for line, raw in enumerate(text.splitlines(), start=1):
        content = _COMMENT.sub(lambda found: found[1] or "", raw).strip()
        if content:
            try:
                statements.append(_statement(line, content))
            except StfError as error:
                raise StfError(f"{line}: {error}") from None
    return statements


def _statement(line: int, text: str) -> Statement:
    keyword, _, rest = text.partition(" ")
    name = keyword.lower()
    if name in COMMANDS:
        return Command(line, name, tuple(word.strip('"') for word in rest.split()))
    if name in _STATEMENTS:
        return _STATEMENTS[name](line, rest)
    valid = ", ".join(sorted([*_STATEMENTS, *COMMANDS]))
    raise StfError(f"unknown statement {keyword}; valid: {valid}")


def _packet(line: int, rest: str) -> Packet:
    port, digits = _port_and_digits(rest)
    try:
        return Packet(line, port, bytes.fromhex(digits))
    except ValueError:
        raise StfError(f"packet data {digits}: must be pairs of hexadecimal digits") from None


def _expect(line: int, rest: str) -> Expect:
    port, digits = _port_and_digits(rest)
    if not digits:
        return Expect(line, port, None)
    if not re.fullmatch(r"[0-9a-fA-F*]*\$?", digits):
        raise StfError(f"expected data {digits}: must be hexadecimal digits or *, then $ for exact")
    return Expect(line, port, Pattern(digits.rstrip("$").lower(), digits.endswith("$")))


def _port_and_digits(rest: str) -> tuple[int, str]:
    port, *data = rest.split() or [""]
    if not (port.isascii() and port.isdigit()):
        raise StfError(f"port {port or 'missing'}: must be a decimal number")
    return int(port), "".join(data)


def _no_packet(line: int, rest: str) -> NoPacket:
    Tokens(rest).end()
    return NoPacket(line)


def _wait(line: int, rest: str) -> Wait:
    Tokens(rest).end()
    return Wait(line)


def _add(line: int, rest: str) -> Add:
    tokens = Tokens(rest)
    table = tokens.take(NAME)
    priority = tokens.accept(NUMBER)
    key: list[tuple[str, str]] = []
    name = tokens.take(NAME)
    while tokens.accept(":"):
        key.append((name, tokens.take(KEY_VALUE)))
        name = tokens.take(NAME)
    arguments = _arguments(tokens)
    entry = _entry(tokens) if tokens.accept("=") else None
    tokens.end()
    return Add(line, table, _decimal("priority", priority), tuple(key), name, arguments, entry)


def _add_member(line: int, rest: str) -> AddMember:
    tokens = Tokens(rest)
    profile, member, action = tokens.take(NAME), tokens.take(NUMBER), tokens.take(NAME)
    arguments = _arguments(tokens)
    tokens.end()
    return AddMember(line, profile, number(member), action, arguments)


def _add_group(line: int, rest: str) -> AddGroup:
    tokens = Tokens(rest)
    profile, group = tokens.take(NAME), tokens.take(NUMBER)
    members = []
    while member := tokens.accept(NUMBER):
        members.append(number(member))
    tokens.end()
    return AddGroup(line, profile, number(group), tuple(members))


def _set_default(line: int, rest: str) -> SetDefault:
    tokens = Tokens(rest)
    table, action = tokens.take(NAME), tokens.take(NAME)
    arguments = _arguments(tokens)
    tokens.end()
    return SetDefault(line, table, action, arguments)


def _arguments(tokens: Tokens) -> Assignments:
    tokens.take("(")
    arguments: list[tuple[str, str]] = []
    while not tokens.accept(")"):
        if arguments:
            tokens.take(",")
        name = tokens.take(NAME)
        tokens.take(":")
        arguments.append((name, tokens.take(NUMBER)))
    return tuple(arguments)


def _entry(tokens: Tokens) -> str:
    """An entry's name; where it is used there may be a $ before it."""
    return tokens.take(NAME).removeprefix("$")


def _remove(line: int, rest: str) -> RemoveAll:
    if rest.strip().lower() != "all":
        raise StfError(f"remove {rest.strip()}: valid: remove all")
    return RemoveAll(line)


def _check_counter(line: int, rest: str) -> CheckCounter:
    tokens = Tokens(rest)
    counter = tokens.take(NAME)
    tokens.take("(")
    cell = tokens.accept(NUMBER) or _entry(tokens)
    tokens.take(")")
    written = tokens.accept(NAME)
    if written is None:
        tokens.end()
        return CheckCounter(line, counter, cell, "packets", "==", 0)
    unit = next((unit for unit in UNITS if unit == written.lower()), None)
    if unit is None:
        raise StfError(f"counter unit {written}; valid: {', '.join(UNITS)}")
    comparison = tokens.take(*COMPARISONS)
    value = tokens.take(NUMBER)
    tokens.end()
    return CheckCounter(line, counter, cell, unit, comparison, number(value))


def _check_register(line: int, rest: str) -> CheckRegister:
    tokens = Tokens(rest)
    register = tokens.take(NAME)
    tokens.take("(")
    index = tokens.take(NUMBER)
    tokens.take(")")
    comparison = tokens.take(*COMPARISONS)
    value = tokens.take(NUMBER)
    tokens.end()
    return CheckRegister(line, register, number(index), comparison, number(value))


def _decimal(what: str, text: str | None) -> int | None:
    if text is not None and not text.isdigit():
        raise StfError(f"{what} {text}: must be a decimal number")
    return None if text is None else int(text)


_STATEMENTS: Mapping[str, Callable[[int, str], Statement]] = {
    "packet": _packet,
    "expect": _expect,
    "no_packet": _no_packet,
    "wait": _wait,
    "add": _add,
    "add_member": _add_member,
    "add_group": _add_group,
    "setdefault": _set_default,
    "remove": _remove,
    "check_counter": _check_counter,
    "check_register": _check_register,
}
