"""Statements as text, which reads back as the same statements."""

from collections.abc import Iterable

from p4abs_switch.stf.statements import (
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


def to_text(statements: Iterable[Statement]) -> str:
    """A test with one statement per line."""
    return "".join(f"{_line(statement)}\n" for statement in statements)


def _line(statement: Statement) -> str:
    match statement:
        case Packet(port=port, frame=frame):
            return f"packet {port} {frame.hex()}"
        case Expect(port=port, pattern=pattern):
            return f"expect {port}{_pattern(pattern)}"
        case NoPacket():
            return "no_packet"
        case Wait():
            return "wait"
        case Add():
            return _add(statement)
        case AddMember(profile=profile, number=number, action=action, arguments=arguments):
            return f"add_member {profile} {number} {_call(action, arguments)}"
        case AddGroup(profile=profile, number=number, members=members):
            return " ".join(map(str, ("add_group", profile, number, *members)))
        case SetDefault(table=table, action=action, arguments=arguments):
            return f"setdefault {table} {_call(action, arguments)}"
        case RemoveAll():
            return "remove all"
        case CheckCounter(counter=name, cell=cell, unit=unit, comparison=sign, value=value):
            return f"check_counter {name}({cell}) {unit} {sign} {value}"
        case CheckRegister(register=name, index=index, comparison=sign, value=value):
            return f"check_register {name}({index}) {sign} {value}"
        case Command(name=name, arguments=words):
            return " ".join((name, *words))


def _pattern(pattern: Pattern | None) -> str:
    return "" if pattern is None else f" {pattern.digits}{'$' if pattern.exact else ''}"


def _add(statement: Add) -> str:
    priority = "" if statement.priority is None else f" {statement.priority}"
    key = "".join(f" {_name(name)}:{value}" for name, value in statement.key)
    call = _call(statement.action, statement.arguments)
    named = f" = {statement.name}" if statement.name else ""
    return f"add {statement.table}{priority}{key} {call}{named}"


def _call(action: str, arguments: Assignments) -> str:
    return f"{action}({', '.join(f'{_name(name)}:{value}' for name, value in arguments)})"


def _name(name: str) -> str:
    """Quoted where a program's name is not one of the language."""
    return name if name.replace(".", "").replace("_", "").isalnum() else f'"{name}"'
