"""Updates of a Write, by the kind of their entity (P4Runtime 1.5, sections 9 and 12)."""

from finsy.proto import p4r

from p4abs_switch.entities.kinds import kind_of
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.status import invalid


def request(loaded: LoadedProgram, item: p4r.Update) -> None:
    """Applies one update of a controller. Raises RequestError; then nothing was changed."""
    if item.type != p4r.Update.DELETE:
        kind = kind_of("update", item.entity)
        kind.check_request(loaded, kind.message(item.entity))
    update(loaded, item)


def update(loaded: LoadedProgram, item: p4r.Update) -> None:
    """Applies one update. Raises RequestError; then nothing was changed."""
    if item.type == p4r.Update.UNSPECIFIED:
        raise invalid("the update has no type; valid: INSERT, MODIFY, DELETE")
    kind = kind_of("update", item.entity)
    kind.write(loaded, item.type, kind.message(item.entity))
