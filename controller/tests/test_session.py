"""A controller and a switch over real gRPC, and what can come between them."""

import asyncio
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import NoReturn

import grpc
import pytest
from finsy.proto import p4i
from grpc import StatusCode
from p4abs.access.connection import Connection
from p4abs.access.program import Program, load_program, program_path
from p4abs.access.rpc_error import RpcError
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.errors import UserError
from p4abs.session import Message, SwitchController, SwitchState, Unreachable, limit_text
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.recorder import Recorder, Stopping, at_work

pytestmark = pytest.mark.usefixtures("patience")

PORT = 2
CAPACITY_BPS = 10_000_000
INITIAL_LIMIT = 60_000
SAFE_LIMIT = 200_000
PROGRAM = load_program("queue")
PATIENCE_S = 60.0


@asynccontextmanager
async def controlling(
    address: str,
    program: Program | None = PROGRAM,
    capacity: str | None = f"{CAPACITY_BPS}bit",
    ecn_marking: bool = False,
    **flags: str,
):
    port = {
        "number": str(PORT),
        "initial-limit": f"{INITIAL_LIMIT}B",
        "safe-limit": f"{SAFE_LIMIT}B",
        "policy": "static",
        "ecn-marking": ecn_marking,
    }
    if capacity is not None:
        port["capacity"] = capacity
    flags = {"grpc-addr": address, "interval": "5ms", **flags}
    (settings,) = load_settings(Source(), flags, [port]).switch
    async with at_work(settings, program) as run:
        yield run


def limit(switch) -> int:
    return switch.engine.registers_read([("queue_limit_bytes", PORT)])[0]


@pytest.mark.parametrize(
    ("wanted", "taken"), [("mailbox", "mailbox"), ("register-entry", "RegisterEntry")]
)
async def test_limits_are_in_force_during_control_and_safe_after_it(
    eventually, wanted, taken
) -> None:
    path = {"register-path": wanted}
    async with running(config(), live=False) as switch, controlling(switch.address, **path) as run:
        await eventually(lambda: run.events.ticks > 3)
        assert run.controller.state is SwitchState.CONTROLLING
        assert run.controller.reconnections == 0
        assert run.controller.register_path == taken
        assert limit(switch) == INITIAL_LIMIT
        assert await run.end()
        assert limit(switch) == SAFE_LIMIT
        assert run.events.said("left with safe limits")


async def test_a_message_of_many_ports_stays_a_line_that_can_be_read(eventually) -> None:
    async with running(config(), live=False) as switch:
        tables = {"port": [{"number": "1-100", "capacity": "10Mbit", "safe-limit": "90kB"}]}
        (settings,) = load_settings(Source(tables), {"grpc-addr": switch.address}).switch
        async with at_work(settings, PROGRAM) as run:
            await eventually(lambda: run.events.ticks > 0)
            assert await run.end()
    name = switch.address
    assert run.events.lines[-1] == (f"{name}: left with safe limits: 100 ports 87.89KiB")


async def test_a_restarted_switch_gets_pipeline_drain_rate_and_last_limit_again(
    eventually,
) -> None:
    async with AsyncExitStack() as first_life:
        first = await first_life.enter_async_context(running(config(), live=False))
        async with controlling(first.address) as run:
            await eventually(lambda: run.events.ticks > 3)
            await first_life.aclose()
            await eventually(lambda: run.controller.state is SwitchState.LOST)
            again = replace(config(), grpc_address=first.address)
            async with running(again, live=False) as second:
                before = run.events.ticks
                await eventually(lambda: run.events.ticks > before)
                assert limit(second) == INITIAL_LIMIT
                assert second.engine.registers_read([("drain_rate", PORT)]) == [1_310_720]


async def test_a_switch_without_pipeline_is_refused_unless_one_is_to_be_pushed() -> None:
    async with (
        running(config(), live=False) as switch,
        controlling(switch.address, program=None) as run,
    ):
        with pytest.raises(UserError, match="runs no program; push one: --push-pipeline"):
            await run.task


async def test_a_pipeline_without_the_registers_is_refused_before_anything_is_changed() -> None:
    p4info = p4i.P4Info()
    p4info.CopyFrom(PROGRAM.p4info)
    del p4info.registers[:]
    other = Program(p4info, PROGRAM.device_config)
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            await connection.push(other)
        async with controlling(switch.address, program=None) as run:
            with pytest.raises(UserError, match="lacks the registers departed_at_us"):
                await run.task
        assert limit(switch) == 0


async def test_a_capacity_that_the_switch_s_program_cannot_measure_has_to_be_declared() -> None:
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            await connection.push(load_program("virtual_queue"))
        async with controlling(switch.address, program=None, capacity=None) as run:
            with pytest.raises(UserError, match=r"capacity is missing.* virtual one"):
                await run.task
        assert limit(switch) == 0


async def test_without_a_declared_capacity_limits_are_in_force_and_no_drain_rate(
    eventually,
) -> None:
    async with (
        running(config(), live=False) as switch,
        controlling(switch.address, capacity=None) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        assert limit(switch) == INITIAL_LIMIT
        assert switch.engine.registers_read([("drain_rate", PORT)]) == [0]
        assert await run.end()
        assert limit(switch) == SAFE_LIMIT


@pytest.mark.parametrize("path", ["mailbox", "register-entry"])
async def test_ecn_marking_is_as_configured(eventually, path) -> None:
    def marking() -> list[int]:
        return switch.engine.registers_read([("ecn_marking", PORT)])

    flags = {"register-path": path}
    async with running(config(), live=False) as switch:
        async with controlling(switch.address, ecn_marking=True, **flags) as run:
            await eventually(lambda: run.events.ticks > 0)
            assert marking() == [1]
        async with controlling(switch.address, **flags) as run:
            await eventually(lambda: run.events.ticks > 0)
            assert marking() == [0]


async def test_ecn_marking_comes_back_to_a_data_plane_that_started_anew(eventually) -> None:
    async with (
        running(config(), live=False) as switch,
        controlling(switch.address, ecn_marking=True) as run,
    ):
        await eventually(lambda: run.events.ticks > 0)
        switch.engine.registers_write([("dropped_bytes", PORT, 9)])
        switch.engine.run_until(20_000_000)
        seen = run.events.ticks + 2
        await eventually(lambda: run.events.ticks > seen)
        switch.engine.registers_write([("dropped_bytes", PORT, 0), ("ecn_marking", PORT, 0)])
        switch.engine.run_until(40_000_000)
        await eventually(lambda: switch.engine.registers_read([("ecn_marking", PORT)]) == [1])


async def test_ecn_marking_is_refused_where_the_program_lacks_it() -> None:
    p4info = p4i.P4Info()
    p4info.CopyFrom(PROGRAM.p4info)
    registers = [each for each in p4info.registers if each.preamble.name != "ecn_marking"]
    del p4info.registers[:]
    p4info.registers.extend(registers)
    without = Program(p4info, PROGRAM.device_config)
    with pytest.raises(UserError, match="port 2: ecn-marking: the program lacks the register"):
        async with controlling("127.0.0.1:1", program=without, ecn_marking=True):
            pass


async def test_a_pipeline_that_the_switch_refuses_is_a_refusal() -> None:
    broken = Program(PROGRAM.p4info, b"no JSON")
    async with (
        running(config(), live=False) as switch,
        controlling(switch.address, program=broken) as run,
    ):
        with pytest.raises(UserError, match="push pipeline: INVALID_ARGUMENT"):
            await run.task


async def test_a_pipeline_that_runs_already_keeps_its_tables_and_counters(eventually) -> None:
    async with running(config(), live=False) as switch:
        async with controlling(switch.address) as run:
            await eventually(lambda: run.events.ticks > 0)
        switch.engine.registers_write([("admitted_bytes", PORT, 7)])
        async with controlling(switch.address) as run:
            await eventually(lambda: run.events.ticks > 0)
        assert switch.engine.registers_read([("admitted_bytes", PORT)]) == [7]


async def test_a_program_that_the_switch_was_started_with_is_not_pushed_again(eventually) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        switch.engine.registers_write([("admitted_bytes", PORT, 7)])
        async with controlling(switch.address) as run:
            await eventually(lambda: run.events.ticks > 0)
        assert not run.events.said("pipeline pushed")
        assert switch.engine.registers_read([("admitted_bytes", PORT)]) == [7]


async def test_an_election_id_that_stays_in_use_ends_control_after_a_while(
    eventually, monkeypatch
) -> None:
    async with running(config(), live=False) as switch, controlling(switch.address) as run:
        await eventually(lambda: run.events.ticks > 0)
        monkeypatch.setattr("p4abs.session.attempts.FIRST_ANSWER_S", 0.3)
        async with controlling(switch.address) as second:
            with pytest.raises(Unreachable, match=r"election id 1 is in use.*--election-id"):
                await second.task
            assert second.events.said("election id 1 is in use by another controller")
        assert not run.task.done()


async def test_a_session_that_only_the_switch_still_knows_keeps_no_controller_out_for_good(
    proxy, eventually
) -> None:
    async with (
        running(config(), live=False) as switch,
        proxy(switch.address) as relay,
        controlling(relay.address) as before,
    ):
        await eventually(lambda: before.events.ticks > 0)
        relay.silence()
        async with controlling(switch.address) as run:
            await eventually(lambda: run.events.said("election id 1 is in use"))
            relay.cut()
            await eventually(lambda: run.events.ticks > 3)


async def test_a_controller_whose_election_id_its_backup_has_taken_waits_for_it(eventually) -> None:
    higher = {"election-id": "5"}
    async with running(config(), live=False) as switch, controlling(switch.address) as backup:
        async with controlling(switch.address, **higher) as run:
            await eventually(lambda: run.events.ticks > 0)
        await eventually(lambda: backup.controller.state is SwitchState.CONTROLLING)
        async with controlling(switch.address, **higher) as run:
            await eventually(lambda: run.events.said("election id 5 is in use"))
            assert await backup.end()
            await eventually(lambda: run.events.ticks > 3)


PASSING = [StatusCode.UNKNOWN, StatusCode.INTERNAL, StatusCode.RESOURCE_EXHAUSTED]


@pytest.mark.parametrize("code", PASSING)
async def test_what_a_switch_suffers_for_a_while_is_tried_again(
    eventually, monkeypatch, code
) -> None:
    async def ailing(_connection: Connection) -> NoReturn:
        raise RpcError("get pipeline", code, "ailing")

    async with running(config(), live=False) as switch, AsyncExitStack() as stack:
        with monkeypatch.context() as patched:
            patched.setattr(Connection, "installed_program", ailing)
            run = await stack.enter_async_context(controlling(switch.address))
            await eventually(lambda: run.events.said("ailing"))
        await eventually(lambda: run.events.ticks > 3)


async def test_a_higher_election_id_takes_over_and_control_comes_back(eventually) -> None:
    async with running(config(), live=False) as switch, controlling(switch.address) as run:
        await eventually(lambda: run.events.ticks > 3)
        async with controlling(switch.address, **{"election-id": "5"}) as rival:
            await eventually(lambda: rival.events.ticks > 3)
            assert run.controller.state is SwitchState.BACKUP
            assert run.events.said("backup: another controller is primary, with election id 5")
        before = run.events.ticks
        await eventually(lambda: run.events.ticks > before)
        assert limit(switch) == SAFE_LIMIT  # as the rival has left it


async def test_a_backup_that_is_stopped_leaves_the_limits_to_the_primary(eventually) -> None:
    async with (
        running(config(), live=False) as switch,
        controlling(switch.address, **{"election-id": "5"}) as primary,
        controlling(switch.address) as run,
    ):
        await eventually(lambda: run.controller.state is SwitchState.BACKUP)
        await eventually(lambda: primary.events.ticks > 3)
        assert await run.end()
        assert limit(switch) == INITIAL_LIMIT


async def test_a_cut_connection_is_taken_up_again_without_a_new_pipeline(proxy, eventually) -> None:
    async with (
        running(config(), live=False) as switch,
        proxy(switch.address) as relay,
        controlling(relay.address) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        relay.cut()
        await eventually(lambda: run.controller.state is SwitchState.LOST)
        assert run.events.said(f"keeps the limits port {PORT}")
        assert limit(switch) == INITIAL_LIMIT
        relay.mend()
        before = run.events.ticks
        await eventually(lambda: run.events.ticks > before)
        assert run.events.lines.count(f"{relay.address}: pipeline pushed") == 1
        assert run.controller.reconnections == 1


async def test_a_controller_stopped_while_the_switch_is_lost_says_what_it_left(
    proxy, eventually
) -> None:
    async with (
        running(config(), live=False) as switch,
        proxy(switch.address) as relay,
        controlling(relay.address) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        relay.cut()
        await eventually(lambda: run.controller.state is SwitchState.LOST)
        assert not await run.end()
        assert run.events.said("could not leave safe limits")


async def test_a_backup_says_each_time_that_it_lost_its_switch_and_leaves_nothing_behind(
    proxy, eventually
) -> None:
    async with (
        running(config(), live=False) as switch,
        proxy(switch.address) as relay,
        controlling(switch.address, **{"election-id": "5"}) as primary,
        controlling(relay.address) as run,
    ):
        await eventually(lambda: primary.events.ticks > 3)
        for times in (1, 2):
            await eventually(lambda: run.controller.state is SwitchState.BACKUP)
            relay.cut()
            await eventually(lambda: run.controller.state is SwitchState.LOST)
            assert sum("lost as backup" in line for line in run.events.lines) == times
            relay.mend()
        await eventually(lambda: run.controller.state is SwitchState.BACKUP)
        assert run.controller.reconnections == 2
        relay.cut()
        await eventually(lambda: run.controller.state is SwitchState.LOST)
        assert await run.end()
        assert not run.events.said("could not leave")


async def test_settings_that_the_program_of_now_cannot_serve_do_not_end_control(
    eventually, monkeypatch
) -> None:
    def unfit(_settings) -> None:
        raise UserError("port 2: the program marks no packets")

    async with running(config(), live=False) as switch, controlling(switch.address) as run:
        await eventually(lambda: run.events.ticks > 3)
        with monkeypatch.context() as patched:
            patched.setattr(run.controller, "fitted", unfit)
            run.controller.adopt(run.controller.settings)
        before = run.events.ticks
        await eventually(lambda: run.events.ticks > before)


async def test_what_settings_cannot_effect_is_said_once_at_the_start_and_once_when_it_changes(
    eventually,
) -> None:
    async with (
        running(config(), live=False) as switch,
        controlling(switch.address, memory="150KiB") as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        for memory, times in ((150 * 1024, 1), (400_000, 1), (100_000, 2)):
            run.controller.adopt(run.controller.settings.model_copy(update={"memory": memory}))
            assert sum("safe-limit: together" in line for line in run.events.lines) == times


def nowhere() -> SwitchSettings:
    """A switch at an address where there is none."""
    (settings,) = load_settings(
        Source(), {"grpc-addr": "127.0.0.1:1"}, [{"number": "2", "capacity": "10Mbit"}]
    ).switch
    return settings


async def test_a_switch_that_never_answers_is_given_up_after_ten_seconds(clock) -> None:
    class Impatient(Recorder):
        def announce(self, message: Message) -> None:
            super().announce(message)
            clock.time_s += 11

    controller = SwitchController(nowhere(), PROGRAM, Impatient(), clock)
    with pytest.raises(Unreachable, match=r"no answer for 10 s"):
        await controller.run(asyncio.Event())


async def test_a_switch_that_never_answers_is_not_left_well(clock) -> None:
    stop = asyncio.Event()
    events = Stopping(stop)
    controller = SwitchController(nowhere(), PROGRAM, events, clock)
    assert not await controller.run(stop)
    assert events.said("never answered")


async def test_a_switch_that_goes_before_it_is_in_control_is_no_secret(clock, monkeypatch) -> None:
    stop = asyncio.Event()
    events = Stopping(stop)
    controller = SwitchController(nowhere(), PROGRAM, events, clock)

    async def session(_: asyncio.Event) -> None:
        controller._loop_for({2: 0}, {})
        raise RpcError("stream", grpc.StatusCode.UNAVAILABLE, "gone")

    monkeypatch.setattr(controller, "_session", session)
    assert not await controller.run(stop)
    assert events.said("gone")
    assert events.said("was never in control; some of its first limits may be in force")


@asynccontextmanager
async def controlling_process(address: str):
    """`p4abs control` in control, as a process of its own; killed at the end if need be."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "p4abs", "control", "--grpc-addr", address),
        *("--port", f"{PORT},capacity=10Mbit,safe-limit={SAFE_LIMIT}B"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(3 * PATIENCE_S):  # it has to start first
            while b"in control" not in await process.stderr.readline():
                assert process.returncode is None
            yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_sigterm_leaves_the_safe_limit() -> None:
    async with (
        running(config(program=program_path("queue")), live=False) as switch,
        controlling_process(switch.address) as process,
    ):
        assert limit(switch) == 312_500
        process.terminate()
        assert await process.wait() == 0
        assert limit(switch) == SAFE_LIMIT


async def test_sigterm_without_a_switch_says_what_was_left_and_nothing_else() -> None:
    async with AsyncExitStack() as life:
        switch = await life.enter_async_context(
            running(config(program=program_path("queue")), live=False)
        )
        async with controlling_process(switch.address) as process:
            await life.aclose()
            said = [await process.stderr.readline()]
            process.terminate()
            assert await process.wait() == 1
            said += (await process.stderr.read()).splitlines()
    lost, could_not = said
    assert lost.startswith(f"{switch.address}: lost (".encode())
    assert could_not.startswith(f"{switch.address}: could not leave safe limits".encode())


def test_a_limit_of_0_is_none() -> None:
    assert (limit_text(0), limit_text(0.0), limit_text(2048)) == ("none", "none", "2KiB")
