"""The updates of one Write, in the three atomicity modes (P4Runtime 1.5, section 12.2)."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext

from finsy.proto import p4r

from p4abs_switch.program.loaded_program import LoadedProgram, held
from p4abs_switch.requests import rollback, write
from p4abs_switch.status import Code, RequestError, invalid

Check = Callable[[p4r.Entity], None]


def apply(
    loaded: LoadedProgram,
    updates: Sequence[p4r.Update],
    atomicity: p4r.WriteRequest.Atomicity.ValueType,
    check: Check,
) -> list[RequestError | None]:
    """Applies updates in order; for each one, its error if it failed.

    `check` raises RequestError for an entity that the controller may not write. Unless the mode is
    CONTINUE_ON_ERROR, the first failure undoes all; the other updates' error is then ABORTED. With
    DATAPLANE_ATOMIC no packet is processed in between.
    """
    if atomicity == p4r.WriteRequest.CONTINUE_ON_ERROR:
        return [_error(loaded, update, check) for update in updates]
    if atomicity not in p4r.WriteRequest.Atomicity.values():
        valid = ", ".join(p4r.WriteRequest.Atomicity.keys())
        raise invalid(f"no atomicity is {atomicity}; valid: {valid}")
    atomic = atomicity == p4r.WriteRequest.DATAPLANE_ATOMIC
    with held(loaded.switch) if atomic else nullcontext():
        return _all_or_none(loaded, updates, check)


def _error(loaded: LoadedProgram, update: p4r.Update, check: Check) -> RequestError | None:
    try:
        check(update.entity)
        write.request(loaded, update)
    except RequestError as error:
        return error
    return None


def _all_or_none(
    loaded: LoadedProgram, updates: Sequence[p4r.Update], check: Check
) -> list[RequestError | None]:
    undo: list[p4r.Update] = []
    for position, update in enumerate(updates):
        try:
            check(update.entity)
            inverse = rollback.inverse(loaded, update)
            write.request(loaded, update)
        except RequestError as error:
            _roll_back(loaded, undo)
            aborted = RequestError(
                Code.ABORTED, f"the batch was rolled back, as update {position} failed"
            )
            return [error if other is update else aborted for other in updates]
        undo += inverse
    return [None] * len(updates)


def _roll_back(loaded: LoadedProgram, undo: Sequence[p4r.Update]) -> None:
    for update in reversed(undo):
        try:
            write.update(loaded, update)
        except RequestError as error:
            raise RequestError(
                Code.INTERNAL, f"the batch cannot be rolled back: {error.message}"
            ) from error
