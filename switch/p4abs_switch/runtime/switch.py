"""A switch whose program answers P4Runtime's reads and writes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.message import Message

from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.names import Names


class Switch(ABC):
    """Entities are given as in `read(table_entry=...)`. All methods raise what the switch does.

    names: the objects of its program.
    """

    names: Names

    @abstractmethod
    def fetch(self, wanted: p4r.Entity) -> Sequence[p4r.Entity]:
        """What matches an entity."""

    @abstractmethod
    def write(self, update: p4r.Update) -> None:
        """Applies an update, or changes nothing."""

    def read(self, **entity: Any) -> Sequence[p4r.Entity]:
        return self.fetch(p4r.Entity(**entity))

    def insert(self, **entity: Any) -> None:
        self.write(_update(p4r.Update.INSERT, entity))

    def modify(self, **entity: Any) -> None:
        self.write(_update(p4r.Update.MODIFY, entity))

    def delete(self, **entity: Any) -> None:
        self.write(_update(p4r.Update.DELETE, entity))


def _update(kind: p4r.Update.Type.ValueType, entity: Mapping[str, Message]) -> p4r.Update:
    update = p4r.Update(type=kind)
    for name, message in entity.items():
        getattr(update.entity, name).CopyFrom(message)
    return update
