"""The table of the kinds of entities: what a request can be about (P4Runtime 1.5, section 9)."""

from collections.abc import Mapping
from typing import Any

from finsy.proto import p4r

from p4abs_switch.entities import (
    counters,
    digests,
    direct_entries,
    externs,
    meters,
    profiles,
    registers,
    replication,
    table_entries,
    value_sets,
)
from p4abs_switch.entities.kind import Kind
from p4abs_switch.status import invalid

# In the order in which state can be written: what others refer to comes first.
KINDS: Mapping[str, Kind[Any]] = {
    kind.name: kind
    for kind in (
        profiles.MEMBERS,
        profiles.GROUPS,
        table_entries.KIND,
        direct_entries.COUNTERS,
        direct_entries.METERS,
        registers.KIND,
        counters.KIND,
        meters.KIND,
        value_sets.KIND,
        digests.KIND,
        replication.KIND,
        externs.KIND,
    )
}


def kind_of(what: str, entity: p4r.Entity) -> Kind[Any]:
    """The kind of the entity of an update or request (`what`). Raises RequestError for none."""
    name = entity.WhichOneof("entity")
    if name is None:
        raise invalid(f"the {what} has no entity")
    return KINDS[name]


def object_id(entity: p4r.Entity) -> int:
    """The P4Info id of an entity's object; 0 for the packet replication engine, which has none."""
    name = entity.WhichOneof("entity")
    if name is None:
        return 0
    return KINDS[name].object_id(KINDS[name].message(entity))
