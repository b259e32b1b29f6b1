"""Direct counters and meters of table entries (P4Runtime 1.5, sections 9.1.7, 9.3.1, 9.4.1)."""

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, failure
from .entities import Entities, exact, frame
from .test_meters import meter

INSERT, MODIFY, DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE
INVALID = grpc.StatusCode.INVALID_ARGUMENT
CONFIG = p4r.MeterConfig(cir=1000, cburst=100, pir=2000, pburst=200)


def metered(
    resources: Entities, config: p4r.MeterConfig | None = None, action: str | None = "classify"
) -> p4r.Entity:
    entity = resources.entry("classes", [exact(1, 1)], action)
    if config is not None:
        entity.table_entry.meter_config.CopyFrom(config)
    return entity


def direct_meter(entry: p4r.Entity, config: p4r.MeterConfig | None = None) -> p4r.Entity:
    key = p4r.TableEntry(table_id=entry.table_entry.table_id, match=entry.table_entry.match)
    return p4r.Entity(direct_meter_entry=p4r.DirectMeterEntry(table_entry=key, config=config))


@pytest.mark.requirement("9.1.7-2", "9.1.7-3", "9.1.7-4", "9.4-1")
async def test_a_direct_meter_comes_goes_and_reads_with_its_entry(
    resources_primary: Controller, resources: Entities
) -> None:
    wanted = metered(resources, p4r.MeterConfig(), action=None)
    written = metered(resources, CONFIG)
    await resources_primary.insert(written)
    assert await resources_primary.read(wanted) == [written]
    unasked = await resources_primary.read(resources.entry("classes"))
    assert unasked == [metered(resources)]
    await resources_primary.modify(metered(resources))
    assert await resources_primary.read(wanted) == [metered(resources)]


@pytest.mark.requirement("9.4.1-3")
async def test_a_direct_meter_is_written_and_read_by_itself(
    resources_primary: Controller, resources: Entities
) -> None:
    entry = metered(resources)
    everything = p4r.Entity(direct_meter_entry=p4r.DirectMeterEntry())
    await resources_primary.insert(entry)
    for config in (CONFIG, None):
        await resources_primary.modify(direct_meter(entry, config))
        for wanted in (everything, direct_meter(entry)):
            assert await resources_primary.read(wanted) == [direct_meter(entry, config)]


@pytest.mark.requirement("9.1.3-7", "9.4.1-1", "9.4.1-2")
async def test_a_direct_meter_that_cannot_be_is_refused(
    resources_primary: Controller, resources: Entities
) -> None:
    entry = metered(resources)
    default = p4r.Entity(
        direct_meter_entry=p4r.DirectMeterEntry(
            table_entry=resources.default("classes").table_entry
        )
    )
    no_meter = p4r.Entity(
        direct_meter_entry=p4r.DirectMeterEntry(table_entry=resources.entry("hits").table_entry)
    )
    for kind, entity, code in (
        (MODIFY, direct_meter(entry, CONFIG), grpc.StatusCode.NOT_FOUND),
        (INSERT, direct_meter(entry, CONFIG), INVALID),
        (DELETE, direct_meter(entry, CONFIG), INVALID),
        (MODIFY, default, grpc.StatusCode.UNIMPLEMENTED),
        (MODIFY, no_meter, INVALID),
        (INSERT, metered(resources, p4r.MeterConfig(cir=-1)), INVALID),
    ):
        assert (await failure(resources_primary, kind, entity))[0] is code, entity
    assert await resources_primary.read(resources.entry("classes")) == []


@pytest.mark.requirement("9.1.3-6")
async def test_the_default_entry_counts_what_misses(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    resources_switch.engine.inject(1, frame(1, 2, 0x0800), 1)
    resources_switch.engine.run_until(1)
    default = resources.default("hits").table_entry
    wanted = p4r.Entity(direct_counter_entry=p4r.DirectCounterEntry(table_entry=default))
    (read,) = await resources_primary.read(wanted)
    counted = read.direct_counter_entry.data
    assert (counted.packet_count, counted.byte_count) == (1, 60)
    wanted.direct_counter_entry.data.packet_count = 9
    await resources_primary.modify(wanted)
    with_counter = resources.default("hits")
    with_counter.table_entry.counter_data.SetInParent()
    (entry,) = await resources_primary.read(with_counter)
    assert entry.table_entry.counter_data == p4r.CounterData(packet_count=9)


async def test_a_batch_on_direct_resources_is_rolled_back(
    resources_primary: Controller, resources: Entities
) -> None:
    entry = metered(resources, CONFIG)
    await resources_primary.insert(entry)
    with pytest.raises(grpc.aio.AioRpcError):
        await resources_primary.write(
            p4r.Update(type=MODIFY, entity=direct_meter(entry)),
            p4r.Update(type=DELETE, entity=entry),
            p4r.Update(type=DELETE, entity=entry),
            atomicity=p4r.WriteRequest.DATAPLANE_ATOMIC,
        )
    wanted = metered(resources, p4r.MeterConfig(), action=None)
    assert await resources_primary.read(wanted) == [entry]


@pytest.mark.requirement("9.1.3-2")
async def test_the_counter_of_a_default_entry_has_neither_match_nor_priority(
    resources_primary: Controller, resources: Entities
) -> None:
    default = resources.default("hits").table_entry
    default.match.append(exact(1, 1))
    wanted = p4r.Entity(direct_counter_entry=p4r.DirectCounterEntry(table_entry=default))
    assert (await failure(resources_primary, MODIFY, wanted))[0] is INVALID
    _, ((code, _),) = await resources_primary.read_partly(wanted)
    assert code is INVALID


@pytest.mark.requirement("9.1.7-5", "9.1.7-6", "9.1.7-7", "9.3.1-3")
async def test_a_direct_counter_changes_only_where_it_is_given(
    resources_primary: Controller, resources: Entities
) -> None:
    entry = resources.entry("hits", [exact(1, 1)], "NoAction")
    by_itself = p4r.Entity(
        direct_counter_entry=p4r.DirectCounterEntry(
            table_entry=resources.entry("hits", [exact(1, 1)]).table_entry
        )
    )
    await resources_primary.insert(entry)
    assert await resources_primary.read(resources.entry("hits")) == [entry]
    assert await _count(resources_primary, resources) == 0
    counted = resources.entry("hits", [exact(1, 1)], "NoAction")
    counted.table_entry.counter_data.packet_count = 7
    await resources_primary.modify(counted)
    for unchanged in (entry, by_itself):
        await resources_primary.modify(unchanged)
        assert await _count(resources_primary, resources) == 7


@pytest.mark.requirement("9.3.1-5", "9.4.1-5")
async def test_direct_resources_go_with_their_entry(
    resources_primary: Controller, resources: Entities
) -> None:
    counted, measured = resources.entry("hits", [exact(1, 1)], "NoAction"), metered(resources)
    counter = p4r.Entity(
        direct_counter_entry=p4r.DirectCounterEntry(
            table_entry=resources.entry("hits", [exact(1, 1)]).table_entry
        )
    )
    await resources_primary.insert(counted, measured)
    assert len(await resources_primary.read(counter, direct_meter(measured))) == 2
    await resources_primary.delete(counted, measured)
    found, errors = await resources_primary.read_partly(counter, direct_meter(measured))
    assert found == []
    assert [code for code, _ in errors] == [grpc.StatusCode.NOT_FOUND] * 2


@pytest.mark.requirement("9.1.7-8", "9.4-2", "9.4.1-4", "9.4.3-1")
async def test_packets_are_not_counted_by_color(
    resources_primary: Controller, resources: Entities
) -> None:
    entry = metered(resources, CONFIG)
    await resources_primary.insert(entry)
    in_entry = resources.entry("classes", [exact(1, 1)], "classify")
    in_entry.table_entry.meter_counter_data.SetInParent()
    direct, indexed = direct_meter(entry, CONFIG), meter(resources, 1, CONFIG)
    direct.direct_meter_entry.counter_data.SetInParent()
    indexed.meter_entry.counter_data.SetInParent()
    for entity in (in_entry, direct, indexed):
        code, _ = await failure(resources_primary, MODIFY, entity)
        assert code is grpc.StatusCode.UNIMPLEMENTED
        _, ((code, _),) = await resources_primary.read_partly(entity)
        assert code is grpc.StatusCode.UNIMPLEMENTED
    in_entry.table_entry.match[0].CopyFrom(exact(1, 2))
    code, _ = await failure(resources_primary, INSERT, in_entry)
    assert code is grpc.StatusCode.UNIMPLEMENTED


async def _count(controller: Controller, resources: Entities) -> int:
    """Packets that the one entry of the table hits has counted."""
    wanted = resources.entry("hits")
    wanted.table_entry.counter_data.SetInParent()
    (read,) = await controller.read(wanted)
    return read.table_entry.counter_data.packet_count
