"""Controllers that decide and show, and write nothing, over real gRPC."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from p4abs.access.connection import Connection
from p4abs.access.program import load_program
from p4abs.config import Source, load_settings
from p4abs.errors import UserError
from p4abs.session import SwitchController
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.recorder import Stopping, at_work

pytestmark = pytest.mark.usefixtures("patience")

PROGRAM = load_program("queue")
# Which packets are admitted depends on them; those of measuring windows are no such registers.
DECISIVE = ("queue_limit_bytes", "drain_rate", "ecn_marking")
paths = pytest.mark.parametrize("path", ["mailbox", "register-entry"])


def loaded(address: str, ports: list[dict[str, object]], **switch: object):
    tables = {"switch": [{"grpc-addr": address, "interval": "5ms", "port": ports, **switch}]}
    return load_settings(Source(tables), {}).switch[0]


def observed(number: int, **keys: object) -> dict[str, object]:
    return {"number": number, "capacity": "10Mbit", "mode": "observe", "ecn-marking": True, **keys}


def registers(switch, port: int) -> list[int]:
    return list(switch.engine.registers_read([(name, port) for name in DECISIVE]))


@asynccontextmanager
async def installed(limit_bytes: int = 45_000):
    """A switch that runs the program, with a limit at port 2 that somebody has set."""
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            await connection.push(PROGRAM)
        switch.engine.registers_write([("queue_limit_bytes", 2, limit_bytes)])
        yield switch


@paths
async def test_from_begin_to_end_nothing_is_written_that_decides_about_packets(
    eventually, path: str
) -> None:
    async with installed() as switch:
        settings = loaded(switch.address, [observed(2), observed(3)], **{"register-path": path})
        async with at_work(settings) as run:
            await eventually(lambda: run.events.ticks > 5)
            assert run.events.said("observing, no limit is written")
            assert run.controller.state == "observing"
            assert await run.end()
        assert registers(switch, 2) == [45_000, 0, 0]
        assert registers(switch, 3) == [0, 0, 0]
        assert run.events.said("left unchanged")
        assert all(sample.limit_bytes in (0, 45_000) for sample in run.events.samples)


async def test_ports_beside_observed_ones_are_controlled(eventually) -> None:
    async with installed() as switch:
        other = {"number": 3, "capacity": "10Mbit", "initial-limit": "60kB", "policy": "static"}
        async with at_work(loaded(switch.address, [observed(2), other])) as run:
            await eventually(lambda: run.events.ticks > 5)
            assert run.controller.state == "in control"
            assert registers(switch, 3)[0] == 60_000
            assert await run.end()
        assert registers(switch, 2) == [45_000, 0, 0]
        assert run.events.said("left with safe limits: port 3")
        assert not run.events.said("port 2 ")


@pytest.mark.parametrize("program", [None, PROGRAM], ids=["none", "push-pipeline"])
async def test_a_switch_without_a_program_gets_none(program) -> None:
    async with (
        running(config(), live=False) as switch,
        at_work(loaded(switch.address, [observed(2)]), program) as run,
    ):
        with pytest.raises(UserError, match="observing pushes none"):
            await run.task


async def test_a_program_other_than_asked_for_stays_and_is_told(eventually) -> None:
    async with installed() as switch:
        wanted = {"push-pipeline": "virtual_queue"}
        settings = loaded(switch.address, [observed(2)], **wanted)
        async with at_work(settings, load_program("virtual_queue")) as run:
            await eventually(lambda: run.events.ticks > 2)
        assert run.events.said("the switch does not run virtual_queue; observing")
        assert registers(switch, 2)[0] == 45_000


async def test_another_mode_by_a_reload_holds_from_the_next_exchange(eventually) -> None:
    async with installed() as switch:
        async with at_work(loaded(switch.address, [observed(2, policy="static")])) as run:
            await eventually(lambda: run.events.ticks > 2)
            controlled = observed(2, policy="static", mode="control")
            run.controller.adopt(loaded(switch.address, [controlled]))
            await eventually(lambda: registers(switch, 2) == [45_000, 1_310_720, 1])
            assert run.controller.state == "in control"
            run.controller.adopt(loaded(switch.address, [observed(2)]))
            assert run.controller.state == "observing"
            assert await run.end()
        assert registers(switch, 2)[0] == 45_000


@pytest.mark.parametrize("mode", ["control", "observe"])
async def test_a_switch_that_refuses_to_the_end_has_answered(mode: str, clock) -> None:
    stop = asyncio.Event()
    events = Stopping(stop)
    async with installed() as switch, Connection(switch.address, switch.device_id, 1):
        settings = loaded(switch.address, [observed(2, mode=mode)])
        assert not await SwitchController(settings, PROGRAM, events, clock).run(stop)
    assert not events.said("never answered")
    assert events.lines[-1].endswith(
        "was never in control; nothing was changed: election id 1 is in use by another controller; "
        "--election-id chooses another one"
    )
