"""Queues of a port that a reload adds or takes away, and what all of them are left with."""

from collections.abc import Sequence

import pytest
from p4abs.access.program import Program, load_program
from p4abs.cli.fleet_run import reload
from p4abs.config import Settings, Source, load_settings
from p4abs.queues import QueueAddress

from controller.tests.fleet.conftest import PORTS, Run, World

SAFE_LIMIT = 200_000  # see conftest.py
LOW, MIDDLE, HIGH = (QueueAddress(2, queue).index for queue in (0, 5, 7))


def settings(*queues: int, **port: object) -> Settings:
    table = {**PORTS, "number": 2, "utilization-from": "idle", **port}
    if queues:
        table["queue"] = [{"number": queue} for queue in queues]
    switch = {"name": "one", "grpc-addr": "one:9559", "port": [table]}
    return load_settings(Source({"switch": [switch]}), {})


@pytest.fixture
def of_queues(world) -> World:
    """Its program has eight queues a port."""
    p4info = type(world.program.p4info)()
    p4info.CopyFrom(load_program("queue").p4info)
    for register in p4info.registers:
        register.size = 4096
    world.program = Program(p4info)
    world.add("one")
    return world


async def reloaded(world: World, before: Settings, after: Settings) -> Run:
    async def change(run: Run) -> None:
        await reload(run.of, lambda: after)

    run = await world.run(2.0, change, settings=before)
    assert run.failures == {}
    return run


def sampled(run: Run) -> Sequence[int]:
    return sorted({sample.port for _, sample in run.ticks.samples})


async def test_queues_come_and_go_by_a_reload(of_queues) -> None:
    run = await reloaded(of_queues, settings(0, 7), settings(0, 5))
    (line,) = [line for line in run.ticks.lines if "onfiguration" in line]
    assert line.endswith("changed: one (port 2 queue 5: added; port 2 queue 7: removed)")
    assert "one: taken out of control with safe limits: port 2 queue 7 195.3KiB" in run.ticks.lines
    assert sampled(run) == [LOW, MIDDLE, HIGH]


async def test_each_queue_is_left_with_its_safe_limit(of_queues) -> None:
    run = await reloaded(of_queues, settings(0, 7), settings(0, 5))
    written = of_queues.switches["one"].written
    assert {queue: written[queue][-1] for queue in (LOW, MIDDLE, HIGH)} == dict.fromkeys(
        (LOW, MIDDLE, HIGH), SAFE_LIMIT
    )
    assert (
        "one: left with safe limits: port 2 queue 0 195.3KiB, port 2 queue 5 195.3KiB"
        in run.ticks.lines
    )


async def test_a_port_that_gets_queues_goes_on_as_its_queue_0(of_queues) -> None:
    """What its link carries is not its capacity any more, so it begins anew, at its limit."""
    run = await reloaded(of_queues, settings(), settings(0, 7))
    (line,) = [line for line in run.ticks.lines if "onfiguration" in line]
    assert line.endswith("changed: one (port 2 queue 0: queue; port 2 queue 7: added)")
    control = run.fleet.switches["one"].controller.loop.control
    assert sorted(control.numbers) == [LOW, HIGH]
    assert run.fleet.switches["one"].settings.port[0].given_capacity is None
    assert sampled(run) == [LOW, HIGH]
