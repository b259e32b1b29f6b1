"""What the server knows of a kind of entity: one record for each (P4Runtime 1.5, section 9)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from finsy.proto import p4r

from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.status import invalid

Change: TypeAlias = p4r.Update.Type.ValueType
"""INSERT, MODIFY or DELETE."""

Message = TypeVar("Message")


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[Message]):
    """A kind of entity. All functions raise RequestError.

    name: its field of p4r.Entity.
    object_id: the P4Info id of an entity's object.
    write: applies one update, or changes nothing.
    check_request: refuses what a controller may not write, though a rollback restores it.
    read: what a request finds; fetched now, translated as it is taken.
    present: what an update would overwrite, as a Write restores it; unset: what `read` finds.
    wildcards: requests that together read all state of the kind, but for what other kinds tell.
    is_inserted: whether an entity is there by an INSERT; others always are, and can be modified.
    """

    name: str
    object_id: Callable[[Message], int]
    write: Callable[[LoadedProgram, Change, Message], None]
    read: Callable[[LoadedProgram, Message], Iterable[p4r.Entity]]
    check_request: Callable[[LoadedProgram, Message], None] = lambda *_: None
    present: Callable[[LoadedProgram, Change, Message], Iterable[p4r.Entity]] | None = None
    wildcards: tuple[p4r.Entity, ...] = ()
    is_inserted: Callable[[Message], bool] = lambda _: True

    def message(self, entity: p4r.Entity) -> Message:
        """The part of an entity of this kind."""
        message: Message = getattr(entity, self.name)
        return message

    def before(
        self, loaded: LoadedProgram, change: Change, message: Message
    ) -> Iterable[p4r.Entity]:
        """What an update would overwrite, as a Write restores it."""
        if self.present is None:
            return self.read(loaded, message)
        return self.present(loaded, change, message)


def never_inserted(_: object) -> bool:
    """For kinds whose entities are there with the program."""
    return False


def check_modified(what: str, change: Change) -> None:
    """Raises RequestError INVALID_ARGUMENT for other changes of what is there with the program."""
    if change != p4r.Update.MODIFY:
        raise invalid(f"{what} can only be modified")
