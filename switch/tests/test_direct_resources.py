"""Direct counters and meters of table entries (P4Runtime 1.5, sections 9.1.7, 9.3.1, 9.4.1)."""

from pathlib import Path

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, failure, pipeline_config
from .entities import Entities, exact, frame

INSERT, MODIFY, DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE
RECONCILE = p4r.SetForwardingPipelineConfigRequest.RECONCILE_AND_COMMIT
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


@pytest.mark.requirement("9.1.7-2", "9.1.7-3", "9.1.7-4")
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


BURST = p4r.MeterConfig(cir=0, cburst=2, pir=0, pburst=3)
"""Two green packets, a yellow one, then red ones."""
COUNTED = p4r.MeterCounterData(
    green=p4r.CounterData(packet_count=2, byte_count=120),
    yellow=p4r.CounterData(packet_count=1, byte_count=60),
    red=p4r.CounterData(packet_count=3, byte_count=180),
)
RESET = p4r.MeterCounterData(
    green=p4r.CounterData(), yellow=p4r.CounterData(), red=p4r.CounterData()
)


async def colored(
    switch: RunningSwitch, primary: Controller, resources: Entities
) -> tuple[p4r.Entity, p4r.Entity]:
    """The one metered entry, after six packets, and requests of it by itself with its counts."""
    entry = metered(resources, BURST)
    await primary.insert(entry)
    at_ns = switch.engine.now_us() * 1_000
    for _ in range(6):
        switch.engine.inject(1, frame(1, 2, 0x1234), at_ns)
    switch.engine.run_until(at_ns)
    by_itself = direct_meter(entry, BURST)
    by_itself.direct_meter_entry.counter_data.SetInParent()
    return entry, by_itself


async def counts(primary: Controller, resources: Entities) -> p4r.MeterCounterData:
    """What the one metered entry has counted by color, asked for both ways."""
    wanted = resources.entry("classes")
    wanted.table_entry.meter_counter_data.SetInParent()
    by_itself = direct_meter(wanted)
    by_itself.direct_meter_entry.counter_data.SetInParent()
    in_entry, direct = await primary.read(wanted, by_itself)
    assert in_entry.table_entry.meter_counter_data == direct.direct_meter_entry.counter_data
    return in_entry.table_entry.meter_counter_data


@pytest.mark.requirement("9.1.7-8", "9.4.1-4")
async def test_packets_are_counted_by_color_until_the_controller_resets_the_counts(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    entry, by_itself = await colored(resources_switch, resources_primary, resources)
    assert await counts(resources_primary, resources) == COUNTED
    unasked = await resources_primary.read(resources.entry("classes"), direct_meter(entry))
    assert unasked == [metered(resources), direct_meter(entry, BURST)]
    for unchanged in (entry, metered(resources), direct_meter(entry)):
        await resources_primary.modify(unchanged)
        assert await counts(resources_primary, resources) == COUNTED
    await resources_primary.modify(by_itself)
    assert await counts(resources_primary, resources) == RESET
    await resources_primary.delete(entry)
    entry, _ = await colored(resources_switch, resources_primary, resources)
    entry.table_entry.meter_counter_data.CopyFrom(RESET)
    await resources_primary.modify(entry)
    assert await counts(resources_primary, resources) == RESET


@pytest.mark.requirement("9.1.7-8", "9.4.1-4")
async def test_counts_by_color_cannot_be_set(
    resources_primary: Controller, resources: Entities
) -> None:
    entry = metered(resources)
    await resources_primary.insert(entry)
    entry.table_entry.meter_counter_data.green.packet_count = 1
    another = resources.entry("classes", [exact(1, 2)], "classify")
    another.table_entry.meter_counter_data.red.byte_count = 1
    by_itself = direct_meter(entry)
    by_itself.direct_meter_entry.counter_data.yellow.byte_count = -1
    elsewhere = resources.entry("hits", [exact(1, 1)], "NoAction")
    elsewhere.table_entry.meter_counter_data.SetInParent()
    default = resources.default("classes", "classify")
    default.table_entry.meter_counter_data.SetInParent()
    for kind, entity, code in (
        (MODIFY, entry, INVALID),
        (INSERT, another, INVALID),
        (MODIFY, by_itself, INVALID),
        (INSERT, elsewhere, INVALID),
        (MODIFY, default, grpc.StatusCode.UNIMPLEMENTED),
    ):
        assert (await failure(resources_primary, kind, entity))[0] is code, entity
    assert await counts(resources_primary, resources) == RESET
    await resources_primary.delete(entry)


@pytest.mark.requirement("14-10")
async def test_counts_by_color_are_carried_over_to_the_next_program(
    resources_switch: RunningSwitch,
    resources_primary: Controller,
    resources: Entities,
    resources_json: Path,
) -> None:
    await colored(resources_switch, resources_primary, resources)
    config = pipeline_config(resources_json)
    # Counts of the indexed meters, of which none is configured, are left behind.
    config.p4info.ClearField("meters")
    await resources_primary.set_config(RECONCILE, config)
    assert await counts(resources_primary, resources) == COUNTED


async def test_a_batch_that_is_rolled_back_restores_counts_by_color(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    entry, by_itself = await colored(resources_switch, resources_primary, resources)
    with pytest.raises(grpc.aio.AioRpcError):
        await resources_primary.write(
            p4r.Update(type=MODIFY, entity=by_itself),
            p4r.Update(type=DELETE, entity=entry),
            p4r.Update(type=DELETE, entity=entry),
            atomicity=p4r.WriteRequest.ROLLBACK_ON_ERROR,
        )
    assert await counts(resources_primary, resources) == COUNTED


async def _count(controller: Controller, resources: Entities) -> int:
    """Packets that the one entry of the table hits has counted."""
    wanted = resources.entry("hits")
    wanted.table_entry.counter_data.SetInParent()
    (read,) = await controller.read(wanted)
    return read.table_entry.counter_data.packet_count
