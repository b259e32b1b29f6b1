"""Idle timeouts of table entries (P4Runtime 1.5, sections 9.1.8 and 16.4)."""

import asyncio

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.runtime.local import Local
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, failure
from .entities import Entities, exact, frame

TIMEOUT_NS = 1_000_000_000


def source(resources: Entities, address: int, timeout_ns: int = 0) -> p4r.Entity:
    action = "NoAction" if timeout_ns else None
    entity = resources.entry("sources", [exact(1, address)], action)
    entity.table_entry.idle_timeout_ns = timeout_ns
    return entity


@pytest.mark.requirement("9.1.8-1", "16.4-1", "16.4-2", "16.4-5")
async def test_an_entry_that_is_not_hit_is_reported_once_per_timeout(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    written = source(resources, 1, TIMEOUT_NS)
    written.table_entry.metadata = b"ours"
    written.table_entry.controller_metadata = 7
    await resources_primary.insert(written)
    for round_number in (1, 2):
        resources_switch.engine.run_until(round_number * TIMEOUT_NS)
        notification = (await resources_primary.receive()).idle_timeout_notification
        assert list(notification.table_entry) == [written.table_entry]
        assert notification.timestamp > 0


@pytest.mark.requirement("9.1.8-1", "16.4-1", "16.4-3")
async def test_a_hit_postpones_the_report(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    hit, idle = source(resources, 1, TIMEOUT_NS), source(resources, 2, TIMEOUT_NS)
    await resources_primary.insert(hit, idle)
    resources_switch.engine.inject(1, frame(9, 1, 0x0800), TIMEOUT_NS // 2)
    resources_switch.engine.run_until(TIMEOUT_NS)
    notification = (await resources_primary.receive()).idle_timeout_notification
    assert list(notification.table_entry) == [idle.table_entry]


async def test_an_idle_entry_of_a_table_that_the_p4info_does_not_have_is_not_told(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    """As Thrift's clients may have made it."""
    engine, local = resources_switch.engine, Local(resources_switch.engine, resources.p4info)
    config = (await resources_primary.get_config()).config
    tables = [table for table in config.p4info.tables if table.preamble.alias != "sources"]
    del config.p4info.tables[:]
    config.p4info.tables.extend(tables)
    commit = p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT
    await resources_primary.set_config(commit, config)
    entry = resources.entry("sources", [exact(1, 1)], "NoAction").table_entry
    entry.idle_timeout_ns = TIMEOUT_NS
    local.insert(table_entry=entry)
    engine.run_until(TIMEOUT_NS)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(resources_primary.stream.read(), 0.3)
    await resources_primary.read(resources.entry("hits"))


@pytest.mark.requirement("9.1.8-2", "16.4-4")
async def test_entries_without_timeout_are_never_reported(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(
        resources.entry("sources", [exact(1, 1)], "NoAction"),
        resources.entry("hits", [exact(1, 1)], "NoAction"),
    )
    resources_switch.engine.run_until(1000 * TIMEOUT_NS)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(resources_primary.stream.read(), 0.3)


@pytest.mark.requirement("9.1.8-3", "9.1.8-5", "9.1.8-9")
async def test_the_time_since_the_last_hit_is_told_if_asked_for(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(source(resources, 1, 100 * TIMEOUT_NS))
    resources_switch.engine.run_until(3 * TIMEOUT_NS)
    wanted = resources.entry("sources")
    (unasked,) = await resources_primary.read(wanted)
    assert not unasked.table_entry.HasField("time_since_last_hit")
    wanted.table_entry.time_since_last_hit.SetInParent()
    (asked,) = await resources_primary.read(wanted)
    assert asked.table_entry.time_since_last_hit.elapsed_ns == 3 * TIMEOUT_NS
    assert asked.table_entry.idle_timeout_ns == 100 * TIMEOUT_NS


@pytest.mark.requirement("9.1.8-4", "9.1.8-7", "9.1.8-10")
async def test_what_has_no_idle_timeout_is_refused(
    resources_primary: Controller, resources: Entities
) -> None:
    other_table = resources.entry("hits", [exact(1, 1)], "NoAction")
    other_table.table_entry.idle_timeout_ns = 1
    default = resources.default("sources", "NoAction")
    default.table_entry.idle_timeout_ns = 1
    told = source(resources, 1, 1)
    told.table_entry.time_since_last_hit.elapsed_ns = 1
    no_timeout = "idle_timeout_ns must be set to 0 for tables which do not support idle timeout"
    for kind, entity, words in (
        (p4r.Update.INSERT, other_table, no_timeout),
        (p4r.Update.MODIFY, default, "has no idle timeout here"),
        (p4r.Update.INSERT, told, "has_time_since_last_hit must not be set in WriteRequest"),
        (p4r.Update.INSERT, source(resources, 1, -1), "-1 ns"),
    ):
        code, said = await failure(resources_primary, kind, entity)
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert said.endswith(words)
    default = resources.default("sources")
    wanted_time = resources.entry("hits")
    for wanted in (wanted_time, default):
        wanted.table_entry.time_since_last_hit.SetInParent()
    with_timeout = resources.entry("hits")
    with_timeout.table_entry.idle_timeout_ns = 1
    for wanted in (wanted_time, default, with_timeout):
        _, ((code, _),) = await resources_primary.read_partly(wanted)
        assert code is grpc.StatusCode.INVALID_ARGUMENT
    code, _ = await failure(resources_primary, p4r.Update.MODIFY, default)
    assert code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("9.1.8-6")
async def test_the_time_since_the_last_hit_is_told_without_a_timeout_too(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(resources.entry("sources", [exact(1, 1)], "NoAction"))
    resources_switch.engine.run_until(3 * TIMEOUT_NS)
    wanted = resources.entry("sources")
    wanted.table_entry.time_since_last_hit.SetInParent()
    (read,) = await resources_primary.read(wanted)
    assert read.table_entry.time_since_last_hit.elapsed_ns == 3 * TIMEOUT_NS


@pytest.mark.requirement("9.1.8-3", "9.1.8-8")
async def test_the_shortest_timeout_is_accepted_and_reported(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    shortest = source(resources, 1, 1)
    await resources_primary.insert(shortest)
    assert await resources_primary.read(resources.entry("sources")) == [shortest]
    resources_switch.engine.run_until(1_000)
    notification = (await resources_primary.receive()).idle_timeout_notification
    assert list(notification.table_entry) == [shortest.table_entry]
