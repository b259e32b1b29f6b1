"""CounterEntry and DirectCounterEntry over gRPC (P4Runtime 1.5, section 9.3)."""

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, batch_errors
from .entities import Entities, exact, frame, ternary


async def test_packets_and_bytes_are_counted(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    for at_ns in range(3):
        switch.engine.inject(2, frame(1, 2, 0x0800), at_ns)
    switch.engine.run_until(3)
    assert await primary.read(entities.counter("arrivals", 2)) == [
        entities.counter("arrivals", 2, (3, 180))
    ]


@pytest.mark.requirement("8.1.2-1", "9.3.2-2")
async def test_index_0_is_one_cell_and_no_index_is_all(
    primary: Controller, entities: Entities
) -> None:
    read = await primary.read(entities.counter("arrivals"))
    assert read == [entities.counter("arrivals", index, (0, 0)) for index in range(8)]
    first = p4r.CounterEntry(counter_id=entities.id("arrivals"), index=p4r.Index())
    assert await primary.read(p4r.Entity(counter_entry=first)) == read[:1]


@pytest.mark.requirement("9.3.2-3", "9.3.2-4", "9.3.2-7")
async def test_a_cell_or_the_whole_array_is_written(
    primary: Controller, entities: Entities
) -> None:
    await primary.modify(entities.counter("arrivals", counts=(1, 2)))
    await primary.modify(entities.counter("arrivals", 3, (10, 20)))
    await primary.modify(entities.counter("arrivals", 4))
    expected = [
        entities.counter("arrivals", index, (10, 20) if index == 3 else (1, 2))
        for index in range(8)
    ]
    assert await primary.read(entities.counter("arrivals")) == expected
    assert await primary.read(p4r.Entity(counter_entry=p4r.CounterEntry())) == expected


@pytest.mark.requirement("9.3.2-5", "9.3.2-6")
async def test_writes_that_do_not_fit_are_refused(primary: Controller, entities: Entities) -> None:
    cases = [
        (entities.counter("arrivals", 8, (1, 1)), grpc.StatusCode.OUT_OF_RANGE),
        (entities.counter("arrivals", -1, (1, 1)), grpc.StatusCode.INVALID_ARGUMENT),
        (entities.counter("arrivals", 0, (-1, 1)), grpc.StatusCode.INVALID_ARGUMENT),
        (
            p4r.Entity(counter_entry=p4r.CounterEntry(counter_id=1)),
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
    ]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.modify(*(entity for entity, _ in cases))
    assert [code for code, _ in batch_errors(caught.value)] == [code for _, code in cases]


@pytest.mark.requirement("9.3.1-1", "9.3.2-1")
async def test_counters_are_only_modified(primary: Controller, entities: Entities) -> None:
    acl = entities.entry("acl", [ternary(1, 1, 1)], "drop", priority=1)
    await primary.insert(acl)
    direct = p4r.Entity(direct_counter_entry=p4r.DirectCounterEntry(table_entry=acl.table_entry))
    for call in (primary.insert, primary.delete):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(entities.counter("arrivals", 0, (1, 1)), direct)
        codes = [code for code, _ in batch_errors(caught.value)]
        assert codes == [grpc.StatusCode.INVALID_ARGUMENT] * 2


@pytest.mark.requirement("9.1.7-5", "9.1.7-7")
async def test_direct_counters_count_per_entry_and_are_read_both_ways(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    station = entities.entry("stations", [exact(1, 1)], "forward", 3)
    hit = entities.entry("acl", [ternary(1, 0x0800, 0xFFFF)], "NoAction", priority=2)
    missed = entities.entry("acl", [ternary(1, 0x0801, 0xFFFF)], "drop", priority=2)
    await primary.insert(station, hit, missed)
    switch.engine.inject(1, frame(1, 2, 0x0800), 0)
    switch.engine.run_until(0)
    by_entry = {
        entity.direct_counter_entry.table_entry.match[0].ternary.value: (
            entity.direct_counter_entry.data.packet_count,
            entity.direct_counter_entry.data.byte_count,
        )
        for entity in await primary.read(p4r.Entity(direct_counter_entry=p4r.DirectCounterEntry()))
    }
    assert by_entry == {b"\x08\x00": (1, 60), b"\x08\x01": (0, 0)}
    hit.table_entry.counter_data.SetInParent()
    (read,) = await primary.read(hit)
    assert read.table_entry.counter_data == p4r.CounterData(packet_count=1, byte_count=60)


@pytest.mark.requirement("9.1.7-1", "9.1.7-5")
async def test_direct_counters_are_written_both_ways(
    primary: Controller, entities: Entities
) -> None:
    acl = entities.entry("acl", [ternary(1, 1, 1)], "drop", priority=1)
    acl.table_entry.counter_data.packet_count = 5
    await primary.insert(acl)
    direct = p4r.Entity(
        direct_counter_entry=p4r.DirectCounterEntry(
            table_entry=p4r.TableEntry(
                table_id=acl.table_entry.table_id, match=acl.table_entry.match, priority=1
            )
        )
    )
    (read,) = await primary.read(direct)
    assert read.direct_counter_entry.data == p4r.CounterData(packet_count=5)
    direct.direct_counter_entry.data.packet_count = 7
    direct.direct_counter_entry.data.byte_count = 700
    await primary.modify(direct)
    assert await primary.read(direct) == [direct]


async def test_an_entry_whose_counter_is_refused_is_not_inserted(
    primary: Controller, entities: Entities
) -> None:
    acl = entities.entry("acl", [ternary(1, 1, 1)], "drop", priority=1)
    acl.table_entry.counter_data.packet_count = -1
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.insert(acl)
    ((code, _),) = batch_errors(caught.value)
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert await primary.read(entities.entry("acl")) == []


@pytest.mark.requirement("9.3.1-2", "9.3.1-4")
async def test_direct_counters_that_are_not_there_are_refused(
    primary: Controller, entities: Entities
) -> None:
    missing = entities.entry("acl", [ternary(1, 1, 1)], priority=1).table_entry
    uncounted = entities.entry("stations", [exact(1, 1)]).table_entry
    requests = [
        p4r.Entity(direct_counter_entry=p4r.DirectCounterEntry(table_entry=entry))
        for entry in (missing, uncounted)
    ]
    expected = [grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT]
    for call in (primary.read, primary.modify):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(*requests)
        assert [code for code, _ in batch_errors(caught.value)] == expected
