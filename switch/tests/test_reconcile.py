"""RECONCILE_AND_COMMIT: another program, the same state (P4Runtime 1.5, section 14)."""

from pathlib import Path

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, connected, pipeline_config
from .entities import Entities, exact, ternary

RECONCILE = p4r.SetForwardingPipelineConfigRequest.RECONCILE_AND_COMMIT


@pytest.mark.requirement("14-10")
async def test_all_state_is_carried_over(
    switch: RunningSwitch, primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    acl = entities.entry("acl", [ternary(1, 1, 1)], "drop", priority=3)
    acl.table_entry.counter_data.packet_count = 7
    station = entities.entry("stations", [exact(1, 1)], "forward", 1)
    station.table_entry.metadata = b"ours"
    await primary.insert(station, acl)
    changed = [
        entities.default("keyless", "forward", 2),
        entities.cell("marks", 1, b"\x05"),
        entities.counter("arrivals", 3, (1, 60)),
    ]
    await primary.modify(*changed)
    await primary.set_config(RECONCILE, pipeline_config(kinds_json, cookie=9))
    wanted_acl = entities.entry("acl")
    wanted_acl.table_entry.counter_data.SetInParent()
    assert await primary.read(entities.entry("stations"), wanted_acl) == [station, acl]
    assert await primary.read(
        entities.default("keyless"), entities.counter("arrivals", 3), entities.cell("marks", 1)
    ) == [changed[0], changed[2], changed[1]]
    assert len(await primary.read(entities.entry("fixed"))) == 1
    cookie_only = p4r.GetForwardingPipelineConfigRequest.COOKIE_ONLY
    assert (await primary.get_config(cookie_only)).config.cookie.cookie == 9


@pytest.mark.requirement("14-11")
async def test_state_without_a_place_is_named_and_the_old_program_runs_on(
    primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    station = entities.entry("stations", [exact(1, 1)], "forward", 1)
    await primary.insert(station)
    config = pipeline_config(kinds_json, cookie=9)
    stations = next(t for t in config.p4info.tables if t.preamble.id == entities.id("stations"))
    config.p4info.tables.remove(stations)
    with pytest.raises(grpc.aio.AioRpcError, match="cannot be preserved: no table") as caught:
        await primary.set_config(RECONCILE, config)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert await primary.read(entities.entry("stations")) == [station]
    await primary.delete(station)
    await primary.set_config(RECONCILE, config)


async def test_without_a_program_it_is_a_plain_commit(
    empty_switch: RunningSwitch, entities: Entities, kinds_json: Path
) -> None:
    async with connected(empty_switch.address) as controller:
        await controller.become_primary()
        await controller.set_config(RECONCILE, pipeline_config(kinds_json))
        assert await controller.read(entities.entry("stations")) == []
