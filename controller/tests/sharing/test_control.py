"""Control of an embedded switch whose queues share memory by thresholds, over gRPC."""

import json
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest
from p4abs.access.connection import Connection
from p4abs.access.program import Program, load_program, program_path
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.errors import UserError
from p4abs.queues import QueueAddress
from p4abs.session import SwitchState
from p4abs_switch import PortConfig
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.recorder import at_work

pytestmark = pytest.mark.usefixtures("patience")

PROGRAM = load_program("shared_queue")
CONTROL = "AbsIngress.queue_limit.share_memory"
MEMORY = 400_000
SOURCE = 1
PORTS = (2, 3, 4, 5)
FRAME_BYTES = 1_000
US_NS = 1_000


def settings(address: str, sharing: str = "dynamic-thresholds", **port: Any) -> SwitchSettings:
    """Ports that may have all of the memory, as far as thresholds or each other let them."""
    common = {"capacity": "8Mbit", "initial-limit": f"{MEMORY}B"}
    if sharing != "limits":
        common["policy"] = "static"
    switch = {"grpc-addr": address, "interval": "5ms", "memory": f"{MEMORY}B"}
    tables = {
        "defaults": {**common, "safe-limit": f"{MEMORY}B"},
        "switch": {**switch, "memory-sharing": sharing},
        "port": [{"number": number} | (port if number == PORTS[0] else {}) for number in PORTS],
    }
    (loaded,) = load_settings(Source(tables), {}).switch
    return loaded


def switch_config(**changes: Any):
    """Ports that send a byte per microsecond, in virtual time."""
    links = [PortConfig(port, rate_bps=8_000_000) for port in PORTS]
    return config(ports=[PortConfig(SOURCE), *links], **changes)


def program(engine: Any) -> Programmed:
    return Programmed.of(engine, program_path("shared_queue").read_bytes())


def memory_of(engine: Any) -> int:
    [size] = program(engine).default(f"{CONTROL}.memory_size")
    return size


def entries(engine: Any, table: str) -> dict[tuple[int, ...], tuple[int, ...]]:
    found = program(engine).entries(f"{CONTROL}.{table}")
    return {tuple(part for (part,) in key): tuple(data) for key, data in found.items()}


def shares(engine: Any) -> dict[int, tuple[int, ...]]:
    """By the queue's index."""
    found = entries(engine, "memory_sharing")
    return {QueueAddress(*key).index: data for key, data in found.items()}


def scales(engine: Any) -> dict[int, tuple[int, ...]]:
    return {number: data for (number,), data in entries(engine, "memory_class_scale").items()}


class Traffic:
    """Bursts, in the switch's virtual time."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.now_us = self.most_occupied = 0
        for port in PORTS:
            program(engine).add(
                "AbsIngress.forwarding.ethernet_forward",
                [(int.from_bytes(_station(port), "big"),)],
                "AbsIngress.forwarding.forward",
                port,
            )

    def burst(self, ports: tuple[int, ...], duration_us: int) -> None:
        """Two frames to each port in the time in which it sends one."""
        for _ in range(0, duration_us, FRAME_BYTES // 2):
            for port in ports:
                frame = _station(port).ljust(FRAME_BYTES, b"\x88")
                self.engine.inject(SOURCE, frame, self.now_us * US_NS)
            self.now_us += FRAME_BYTES // 2
            self.engine.run_until(self.now_us * US_NS)
            self.most_occupied = max(self.most_occupied, self.occupied)

    @property
    def occupied(self) -> int:
        return self.engine.registers_read([("occupied_bytes", 0)])[0]

    def backlogs(self) -> list[int]:
        names = ("admitted_bytes", "departed_bytes")
        counts = self.engine.registers_read([(name, port) for port in PORTS for name in names])
        return [after - before for after, before in zip(counts[::2], counts[1::2], strict=True)]


def _station(port: int) -> bytes:
    return bytes([2, 0, 0, 0, 0, port])


@pytest.mark.parametrize("alpha", [1.0, 0.5, 4.0])
async def test_bursts_take_what_dynamic_thresholds_let_them(eventually, alpha: float) -> None:
    """alpha / (1 + n alpha) of the memory each, and never more than there is together."""
    async with running(switch_config(), live=False) as switch:
        wanted = settings(switch.address)
        ports = tuple(port.model_copy(update={"alpha": alpha}) for port in wanted.port)
        async with at_work(wanted.model_copy(update={"port": ports}), PROGRAM) as run:
            await eventually(lambda: run.events.ticks > 3)
            traffic = Traffic(switch.engine)
            for bursting in (1, 4, 2):
                traffic.burst(PORTS[:bursting], 1_000_000)
                backlogs = traffic.backlogs()
                expected = alpha * MEMORY / (1 + bursting * alpha)
                for backlog in backlogs[:bursting]:
                    assert backlog == pytest.approx(expected, abs=3 * (1 + alpha) * FRAME_BYTES)
                assert backlogs[bursting:] == [0] * (len(PORTS) - bursting)
            assert traffic.most_occupied <= MEMORY
            assert traffic.occupied == sum(traffic.backlogs())


async def test_abm_divides_by_the_queues_that_are_congested(eventually) -> None:
    """So that three of them have together what one of them would have alone.

    Frames are whole: a queue counts by up to a frame less than one when it is full, and all three
    by 2.9 or 3.
    """
    async with (
        running(switch_config(), live=False) as switch,
        at_work(settings(switch.address, "abm", priority=7), PROGRAM) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        traffic = Traffic(switch.engine)
        full_scales = [(round(65536 / congested),) for congested in (2.9, 3.0)]
        assert scales(switch.engine) == {0: (65536,), 7: (65536,)}

        def three_count_each_other() -> bool:
            traffic.burst(PORTS[1:], 10_000)
            return scales(switch.engine)[0] in full_scales

        await eventually(three_count_each_other)
        traffic.burst(PORTS[1:], 1_000_000)
        assert traffic.occupied == pytest.approx(MEMORY / 2, rel=0.05)
        assert scales(switch.engine)[7] == (65536,)
        assert traffic.most_occupied <= MEMORY
        assert await run.end()
        assert scales(switch.engine) == {0: (65536,), 7: (65536,)}
        assert memory_of(switch.engine) == MEMORY


async def test_other_settings_are_in_force_while_control_goes_on(eventually) -> None:
    async with (
        running(switch_config(), live=False) as switch,
        at_work(settings(switch.address), PROGRAM) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        engine = switch.engine
        assert (memory_of(engine), scales(engine)) == (MEMORY, {})
        assert shares(engine) == dict.fromkeys(PORTS, (0, 1024))
        queues = [{"number": 0}, {"number": 7, "alpha": 0.5}]
        changed = settings(switch.address, "abm", alpha=0.25, priority=3, queue=queues)
        run.controller.adopt(changed)
        await eventually(lambda: shares(engine).get(QueueAddress(2, 7).index) == (3, 512))
        assert shares(engine)[2] == (3, 256)
        await eventually(lambda: scales(engine) == {0: (65536,), 3: (65536,)})
        limits = settings(switch.address, "limits")
        run.controller.adopt(limits)
        await eventually(lambda: (memory_of(engine), shares(engine)) == (0, {}))
        assert scales(engine) == {}
        control = run.controller.loop.control
        await eventually(lambda: sum(control.limits()[port] for port in PORTS) <= MEMORY)
        assert run.controller.state is SwitchState.CONTROLLING


async def test_thresholds_are_not_touched_while_a_port_is_observed(eventually) -> None:
    """Whichever settings a session begins with."""
    async with running(switch_config(), live=False) as switch:

        def in_force() -> tuple[int, tuple[int, ...] | None]:
            return memory_of(switch.engine), shares(switch.engine).get(PORTS[0])

        observed = settings(switch.address, mode="observe", alpha=4)
        async with at_work(observed, PROGRAM) as run:
            await eventually(lambda: run.events.ticks > 3)
            assert in_force() == (0, None)
            assert run.events.said("thresholds are not written while port 2 is observed")
            run.controller.adopt(settings(switch.address))
            await eventually(lambda: in_force() == (MEMORY, (0, 1024)))
            run.controller.adopt(observed)
            before = run.events.ticks
            await eventually(lambda: run.events.ticks > before + 3)
            assert await run.end()
        assert in_force() == (MEMORY, (0, 1024))


async def test_a_switch_that_starts_anew_gets_its_tables_again(eventually) -> None:
    async with AsyncExitStack() as first_life:
        first = await first_life.enter_async_context(running(switch_config(), live=False))
        async with at_work(settings(first.address), PROGRAM) as run:
            await eventually(lambda: run.events.ticks > 3)
            await first_life.aclose()
            await eventually(lambda: run.controller.state is SwitchState.LOST)
            again = replace(switch_config(), grpc_address=first.address)
            async with running(again, live=False) as second:
                before = run.events.ticks
                await eventually(lambda: run.events.ticks > before)
                assert memory_of(second.engine) == MEMORY
                assert shares(second.engine) == dict.fromkeys(PORTS, (0, 1024))


async def test_a_data_plane_that_starts_anew_gets_its_tables_again(eventually) -> None:
    """With another's push the session goes on."""
    async with (
        running(switch_config(), live=False) as switch,
        at_work(settings(switch.address), PROGRAM) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        traffic = Traffic(switch.engine)
        traffic.burst(PORTS, 100_000)
        before = run.events.ticks
        await eventually(lambda: run.events.ticks > before + 2)
        switch.engine.load(PROGRAM.device_config)

        def is_as_before() -> bool:
            traffic.burst((), 1_000)
            are_shared = shares(switch.engine) == dict.fromkeys(PORTS, (0, 1024))
            return are_shared and memory_of(switch.engine) == MEMORY

        await eventually(is_as_before)


async def test_a_new_primary_finds_what_another_has_left_and_makes_it_its_own(eventually) -> None:
    async with running(switch_config(), live=False) as switch:
        async with at_work(settings(switch.address, "abm", alpha=2), PROGRAM) as run:
            await eventually(lambda: run.events.ticks > 3)
            assert await run.end()
        async with at_work(settings(switch.address, alpha=0.5), PROGRAM) as run:
            await eventually(lambda: run.events.ticks > 3)
            assert shares(switch.engine) == {**dict.fromkeys(PORTS, (0, 1024)), 2: (0, 512)}
            assert scales(switch.engine) == {}


@pytest.mark.parametrize("build", ["queue", "virtual_queue"])
async def test_a_program_without_the_tables_is_refused(build: str) -> None:
    async with (
        running(switch_config(program=program_path(build)), live=False) as switch,
        at_work(settings(switch.address)) as run,
    ):
        with pytest.raises(UserError, match="use the program shared_queue"):
            await run.task


async def test_limits_share_memory_with_this_program_too(eventually) -> None:
    async with (
        running(switch_config(), live=False) as switch,
        at_work(settings(switch.address, "limits"), PROGRAM) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        assert (memory_of(switch.engine), shares(switch.engine)) == (0, {})
        assert sum(run.controller.loop.control.limits().values()) <= MEMORY


def with_thresholds_of_ports() -> Program:
    """As the program was before version 3.2: entries have no queue."""
    current = load_program("shared_queue")
    table = next(each for each in current.p4info.tables if each.preamble.alias == "memory_sharing")
    del table.match_fields[1:]
    compiled = json.loads(current.device_config)
    tables = [each for pipeline in compiled["pipelines"] for each in pipeline["tables"]]
    next(each for each in tables if each["name"] == table.preamble.name)["key"].pop()
    return Program(current.p4info, json.dumps(compiled).encode())


async def test_limits_remove_thresholds_that_an_older_controller_wrote(eventually) -> None:
    """The switch still runs the program of that time."""
    older = with_thresholds_of_ports()
    async with running(switch_config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            await connection.push(older)
        present = Programmed.of(switch.engine, older.device_config)
        present.set_default(f"{CONTROL}.memory_size", f"{CONTROL}.set_memory", MEMORY)
        present.add(f"{CONTROL}.memory_sharing", [(2,)], f"{CONTROL}.share", 0, 1024)
        async with at_work(settings(switch.address, "limits")) as run:
            await eventually(lambda: run.events.ticks > 3)
        assert present.default(f"{CONTROL}.memory_size") == [0]
        assert present.entries(f"{CONTROL}.memory_sharing") == {}
