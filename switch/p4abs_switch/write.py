"""Updates of a Write, by the kind of their entity (P4Runtime 1.4, sections 9 and 12)."""

from finsy.proto import p4r

from p4abs_switch import counters, registers, table_entries
from p4abs_switch.pipeline import Pipeline
from p4abs_switch.status import Code, RequestError


def update(pipeline: Pipeline, item: p4r.Update) -> None:
    """Applies one update. Raises RequestError; then nothing was changed."""
    if item.type == p4r.Update.UNSPECIFIED:
        raise RequestError(
            Code.INVALID_ARGUMENT, "the update has no type; valid: INSERT, MODIFY, DELETE"
        )
    entity = item.entity
    match entity.WhichOneof("entity"):
        case "table_entry":
            table_entries.write(pipeline, item.type, entity.table_entry)
        case "register_entry":
            registers.write(pipeline, item.type, entity.register_entry)
        case "counter_entry":
            counters.write(pipeline, item.type, entity.counter_entry)
        case "direct_counter_entry":
            counters.write_direct(pipeline, item.type, entity.direct_counter_entry)
        case None:
            raise RequestError(Code.INVALID_ARGUMENT, "the update has no entity")
        case other:
            raise RequestError(Code.UNIMPLEMENTED, f"{other} is not supported")
