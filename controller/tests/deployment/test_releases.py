"""Ports that are returned to their safe limits and taken back, over real gRPC."""

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from p4abs.access.program import program_path
from p4abs.config import Source, load_settings
from p4abs.errors import P4absError, UserError
from p4abs.session import PortControlState
from p4abs.session.ports.releases import affordable
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.recorder import at_work

pytestmark = pytest.mark.usefixtures("patience")

SAFE_LIMIT = 200_000


def loaded(address: str, count: int = 2, interval: str = "5ms", **keys: object):
    ports = [
        {
            "number": number,
            "name": f"Ethernet{number}",
            "capacity": "10Mbit",
            "policy": "delay-cap",
            "max-delay": "100ms",
            "initial-limit": "60kB",
            **keys,
        }
        for number in range(1, count + 1)
    ]
    tables = {"switch": [{"grpc-addr": address, "interval": interval, "port": ports}]}
    return load_settings(Source(tables), {}).switch[0]


def limit(switch, port: int = 1) -> int:
    return switch.engine.registers_read([("queue_limit_bytes", port)])[0]


@asynccontextmanager
async def controlling(eventually, live: bool = True, **keys: object):
    """A switch under control, whose rule asks for 125,000 bytes, and the first port's settings."""
    async with (
        running(config(program=program_path("queue")), live=live) as switch,
        at_work(loaded(switch.address, **keys)) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        yield switch, run, run.controller.settings.port[0]


@pytest.mark.parametrize("count", [2, 20], ids=["per port", "batched"])
async def test_a_released_port_has_its_safe_limit_and_keeps_it_while_others_are_controlled(
    eventually, count: int
) -> None:
    keys = {"safe-limit": f"{SAFE_LIMIT}B", "max-delay": "1s", "count": count}
    async with controlling(eventually, **keys) as (switch, run, port):
        await eventually(lambda: limit(switch) == limit(switch, 2) == 1_250_000)
        said = await run.controller.releases.release(port, "me@here")
        assert said == "port 1 (Ethernet1): held by safe limit of 195.3KiB"
        assert limit(switch) == SAFE_LIMIT
        begun = run.events.ticks
        await eventually(lambda: run.events.ticks > begun + 20)
        assert (limit(switch), limit(switch, 2)) == (SAFE_LIMIT, 1_250_000)
        assert run.controller.releases.state(port) is PortControlState.RELEASED
        assert run.events.said("released by me@here")
        run.controller.releases.take_back(port, "me@here")
        await eventually(lambda: limit(switch) == 1_250_000)
        assert run.controller.releases.state(port) is PortControlState.CONTROLLED
        assert run.events.said("taken back by me@here")


async def test_a_release_stays_when_the_switch_is_lost_and_when_settings_change(eventually) -> None:
    keys = {"safe-limit": f"{SAFE_LIMIT}B", "max-delay": "1s"}
    async with controlling(eventually, **keys) as (switch, run, port):
        await run.controller.releases.release(port, "me@here")
        run.controller.adopt(loaded(switch.address, **{**keys, "max-delay": "500ms"}))
        begun = run.events.ticks
        await eventually(lambda: run.events.ticks > begun + 20)
        assert limit(switch) == SAFE_LIMIT
        switch.engine.registers_write([("queue_limit_bytes", 1, 7_000)])
        await eventually(lambda: limit(switch) == SAFE_LIMIT)
        assert await run.end()
        assert limit(switch) == SAFE_LIMIT


async def test_what_cannot_be_released_or_taken_back_is_a_refusal(eventually) -> None:
    async with controlling(eventually, mode="observe") as (_, run, port):
        with pytest.raises(UserError, match=r"port 1 \(Ethernet1\) is only observed"):
            await run.controller.releases.release(port, "me@here")
    async with controlling(eventually) as (_, run, port):
        with pytest.raises(UserError, match="is not released: it is in control"):
            run.controller.releases.take_back(port, "me@here")
        assert await run.end()
        with pytest.raises(UserError, match="is not under control here: stopped"):
            await run.controller.releases.release(port, "me@here")


@pytest.mark.parametrize("change", [{"count": 1}, {"mode": "observe"}], ids=["gone", "observed"])
async def test_a_port_that_a_reload_takes_while_it_is_released_is_a_refusal(
    eventually, change: dict[str, object]
) -> None:
    keys = {"safe-limit": f"{SAFE_LIMIT}B", "max-delay": "1s"}
    async with controlling(eventually, **keys) as (switch, run, _):

        async def reload() -> None:
            run.controller.adopt(loaded(switch.address, **keys, **change))

        port = run.controller.settings.port[1]
        with pytest.raises(UserError, match=r"port 2 \(Ethernet2\) is no longer released"):
            await asyncio.gather(run.controller.releases.release(port, "me@here"), reload())


async def test_with_shared_memory_a_release_takes_what_others_leave(eventually) -> None:
    async with running(config(program=program_path("queue")), live=True) as switch:
        settings = loaded(switch.address, **{"safe-limit": "500kB", "max-delay": "1s"})
        settings = settings.model_copy(update={"memory": 300_000})
        async with at_work(settings) as run:
            await eventually(lambda: run.events.ticks > 3)
            await run.controller.releases.release(settings.port[0], "me@here")
            assert limit(switch, 1) + limit(switch, 2) <= 300_000


def test_a_release_takes_nothing_that_others_may_still_hold() -> None:
    """A limit that has fallen, until that is sure and its queue has drained."""
    port = {"number": [1, 2], "capacity": "10Mbit", "safe-limit": "200kB"}
    (settings,) = load_settings(Source({"port": [port], "switch": {"memory": "300kB"}}), {}).switch
    control = SimpleNamespace(
        limits=lambda: {1: 50_000, 2: 100_000},
        may_hold=lambda: {1: 50_000, 2: 240_000},
        capacities=lambda: {1: 10_000_000, 2: 10_000_000},
    )
    assert affordable(settings.port[0], control, settings) == 60_000


async def test_a_switch_that_does_not_answer_is_said_and_gets_the_limit_later(eventually) -> None:
    async with controlling(eventually, **{"safe-limit": "100kB"}) as (switch, run, port):
        hidden = run.controller.loop.control.limit_in_force
        run.controller.loop.control.limit_in_force = lambda number: 1
        with pytest.raises(P4absError, match=r"has not confirmed it within 2\.01 s"):
            await asyncio.wait_for(run.controller.releases.release(port, "me@here"), 60)
        run.controller.loop.control.limit_in_force = hidden
        await eventually(lambda: limit(switch) == 100_000)
