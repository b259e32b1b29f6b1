"""How an update is undone, for atomic batches (P4Runtime 1.5, section 12.2).

Reads and writes are symmetric (section 8.2): what a Read brings back, a Write restores.
"""

from finsy.proto import p4r

from p4abs_switch.entities.kinds import kind_of
from p4abs_switch.program.loaded_program import LoadedProgram


def inverse(loaded: LoadedProgram, update: p4r.Update) -> list[p4r.Update]:
    """The updates that undo an update which is applied next.

    Raises RequestError when the update has nothing to act on.
    """
    if update.type == p4r.Update.INSERT:
        return [p4r.Update(type=p4r.Update.DELETE, entity=update.entity)]
    undo = p4r.Update.INSERT if update.type == p4r.Update.DELETE else p4r.Update.MODIFY
    kind = kind_of("update", update.entity)
    before = kind.before(loaded, update.type, kind.message(update.entity))
    return [p4r.Update(type=undo, entity=entity) for entity in before]
