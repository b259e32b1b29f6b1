"""Storms of packets to controllers cost no exchange, whatever the settings are."""

import grpc
import pytest
from p4abs.access.rpc_error import RpcError
from p4abs.access.tables.packet_ins import RATE_PPS
from p4abs.cli.fleet_run import reload

from controller.tests.fleet.conftest import CLASSES, PORTS, World

OBSERVED = {"mode": "observe"}
# Port 1 is controlled, port 2 is only observed.
MIXED = [{**PORTS, "number": 1}, {**PORTS, **OBSERVED, "number": 2}]
MODES = {"controlled": [PORTS], "observed": [{**PORTS, **OBSERVED}], "mixed": MIXED}
every_mode = pytest.mark.parametrize("ports", MODES.values(), ids=MODES)
DENIED = RpcError("write", grpc.StatusCode.PERMISSION_DENIED, "it is the role forwarding's")


def lost(run) -> int:
    return run.statistics("one").lost_exchanges


@every_mode
async def test_a_storm_from_the_first_on_costs_no_exchange(world: World, ports) -> None:
    switch = world.add("one", has_storm=True)
    run = await world.run(2.0, settings=world.settings(port=ports))
    assert switch.rates == dict.fromkeys(CLASSES, RATE_PPS)
    assert len(run.ticks.at_s["one"]) > 90
    assert (lost(run), run.failures) == (0, {})


@every_mode
async def test_a_reload_bounds_what_has_no_rate_any_more(world: World, ports) -> None:
    switch = world.add("one")

    async def change(run) -> None:
        switch.rates = {2: 7}
        other = [{**port, "safe-limit": "250kB"} for port in ports]
        await reload(run.of, lambda: world.settings(port=other))
        await world.clock.sleep(0.1)
        switch.has_storm = True

    run = await world.run(4.0, change)
    assert switch.rates == dict.fromkeys(CLASSES, RATE_PPS) | {2: 7}
    assert lost(run) == 0


@every_mode
async def test_a_switch_that_starts_anew_is_bounded_again(world: World, ports) -> None:
    """With a new session: the storm is there before it."""
    switch = world.add("one", lasts_s=1.0)
    world.after(0.9, "one", answers=False)
    world.after(2.3, "one", answers=True, lasts_s=None, rates={}, has_storm=True)
    run = await world.run(6.0, settings=world.settings(port=ports))
    assert switch.rates.keys() == CLASSES
    assert run.fleet.switches["one"].controller.reconnections == 1
    assert lost(run) == 0


@every_mode
async def test_a_data_plane_that_starts_anew_is_bounded_again(world: World, ports) -> None:
    """Within a session, as another controller's push does it."""
    switch = world.add("one")

    async def start_anew(_run) -> None:
        switch.rates, switch.ports = {}, {}
        switch.begun_us = round(world.clock.time_s * 1e6)
        await world.clock.sleep(0.1)
        switch.has_storm = True

    run = await world.run(4.0, start_anew, settings=world.settings(port=ports))
    assert switch.rates.keys() == CLASSES
    assert switch.connections == 1
    assert lost(run) == 0


async def test_what_observing_writes_is_said(world: World) -> None:
    world.add("one")
    settings = world.settings(OBSERVED)
    run = await world.run(2.0, settings=settings)
    said = f"one: packet-ins: {RATE_PPS}/s set for each class that had no rate"
    assert run.ticks.lines.count(said) == 1
    run = await world.run(2.0, settings=settings)
    assert said not in run.ticks.lines


async def test_without_the_right_to_write_control_goes_on_and_it_is_said_once(
    world: World,
) -> None:
    switch = world.add("one", bounding=[DENIED] * 3)
    run = await world.run(6.0)
    assert len([line for line in run.ticks.lines if "packet-ins: " in line]) == 1
    assert any(f"one: packet-ins: {DENIED}; trying again" in line for line in run.ticks.lines)
    assert switch.rates.keys() == CLASSES
    assert lost(run) == 0


async def test_a_program_without_the_meter_is_controlled_all_the_same(world: World) -> None:
    world.has_packet_in_meter = False
    switch = world.add("one")
    run = await world.run(2.0)
    assert switch.rates == {}
    assert (lost(run), run.failures) == (0, {})


@pytest.mark.parametrize(("ports", "times"), [([PORTS], 1), ([{**PORTS, **OBSERVED}], 0)])
async def test_only_who_controls_writes_a_rate_that_is_there_again(world, ports, times) -> None:
    switch = world.add("one", rates=dict.fromkeys(CLASSES, 7))
    await world.run(2.0, settings=world.settings(port=ports))
    assert (switch.written_again, switch.rates) == (times, dict.fromkeys(CLASSES, 7))
