"""RECONCILE_AND_COMMIT: the state of one program for the next (P4Runtime 1.5, section 14).

What is carried over is what has changed since the old program was loaded, so that what the new
program declares differently, such as a default action, is taken from there.
"""

from collections.abc import Iterator

from finsy.proto import p4r

from p4abs_switch.entities.kinds import KINDS, kind_of
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.requests import read, write
from p4abs_switch.status import Code, RequestError, invalid


def carry_over(old: LoadedProgram, pristine: LoadedProgram, new: LoadedProgram) -> None:
    """Brings `new`, just loaded, to the state of `old`, whose program `pristine` has just loaded.

    Counts of counters and meters that the new program has not are left behind. Raises RequestError
    INVALID_ARGUMENT, naming what else it has no place for.
    """
    before = {_serialized(entity): entity for entity in _state(pristine)}
    now = {_serialized(entity): entity for entity in _state(old)}
    gone = [entity for key, entity in before.items() if key not in now]
    for entity in gone:
        _remove(new, entity)
    for key, entity in now.items():
        if key not in before and not _is_forgotten_count(new, entity):
            _restore(new, entity)


def _state(loaded: LoadedProgram) -> Iterator[p4r.Entity]:
    found, errors = read.entities(loaded, _everything())
    for error in errors:
        if error is not None:
            raise error
    return found


def _everything() -> list[p4r.Entity]:
    return [wildcard for kind in KINDS.values() for wildcard in kind.wildcards]


def _serialized(entity: p4r.Entity) -> bytes:
    return entity.SerializeToString(deterministic=True)


def _is_forgotten_count(new: LoadedProgram, entity: p4r.Entity) -> bool:
    match entity.WhichOneof("entity"):
        case "counter_entry":
            return entity.counter_entry.counter_id not in new.program.counters
        case "meter_entry":
            meter = entity.meter_entry
            return not meter.HasField("config") and meter.meter_id not in new.program.meters
        case _:
            return False


def _remove(new: LoadedProgram, entity: p4r.Entity) -> None:
    """Deletes an entry that the old program had declared, if the new one has it, too."""
    entry = entity.table_entry
    if entity.HasField("table_entry") and not entry.is_const and not entry.is_default_action:
        try:
            write.update(new, p4r.Update(type=p4r.Update.DELETE, entity=entity))
        except RequestError:
            return


def _restore(new: LoadedProgram, entity: p4r.Entity) -> None:
    if entity.table_entry.is_const:
        entity.table_entry.ClearField("is_const")
        entity.table_entry.ClearField("action")
    kind = kind_of("update", entity)
    is_inserted = kind.is_inserted(kind.message(entity))
    change = p4r.Update.INSERT if is_inserted else p4r.Update.MODIFY
    try:
        try:
            write.update(new, p4r.Update(type=change, entity=entity))
        except RequestError as error:
            if error.code is not Code.ALREADY_EXISTS:
                raise
            write.update(new, p4r.Update(type=p4r.Update.MODIFY, entity=entity))
    except RequestError as error:
        raise invalid(
            f"the forwarding state cannot be preserved: {error.message};"
            " VERIFY_AND_COMMIT starts from an empty one"
        ) from error
