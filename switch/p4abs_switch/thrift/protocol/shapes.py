"""What goes over the wire, said by annotations.

A struct is a dataclass whose fields are numbered from 1, in order. A `dict[str, str]` can only be
written. A field that a peer leaves out is zero or empty; an optional one is None. An argument may
stand for something else, such as a name for an object: see Meaning.
"""

import types
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from p4abs_switch.thrift.protocol.wire import Elements, Fields, Kind, ProtocolError, Texts, Value

Bool: TypeAlias = Annotated[bool, Kind.BOOL]
I16: TypeAlias = Annotated[int, Kind.I16]
I32: TypeAlias = Annotated[int, Kind.I32]
I64: TypeAlias = Annotated[int, Kind.I64]
Double: TypeAlias = Annotated[float, Kind.DOUBLE]
Text: TypeAlias = Annotated[str, Kind.STRING]
Binary: TypeAlias = Annotated[bytes, Kind.STRING]

_BITS = {Kind.I16: 16, Kind.I32: 32, Kind.I64: 64}


@dataclass(frozen=True, slots=True)
class Shape:
    """How a value is written: its kind, the type in Python, and what a list has in it."""

    kind: Kind
    python: type
    element: "Shape | None" = None
    is_optional: bool = False
    meaning: "Meaning | None" = None


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an argument stands for: `of` makes it of the target and of what came over the wire.

    wire: the annotation of the latter.
    """

    wire: Any
    of: Callable[[Any, Any], object]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct, or an argument."""

    name: str
    number: int
    shape: Shape


@cache
def fields_of(struct: type) -> tuple[Field, ...]:
    """The fields of a dataclass."""
    hints = get_type_hints(struct, include_extras=True)
    names = [field.name for field in fields(struct)]
    return tuple(Field(name, n, shape(hints[name])) for n, name in enumerate(names, start=1))


def arguments_and_result(
    method: Callable[..., Any], first: int = 1
) -> tuple[tuple[Field, ...], Shape | None]:
    """The arguments of a call, numbered from the first, and its result; None: it gives nothing."""
    hints = get_type_hints(method, include_extras=True)
    result = hints.pop("return")
    arguments = (Field(name, n, shape(hints[name])) for n, name in enumerate(hints, start=first))
    return tuple(arguments), None if result is type(None) else shape(result)


def shape(annotation: Any) -> Shape:
    """What an annotation says."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated and isinstance(parts[1], Meaning):
        return replace(shape(parts[1].wire), meaning=parts[1])
    if origin is Annotated:
        return Shape(parts[1], parts[0])
    if origin in (Union, types.UnionType):
        [inner] = [shape(part) for part in parts if part is not type(None)]
        return Shape(inner.kind, inner.python, inner.element, is_optional=True)
    if origin is dict:
        return Shape(Kind.MAP, dict)
    if origin is list:
        return Shape(Kind.LIST, list, shape(parts[0]))
    if is_dataclass(annotation) and isinstance(annotation, type):
        return Shape(Kind.STRUCT, annotation)
    raise TypeError(f"{annotation} has no shape on the wire")


def from_wire(shape: Shape, kind: Kind, value: Value, what: str) -> Any:
    """A value that was read. Raises ProtocolError, which names it."""
    if kind is not shape.kind:
        raise ProtocolError(f"{what} is {kind.name}; valid: {shape.kind.name}")
    match value:
        case Fields():
            return shape.python(**arguments_from_wire(fields_of(shape.python), value))
        case Elements(element_kind, values) if shape.element is not None:
            return [from_wire(shape.element, element_kind, each, what) for each in values]
        case bytes() if shape.python is str:
            try:
                return value.decode()
            except UnicodeDecodeError:
                raise ProtocolError(f"{what} is {value!r}, which is no text") from None
        case _:
            return value


def arguments_from_wire(expected: tuple[Field, ...], given: Fields) -> dict[str, Any]:
    """Fields by their names; what is not expected is left aside. Raises ProtocolError."""
    return {
        field.name: from_wire(field.shape, *given.values[field.number], field.name)
        if field.number in given.values
        else _left_out(field.shape)
        for field in expected
    }


def _left_out(shape: Shape) -> Any:
    if shape.is_optional:
        return None
    if shape.kind is Kind.STRUCT:
        return shape.python(**arguments_from_wire(fields_of(shape.python), Fields({})))
    return shape.python()


def to_wire(shape: Shape, value: Any) -> Value:
    """A value to be written; whole numbers are cut off to their width, as in C++."""
    match shape.kind:
        case Kind.STRUCT:
            return fields_to_wire(value)
        case Kind.LIST if shape.element is not None:
            element = shape.element
            return Elements(element.kind, [to_wire(element, each) for each in value])
        case Kind.MAP:
            return Texts({key.encode(): word.encode() for key, word in value.items()})
        case Kind.STRING if isinstance(value, str):
            return value.encode()
        case Kind.I16 | Kind.I32 | Kind.I64:
            half = 1 << (_BITS[shape.kind] - 1)
            return (int(value) + half) % (2 * half) - half
        case _:
            result: Value = value
            return result


def fields_to_wire(struct: Any) -> Fields:
    """A struct to be written; what is None is left out."""
    present = (
        (field, getattr(struct, field.name))
        for field in fields_of(struct.__class__)
        if getattr(struct, field.name) is not None
    )
    return Fields(
        {field.number: (field.shape.kind, to_wire(field.shape, value)) for field, value in present}
    )
