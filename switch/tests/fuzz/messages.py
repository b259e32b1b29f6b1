"""Random P4Runtime messages about a program, from right ones to nonsense."""

import random
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from finsy.proto import p4i, p4r
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from .right import RightEntities

_Message = TypeVar("_Message", bound=Message)

_NUMBERS = (0, 1, 2, 3, 255, 511, 65_535, 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**64 - 1, -1, -(2**31))
_BOUNDS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_DEEPEST = 4


class Messages:
    """Messages about the objects of a P4Info, as random numbers have it."""

    def __init__(self, source: random.Random, p4info: p4i.P4Info) -> None:
        self._source = source
        self._right = RightEntities(source, p4info)
        self._ids = [
            item.preamble.id
            for _, items in p4info.ListFields()
            if not isinstance(items, Message)
            for item in items
            if hasattr(item, "preamble")
        ]

    def entity(self) -> p4r.Entity:
        """Right, almost right, or nonsense."""
        right = self._right.entity() if self._source.random() < 0.8 else self._any_entity()
        if self._source.random() < 0.4:
            self.damage(right)
        return right

    def damage(self, message: Message) -> None:
        """Changes, clears or adds a field of the message or of one of its parts."""
        part = self._part(message)
        fields = part.DESCRIPTOR.fields
        if not fields:
            return
        field = self._source.choice(fields)
        if self._source.random() < 0.3:
            part.ClearField(field.name)
        else:
            self._set(part, field, 1)

    def fill(self, message: Message, depth: int = 0) -> None:
        """Sets some of the fields."""
        for field in message.DESCRIPTOR.fields:
            if self._source.random() < 0.4:
                self._set(message, field, depth)

    def bytes(self) -> bytes:
        kind = self._source.randrange(4)
        if kind == 0:
            return self._source.randbytes(self._source.randrange(20))
        length = self._source.choice((1, 1, 1, 2, 4, 6, 16))
        return bytes(length - 1) * (kind == 1) + bytes([self._source.randrange(8)])

    def _part(self, message: Message) -> Message:
        parts = [message]
        while self._source.random() < 0.8:
            below = [part for _, value in parts[-1].ListFields() for part in _messages(value)]
            if not below:
                break
            parts.append(self._source.choice(below))
        return parts[-1]

    def _set(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        if field.message_type is not None:
            if depth < _DEEPEST:
                target = getattr(message, field.name)
                if field.message_type.GetOptions().map_entry:
                    part = target[self._source.choice((*target, "x"))]
                else:
                    part = target.add() if field.is_repeated else target
                part.SetInParent()
                self.fill(part, depth + 1)
        elif field.is_repeated:
            getattr(message, field.name).append(self._scalar(field))
        else:
            setattr(message, field.name, self._scalar(field))

    def _scalar(self, field: FieldDescriptor) -> Any:
        choose = self._source.choice
        match field.cpp_type:
            case FieldDescriptor.CPPTYPE_BOOL:
                return choose((True, False))
            case FieldDescriptor.CPPTYPE_ENUM:
                numbers = [value.number for value in field.enum_type.values]
                return choose((*numbers, 77))
            case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
                return self.bytes()
            case FieldDescriptor.CPPTYPE_STRING:
                return choose(("", "role", "x" * 300, "\u0000\n", "ä"))
            case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
                return choose((0.0, float("nan"), 1e300))
        low, high = _BOUNDS[field.cpp_type]
        numbers = (*_NUMBERS, *range(6), *self._ids) if field.name.endswith("id") else _NUMBERS
        return max(low, min(high, choose(numbers)))

    def _any_entity(self) -> p4r.Entity:
        entity = p4r.Entity()
        field = self._source.choice(p4r.Entity.DESCRIPTOR.fields)
        self._set(entity, field, 0)
        return entity


def _messages(value: object) -> list[Message]:
    if isinstance(value, Mapping):
        value = value.values()
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [each for each in value if isinstance(each, Message)]
    return [value] if isinstance(value, Message) else []
