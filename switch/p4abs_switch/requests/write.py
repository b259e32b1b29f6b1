"""Updates of a Write, by the kind of their entity (P4Runtime 1.4, sections 9 and 12)."""

from finsy.proto import p4r

from p4abs_switch.entities import (
    counters,
    digests,
    direct_entries,
    meters,
    profiles,
    registers,
    replication,
    table_entries,
    value_sets,
)
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.status import Code, RequestError


def update(loaded: LoadedProgram, item: p4r.Update) -> None:
    """Applies one update. Raises RequestError; then nothing was changed."""
    if item.type == p4r.Update.UNSPECIFIED:
        raise RequestError(
            Code.INVALID_ARGUMENT, "the update has no type; valid: INSERT, MODIFY, DELETE"
        )
    entity = item.entity
    match entity.WhichOneof("entity"):
        case "table_entry":
            table_entries.write(loaded, item.type, entity.table_entry)
        case "register_entry":
            registers.write(loaded, item.type, entity.register_entry)
        case "counter_entry":
            counters.write(loaded, item.type, entity.counter_entry)
        case "direct_counter_entry":
            direct_entries.write_counter(loaded, item.type, entity.direct_counter_entry)
        case "direct_meter_entry":
            direct_entries.write_meter(loaded, item.type, entity.direct_meter_entry)
        case "action_profile_member":
            profiles.write_member(loaded, item.type, entity.action_profile_member)
        case "action_profile_group":
            profiles.write_group(loaded, item.type, entity.action_profile_group)
        case "packet_replication_engine_entry":
            replication.write(loaded, item.type, entity.packet_replication_engine_entry)
        case "meter_entry":
            meters.write(loaded, item.type, entity.meter_entry)
        case "value_set_entry":
            value_sets.write(loaded, item.type, entity.value_set_entry)
        case "digest_entry":
            digests.write(loaded, item.type, entity.digest_entry)
        case None:
            raise RequestError(Code.INVALID_ARGUMENT, "the update has no entity")
        case other:
            raise RequestError(Code.UNIMPLEMENTED, f"{other} is not supported")
