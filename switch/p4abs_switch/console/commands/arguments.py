"""The words behind a command, as its method's parameters take them.

A parameter is a text, or says by its annotation how it is read, in the order of the words. Those
with a default may be left out, and a starred one takes the rest.
"""

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from typing import Annotated, Any, TypeAlias, get_args, get_type_hints

from p4abs_switch.console.values import GREATEST_ID, whole
from p4abs_switch.errors import InputError, wrong_number
from p4abs_switch.protobuf import p4i

Read: TypeAlias = Callable[[Any, str], Any]
"""Makes an argument of the group of commands and of a word. Raises InputError."""


def number(what: str, greatest: int = GREATEST_ID, least: int = 0) -> Read:
    """A whole number, as messages call it."""
    return lambda _group, text: whole(text, what, greatest, least)


def of_kind(kind: str) -> Read:
    """An object of the program, by its name."""
    return lambda group, name: getattr(group.names, kind)(name)


Table: TypeAlias = Annotated[p4i.Table, of_kind("table")]
Profile: TypeAlias = Annotated[p4i.ActionProfile, of_kind("profile")]
Register: TypeAlias = Annotated[p4i.Register, of_kind("register")]
ValueSet: TypeAlias = Annotated[p4i.ValueSet, of_kind("value_set")]
Index: TypeAlias = Annotated[int, number("the index")]
Handle: TypeAlias = Annotated[int, number("the handle")]


def parsed(method: Callable[..., None], group: object, words: Sequence[str]) -> list[Any]:
    """The arguments of a method. Raises InputError."""
    taken = [*signature(method).parameters.values()]
    takes_rest = any(each.kind is Parameter.VAR_POSITIONAL for each in taken)
    named = [each for each in taken if each.kind is not Parameter.VAR_POSITIONAL]
    needed = [each for each in named if each.default is Parameter.empty]
    if len(words) < len(needed) or (len(words) > len(named) and not takes_rest):
        usage = _usage([*map(_name, needed)], [*map(_name, named[len(needed) :])])
        raise InputError(wrong_number(len(words), "argument", f"{usage}{' ...' * takes_rest}"))
    hints = get_type_hints(method, include_extras=True)
    pairs = zip(named, words, strict=False)
    read = [_read(hints[each.name], group, word) for each, word in pairs]
    return [*read, *words[len(named) :]]


def _read(annotation: Any, group: object, word: str) -> Any:
    return get_args(annotation)[1](group, word) if get_args(annotation) else word


def _name(parameter: Parameter) -> str:
    return parameter.name.rstrip("_")


def _usage(needed: Sequence[str], optional: Sequence[str]) -> str:
    """As in `rate [port [queue]]`."""
    return " ".join([*needed, *(f"[{each}" for each in optional)]) + "]" * len(optional)
