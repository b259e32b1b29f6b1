"""How an update is undone, for atomic batches (P4Runtime 1.4, section 12.2).

Reads and writes are symmetric (section 8.2): what a Read brings back, a Write restores.
"""

from collections.abc import Iterable

from finsy.proto import p4r

from p4abs_switch.entities import direct_entries, table_entries
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.requests import read


def inverse(loaded: LoadedProgram, update: p4r.Update) -> list[p4r.Update]:
    """The updates that undo an update which is applied next.

    Raises RequestError when the update has nothing to act on.
    """
    if update.type == p4r.Update.INSERT:
        return [p4r.Update(type=p4r.Update.DELETE, entity=update.entity)]
    undo = p4r.Update.INSERT if update.type == p4r.Update.DELETE else p4r.Update.MODIFY
    return [
        p4r.Update(type=undo, entity=entity)
        for entity in _present(loaded, update.type, update.entity)
    ]


def _present(
    loaded: LoadedProgram, kind: p4r.Update.Type.ValueType, entity: p4r.Entity
) -> Iterable[p4r.Entity]:
    match entity.WhichOneof("entity"):
        case "table_entry":
            wanted = entity.table_entry
            with_counter = kind == p4r.Update.DELETE or wanted.HasField("counter_data")
            present = table_entries.present(loaded, wanted, with_counter=with_counter)
            return [p4r.Entity(table_entry=present)]
        case "direct_counter_entry":
            return [direct_entries.present_counter(loaded, entity.direct_counter_entry)]
        case "direct_meter_entry":
            return [direct_entries.present_meter(loaded, entity.direct_meter_entry)]
        case _:
            return read.one(loaded, entity)
