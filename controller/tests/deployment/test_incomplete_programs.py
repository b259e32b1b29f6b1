"""Adaptive programs of users with a piece missing: the mailbox or the count of departures."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from finsy.proto import p4i
from p4abs.access.connection import Connection
from p4abs.access.program import MissingObjects, Program, load_program, program_path
from p4abs.clock import MonotonicClock
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.inspection import Outcome, inspect
from p4abs.measurements import Snapshot
from p4abs.session.incomplete import Incomplete
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.recorder import at_work

pytestmark = pytest.mark.usefixtures("patience")

QUEUE = load_program("queue")
WHERE = "deparser emits packet_in and mailbox, and that its ingress and egress call the controls"
TOLD = "packets are admitted, but no departure has ever been counted"


def without_egress(program: dict) -> None:
    """The egress control does nothing."""
    [egress] = [each for each in program["pipelines"] if each["name"] == "egress"]
    egress["init_table"] = None


def without_mailbox_emitted(program: dict) -> None:
    """The deparser leaves out `packet.emit(hdr.mailbox)`."""
    for deparser in program["deparsers"]:
        deparser["order"] = [name for name in deparser["order"] if "mailbox" not in name]


@pytest.fixture(params=[without_egress, without_mailbox_emitted])
def incomplete(request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program queue without a piece; nobody waits long for its mailbox."""
    monkeypatch.setattr("p4abs.access.conversation.REPLY_TIMEOUT_S", 0.1)
    program = json.loads(program_path("queue").read_bytes())
    request.param(program)
    path = tmp_path / "incomplete.json"
    path.write_text(json.dumps(program))
    p4info = program_path("queue").with_suffix(".p4info.txtpb")
    path.with_suffix(".p4info.txtpb").write_bytes(p4info.read_bytes())
    return path


def settings(address: str, **switch: str) -> SwitchSettings:
    port = {"number": 2, "capacity": "10Mbit"}
    tables = {"switch": [{"grpc-addr": address, "port": [port], **switch}]}
    return load_settings(Source(tables), {}).switch[0]


async def findings(address: str, check: str, **switch: str) -> list[tuple[Outcome, str]]:
    given = settings(address, **switch)
    found = await inspect(given, None, MonotonicClock(), 0.0, exchanges=True)
    return [(each.outcome, each.text) for each in found if each.check == check]


@pytest.mark.parametrize("path", ["auto", "mailbox"])
async def test_a_check_with_an_exchange_says_that_the_mailbox_is_silent(
    incomplete: Path, path: str
) -> None:
    async with running(config(program=incomplete), live=False) as switch:
        headers, silence = await findings(switch.address, "mailbox", **{"register-path": path})
    assert headers == (Outcome.OK, "its headers are in the program's P4Info")
    assert silence[0] is Outcome.DIFFERS
    assert "it does not answer" in silence[1]
    assert WHERE in silence[1]


async def test_a_check_says_nothing_of_a_mailbox_that_nobody_wants(incomplete: Path) -> None:
    wanted = {"register-path": "register-entry"}
    async with running(config(program=incomplete), live=False) as switch:
        assert await findings(switch.address, "mailbox", **wanted) == []
        assert await findings(switch.address, "mailbox") != []


async def test_control_says_once_that_it_does_without_the_mailbox(
    incomplete: Path, eventually
) -> None:
    async with (
        running(config(program=incomplete), live=False) as switch,
        at_work(settings(switch.address)) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        assert run.controller.register_path == "RegisterEntry"
        [told] = [line for line in run.events.lines if "its mailbox does not answer" in line]
        assert "so control uses RegisterEntry" in told
        assert WHERE in told


@pytest.mark.parametrize("build", ["queue", "adaptive_router"])
async def test_of_a_complete_program_nothing_is_said(build: str, eventually) -> None:
    example = Path(__file__).parents[3] / "p4src" / "build" / "examples" / f"{build}.json"
    program = example if example.exists() else program_path(build)
    async with (
        running(config(program=program), live=False) as switch,
        at_work(settings(switch.address)) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        assert run.controller.register_path == "mailbox"
        assert not run.events.said("does not answer")


def counted(admitted_bytes: int, departed_bytes: int) -> Snapshot:
    return replace(
        Snapshot(0, 0, 0, 0, 0), admitted_bytes=admitted_bytes, departed_bytes=departed_bytes
    )


def test_departures_that_are_never_counted_are_told_once() -> None:
    lines: list[str] = []
    incomplete = Incomplete(lines.append)
    for now_s in range(5):
        taken = {1: counted(9000, 9000), 2: counted(3000, 0), 3: counted(0, 0)}
        incomplete.look(QUEUE, taken, float(now_s))
    [line] = lines
    assert line.startswith(f"port 2: {TOLD}")
    assert "calls AdaptiveEgress" in line


def test_a_packet_that_is_about_to_leave_is_no_reason_for_a_message() -> None:
    lines: list[str] = []
    incomplete = Incomplete(lines.append)
    for now_s, departed in ((0.0, 0), (0.1, 0), (0.9, 1500), (1.1, 1500), (2.2, 1500)):
        incomplete.look(QUEUE, {2: counted(1500, departed)}, now_s)
    assert lines == []


async def test_control_tells_of_departures_that_are_never_counted(eventually) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        switch.engine.registers_write([("admitted_bytes", 2, 9000)])
        async with at_work(settings(switch.address)) as run:
            await eventually(lambda: run.events.said(f"port 2: {TOLD}"))


async def test_a_p4info_without_the_registers_of_its_program_is_said_to_be_at_fault() -> None:
    program = load_program("queue")
    del program.p4info.registers[:]
    with pytest.raises(MissingObjects, match="the program's P4Info lacks the registers dep"):
        program.register_ids()
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            await connection.push(program)
        [(outcome, text)] = await findings(switch.address, "registers")
    assert outcome is Outcome.DIFFERS
    assert "push the program with the P4Info that p4c-bm2-ss wrote with it" in text


def test_a_program_without_the_registers_is_said_to_lack_them() -> None:
    for device_config in (b"", b"\x0a\x02{}", b"[]", b'{"register_arrays": [{"name": "marks"}]}'):
        with pytest.raises(MissingObjects, match="the program lacks the registers"):
            Program(p4i.P4Info(), device_config).register_ids()


@pytest.mark.parametrize(("build", "uncounted"), [("queue", {3}), ("shared_queue", set())])
def test_ports_of_which_no_packet_was_counted_are_known_if_each_has_one_queue(
    build: str, uncounted: set[int]
) -> None:
    incomplete = Incomplete(lambda line: None)
    taken = {1: counted(9000, 9000), 2: replace(counted(0, 0), dropped_bytes=60), 3: counted(0, 0)}
    incomplete.look(load_program(build), taken, 0.0)
    assert incomplete.uncounted == uncounted
