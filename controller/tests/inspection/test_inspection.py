"""What is found out about the embedded target, over real gRPC, and that it stays as it is."""

import asyncio

import grpc
import pytest
from finsy.proto import p4i
from p4abs.access.capabilities import SwitchPort
from p4abs.access.connection import Connection, Role
from p4abs.access.mailbox import MailboxAccess
from p4abs.access.program import Program, load_program, program_path
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.rpc_error import RpcError
from p4abs.clock import MonotonicClock
from p4abs.config import Source, load_settings
from p4abs.inspection import Outcome
from p4abs.inspection.ports import check_memory, check_ports
from p4abs.session import SwitchController, SwitchState
from p4abs_switch import PortConfig
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

pytestmark = pytest.mark.usefixtures("patience")

PORT = {"number": "1-8", "capacity": "10Mbit"}
BUILDS = ["queue", "shared_queue", "virtual_queue"]
CAPACITY_BPS = 10_000_000
FRAME = bytes.fromhex("02000000000b02000000000a88b5") + bytes(986)
STATION = FRAME[:6]


def of(found, check: str) -> list[tuple[Outcome, str]]:
    return [(each.outcome, each.text) for each in found if each.check == check]


def outcomes(found, check: str) -> set[Outcome]:
    return {outcome for outcome, _ in of(found, check)}


def differing(found) -> list[str]:
    return [str(each) for each in found if each.outcome is Outcome.DIFFERS]


def all_registers(switch, program: Program) -> list[int]:
    registers = [(each.preamble.name, each.size) for each in program.p4info.registers]
    cells = [(name, index) for name, size in registers for index in range(size)]
    return switch.engine.registers_read(cells)


def changed(change) -> Program:
    """The program queue with another P4Info."""
    p4info = p4i.P4Info()
    p4info.CopyFrom(load_program("queue").p4info)
    change(p4info)
    return Program(p4info, load_program("queue").device_config)


@pytest.mark.parametrize("build", BUILDS)
async def test_the_primary_stays_primary_and_no_register_changes(inspection, build) -> None:
    program = load_program(build)
    async with (
        running(config(program=program_path(build)), live=False) as switch,
        Connection(switch.address, switch.device_id, 1) as primary,
    ):
        await MailboxAccess(primary, program).exchange([2], {2: 70_000})
        heard = asyncio.create_task(primary.watch())
        before = all_registers(switch, program)
        found = await inspection(
            switch.address, PORT, wanted=program, **{"push-pipeline": build, "election-id": 99}
        )
        assert outcomes(found, "RegisterEntry") == {Outcome.OK}
        assert all_registers(switch, program) == before
        assert primary.role is Role.PRIMARY
        assert not heard.done()
        assert primary.primary_id == 1
        await MailboxAccess(primary, program).exchange([2], {2: 80_000})
        heard.cancel()


async def test_no_session_is_opened(inspection, monkeypatch) -> None:
    """So there is no bid, whatever the election ids are."""

    def refuse(*_arguments: object) -> None:
        raise AssertionError("StreamChannel")

    monkeypatch.setattr("grpc.aio._channel.StreamStreamMultiCallable.__call__", refuse)
    async with running(config(program=program_path("queue")), live=False) as switch:
        assert differing(await inspection(switch.address, PORT)) == []


class Silent:
    """Watches a controller and only counts its ticks."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.ticks = 0

    def announce(self, message: object) -> None:
        self.lines.append(str(message))

    def sampled(self, _samples: object) -> None:
        pass

    def tick(self) -> None:
        self.ticks += 1


async def test_a_switch_under_control_is_as_configured(inspection, eventually) -> None:
    program, stop, events = load_program("queue"), asyncio.Event(), Silent()
    async with running(config(), live=False) as switch:
        flags = {"grpc-addr": switch.address, "interval": "5ms"}
        marking = {**PORT, "ecn-marking": True}
        (settings,) = load_settings(Source({"port": [marking]}), flags).switch
        controller = SwitchController(settings, program, events, MonotonicClock())
        task = asyncio.create_task(controller.run(stop))
        await eventually(lambda: events.ticks > 2)
        extras = {"memory": "4MiB", "push-pipeline": "queue"}
        found = await inspection(switch.address, marking, wanted=program, **extras)
        assert differing(found) == []
        for check in ("program", "registers", "mailbox", "port", "limit", "ecn-marking", "memory"):
            assert Outcome.OK in outcomes(found, check), check
        before = events.ticks
        await eventually(lambda: events.ticks > before + 2)
        assert controller.state is SwitchState.CONTROLLING
        assert not any("backup" in line or "lost" in line for line in events.lines)
        stop.set()
        assert await task


async def test_a_switch_that_nobody_has_controlled_yet_is_not_blamed(inspection) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        found = await inspection(switch.address, PORT)
    assert differing(found) == []
    assert of(found, "limit")[0] == (Outcome.NOT_CHECKED, "the switch has none yet")
    assert of(found, "ecn-marking")[0] == (Outcome.NOT_CHECKED, "no controller has set it yet")
    assert "too little was sent" in of(found, "capacity")[0][1]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize(
    ("written", "differs"),
    [
        ({"queue_limit_bytes": 70_000}, ""),
        ({"queue_limit_bytes": 100}, "limit: 100B lies outside of its bounds, 2.957KiB to "),
        ({"queue_limit_bytes": 2**40}, "limit: 1024GiB lies outside of its bounds"),
        ({"queue_limit_bytes": 70_000, "ecn_marking": 1}, "ecn-marking: on, but off in the"),
        ({"queue_limit_bytes": 1_200_000}, "memory: the limits in force add up to 1.144MiB of"),
    ],
)
async def test_a_register_that_is_not_as_configured_differs(
    inspection, build, written, differs
) -> None:
    async with running(config(program=program_path(build)), live=False) as switch:
        switch.engine.registers_write([(name, 3, value) for name, value in written.items()])
        found = await inspection(switch.address, PORT, memory="1MiB")
    lines = {line.replace("port 3: ", "") for line in differing(found)}
    assert any(f"differs      {differs}" in line for line in lines) if differs else lines == set()


async def test_ports_beyond_the_registers_differ_and_the_others_are_checked(inspection) -> None:
    def shrink(p4info) -> None:
        for register in p4info.registers:
            register.size = 4

    tables = {"port": [{"number": "2-5", "capacity": "10Mbit"}]}
    (settings,) = load_settings(Source(tables), {}).switch
    found = check_ports(changed(shrink).capabilities(), settings, "not now")
    numbers = {each.ports[0]: each for each in found if each.check == "port"}
    assert [numbers[port].outcome for port in range(2, 6)] == [Outcome.OK] * 2 + [
        Outcome.DIFFERS
    ] * 2
    assert "registers for the ports 0 to 3" in numbers[5].text


@pytest.mark.parametrize(
    ("installed", "wanted", "outcome", "text"),
    [
        ("queue", "queue", Outcome.OK, "the switch runs queue"),
        ("queue", None, Outcome.OK, "push-pipeline names none"),
        (
            "virtual_queue",
            "queue",
            Outcome.DIFFERS,
            "the switch runs another program; `p4abs control` would push queue",
        ),
        (None, "queue", Outcome.NOT_CHECKED, "runs none yet; `p4abs control` pushes queue"),
        (None, None, Outcome.DIFFERS, "runs none; set push-pipeline"),
    ],
)
async def test_the_program_is_compared_with_the_one_to_be_pushed(
    inspection, installed, wanted, outcome, text
) -> None:
    flags = {} if wanted is None else {"push-pipeline": wanted}
    pushed = None if wanted is None else load_program(wanted)
    async with (
        running(config(), live=False) as switch,
        Connection(switch.address, switch.device_id, 1) as connection,
    ):
        if installed is not None:
            await connection.push(load_program(installed))
        before = await connection.installed_program()
        found = await inspection(switch.address, PORT, wanted=pushed, **flags)
        assert await connection.installed_program() == before
    [(verdict, said)] = of(found, "program")
    assert (verdict, text in said) == (outcome, True)


async def test_a_program_without_the_registers_differs(inspection) -> None:
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            await connection.push(changed(lambda p4info: p4info.ClearField("registers")))
        found = await inspection(switch.address, PORT)
    assert "P4Info lacks the registers departed_at_us" in of(found, "registers")[0][1]
    assert found[-1].check == "all else"


@pytest.mark.parametrize(
    ("role", "outcomes_of_role"),
    [
        (None, set()),
        ("buffer_control", {Outcome.OK}),
        ("forwarding", {Outcome.DIFFERS}),
        ("spectator", {Outcome.DIFFERS}),
    ],
)
async def test_the_role_has_to_have_the_rights_of_control(
    inspection, role, outcomes_of_role
) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        found = await inspection(switch.address, PORT, role=role)
    assert outcomes(found, "role") == outcomes_of_role
    assert (f"the role {role}" in str(differing(found))) == (Outcome.DIFFERS in outcomes_of_role)


async def test_a_capacity_that_the_program_cannot_measure_has_to_be_declared(inspection) -> None:
    async with running(config(program=program_path("virtual_queue")), live=False) as switch:
        found = await inspection(switch.address, {"number": 1}, PORT | {"number": 2})
    bare, declared = of(found, "capacity")
    assert bare[0] is Outcome.DIFFERS
    assert declared[0] is Outcome.NOT_CHECKED
    assert "virtual one" in declared[1]


@pytest.fixture
def no_register_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """As PI answers, which stock BMv2 runs on."""

    async def unimplemented(*_arguments: object) -> None:
        raise RpcError("read", grpc.StatusCode.UNIMPLEMENTED, "Register reads are not supported")

    monkeypatch.setattr(ReadOnlyConnection, "read_partly", unimplemented)


@pytest.mark.usefixtures("no_register_entry")
@pytest.mark.parametrize(
    ("path", "differs"), [("auto", False), ("mailbox", False), ("register-entry", True)]
)
async def test_without_register_entry_it_says_what_only_the_primary_could_check(
    inspection, path, differs
) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        found = await inspection(switch.address, PORT, **{"register-path": path})
    assert bool(differing(found)) == differs
    assert outcomes(found, "registers") == outcomes(found, "port") == {Outcome.OK}
    for check in ("limit", "capacity", "ecn-marking"):
        assert outcomes(found, check) == {Outcome.NOT_CHECKED}
    if path == "auto":
        assert "answers only the primary controller" in of(found, "RegisterEntry")[0][1]


@pytest.mark.usefixtures("no_register_entry")
async def test_register_entry_is_tried_though_no_port_is_in_the_registers(
    inspection, monkeypatch
) -> None:
    monkeypatch.setattr(Program, "port_count", lambda _program: 1)
    async with running(config(program=program_path("queue")), live=False) as switch:
        found = await inspection(switch.address, PORT)
    assert outcomes(found, "port") == {Outcome.DIFFERS}
    assert outcomes(found, "RegisterEntry") == {Outcome.NOT_CHECKED}


@pytest.mark.usefixtures("no_register_entry")
async def test_without_register_entry_the_program_needs_its_mailbox(inspection) -> None:
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            without = changed(lambda p4info: p4info.ClearField("controller_packet_metadata"))
            await connection.push(without)
        [line] = differing(await inspection(switch.address, PORT))
    assert "no controller header packet_out" in line


async def test_of_who_does_not_answer_as_it_should_nothing_else_is_checked(inspection) -> None:
    for address, device_id, said, outcome in (
        ("127.0.0.1:1", 1, "UNAVAILABLE", Outcome.NO_ANSWER),
        (None, 7, "device", Outcome.DIFFERS),
    ):
        async with running(config(program=program_path("queue")), live=False) as switch:
            found = await inspection(address or switch.address, PORT, **{"device-id": device_id})
        assert [each.outcome for each in found] == [outcome, Outcome.NOT_CHECKED]
        assert said in found[0].text


async def test_a_switch_that_goes_while_it_is_watched_is_a_finding(inspection, monkeypatch) -> None:
    asked = []

    async def ports(reader: ReadOnlyConnection):
        asked.append(reader)
        if len(asked) > 1:
            raise RpcError("show ports", grpc.StatusCode.UNAVAILABLE, "gone")
        return {2: SwitchPort(1)}

    monkeypatch.setattr(ReadOnlyConnection, "ports", ports)
    async with running(config(program=program_path("queue")), live=False) as switch:
        found = await inspection(switch.address, {"number": 2, "capacity": "10Mbit"})
    assert (Outcome.DIFFERS, "show ports: UNAVAILABLE: gone") in of(found, "RegisterEntry")


@pytest.mark.parametrize(
    ("declared", "outcome"),
    [
        ({"capacity": "10Mbit"}, Outcome.OK),
        ({"capacity": "10.9Mbit"}, Outcome.OK),
        ({"capacity": "12Mbit"}, Outcome.DIFFERS),
        ({"capacity": "8Mbit"}, Outcome.DIFFERS),
        ({}, Outcome.OK),
    ],
)
async def test_a_declared_capacity_has_to_be_near_the_measured_one(
    inspection, clock, declared, outcome
) -> None:
    ports = [PortConfig(1), PortConfig(2, rate_bps=CAPACITY_BPS)]
    settings = config(program=program_path("queue"), ports=ports)
    async with running(settings, live=False) as switch:
        Programmed.of(switch.engine, program_path("queue").read_bytes()).add(
            "AbsIngress.forwarding.ethernet_forward",
            [(int.from_bytes(STATION, "big"),)],
            "AbsIngress.forwarding.forward",
            2,
        )
        start_s, sent, sleep = clock.now_s(), 0, clock.sleep_until

        async def overload_until(deadline_s: float) -> None:
            """Frames of twice the capacity arrive meanwhile."""
            nonlocal sent
            await sleep(deadline_s)
            now_ns = round((clock.now_s() - start_s) * 1e9)
            while sent * len(FRAME) * 8e9 / (2 * CAPACITY_BPS) < now_ns:
                switch.engine.inject(1, FRAME, round(sent * len(FRAME) * 4e9 / CAPACITY_BPS))
                sent += 1
            switch.engine.run_until(now_ns)

        clock.sleep_until = overload_until
        found = await inspection(switch.address, {"number": 2, **declared}, watch_s=2.0)
    [(verdict, text)] = of(found, "capacity")
    assert (verdict, "Mbit measured" in text) == (outcome, True), text


@pytest.mark.parametrize(
    ("ports", "switch", "differs"),
    [
        ([{"number": "1-8"}, {"number": 9, "priority": 1}], {}, True),
        ([{"number": "1-8"}, {"number": 9, "priority": 1}], {"memory": "4MiB"}, False),
        ([{"number": "1-9", "priority": 1}], {}, False),
    ],
)
def test_priorities_between_ports_that_share_no_memory_differ(ports, switch, differs) -> None:
    (settings,) = load_settings(Source({"port": ports}), switch).switch
    found = [each.check for each in check_memory(settings, "not now") if each.outcome == "differs"]
    assert found == (["priority"] if differs else [])


@pytest.mark.parametrize(
    ("safe_limit", "memory", "differs"),
    [("1MiB", "4MiB", True), ("512KiB", "4MiB", False), ("1MiB", None, False)],
)
def test_safe_limits_that_exceed_the_memory_together_differ(safe_limit, memory, differs) -> None:
    source = Source({"port": [{"number": "1-8", "safe-limit": safe_limit}]})
    (settings,) = load_settings(source, {} if memory is None else {"memory": memory}).switch
    found = [each.check for each in check_memory(settings, "not now") if each.outcome == "differs"]
    assert found == (["safe-limit"] if differs else [])
