"""Parser value sets (P4Runtime 1.5, section 9.6)."""

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, failure
from .entities import Entities, exact, frame, lpm

INSERT, MODIFY, DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE


def value_set(resources: Entities, *values: int) -> p4r.Entity:
    members = [p4r.ValueSetMember(match=[exact(1, value)]) for value in values]
    return p4r.Entity(
        value_set_entry=p4r.ValueSetEntry(value_set_id=resources.id("tagged"), members=members)
    )


@pytest.mark.requirement("8.2-1", "9.6-2")
async def test_members_read_back_as_written_and_are_replaced(
    resources_primary: Controller, resources: Entities
) -> None:
    everything = p4r.Entity(value_set_entry=p4r.ValueSetEntry())
    for values in ((0x8100, 0x88A8), (0x9100,), ()):
        await resources_primary.modify(value_set(resources, *values))
        for wanted in (everything, value_set(resources)):
            assert await resources_primary.read(wanted) == [value_set(resources, *values)]


@pytest.mark.requirement("9.6-6")
async def test_the_parser_matches_the_members(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    """The program drops frames with a tag; others leave by port 0, which the switch has not."""
    await resources_primary.modify(value_set(resources, 0x8100))
    for at_ns, ether_type, dropped in ((1, 0x8100, 1), (2, 0x9100, 1)):
        resources_switch.engine.inject(1, frame(1, 2, ether_type), at_ns)
        resources_switch.engine.run_until(at_ns)
        assert resources_switch.engine.statistics().program_dropped_packets == dropped


@pytest.mark.requirement("9.6-1", "9.6-3", "9.6-4", "9.6-5")
async def test_what_does_not_fit_is_refused(
    resources_primary: Controller, resources: Entities
) -> None:
    prefix = value_set(resources)
    prefix.value_set_entry.members.add(match=[lpm(1, 0, 1)])
    for kind, entity, code in (
        (INSERT, value_set(resources, 1), grpc.StatusCode.INVALID_ARGUMENT),
        (DELETE, value_set(resources), grpc.StatusCode.INVALID_ARGUMENT),
        (MODIFY, value_set(resources, 1, 1), grpc.StatusCode.ALREADY_EXISTS),
        (MODIFY, value_set(resources, 1, 2, 3, 4, 5), grpc.StatusCode.RESOURCE_EXHAUSTED),
        (MODIFY, value_set(resources, 1 << 16), grpc.StatusCode.OUT_OF_RANGE),
        (MODIFY, prefix, grpc.StatusCode.INVALID_ARGUMENT),
    ):
        assert (await failure(resources_primary, kind, entity))[0] is code, entity
    assert await resources_primary.read(value_set(resources)) == [value_set(resources)]
