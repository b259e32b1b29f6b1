"""A program that includes p4src/adaptive, under control like those of p4src/v1model."""

from pathlib import Path

import pytest
from finsy.proto import p4r
from p4abs.access.connection import Connection
from p4abs.access.mailbox import MailboxAccess
from p4abs.access.program import Program, load_program
from p4abs.config import Source, load_settings
from p4abs.p4_constants import CPU_PORT
from p4abs.session import SwitchState
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.recorder import at_work

pytestmark = pytest.mark.usefixtures("patience")

EXAMPLES = Path(__file__).parents[3] / "p4src" / "build" / "examples"
ROUTER = EXAMPLES / "adaptive_router"
MEASURING_ROUTER = EXAMPLES / "measuring_router"
PORT = 2


def without_a_reason() -> Program:
    """The router with packet-ins like those of PINS: their ports, and padding."""
    program = load_program(str(ROUTER))
    for header in program.p4info.controller_packet_metadata:
        for field in header.metadata:
            if field.name == "reason":
                field.name = "unused_pad"
    return program


def settings(address: str, **flags: str):
    port = {"number": str(PORT), "capacity": "10Mbit", "initial-limit": "70kB"}
    return load_settings(Source(), {"grpc-addr": address, **flags}, [port]).switch[0]


@pytest.mark.parametrize("path", ["mailbox", "RegisterEntry"])
async def test_control_writes_its_limits_and_reads_its_counts(path: str, eventually) -> None:
    flags = {"register-path": {"RegisterEntry": "register-entry"}.get(path, path)}
    async with (
        running(config(program=ROUTER.with_suffix(".json")), live=True) as switch,
        at_work(settings(switch.address, **flags)) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        assert run.controller.state is SwitchState.CONTROLLING
        assert run.controller.register_path == path
        assert run.controller.loop.statistics.lost_exchanges == 0
        assert switch.engine.registers_read([("queue_limit_bytes", PORT)]) != [0]


async def test_what_the_program_does_not_measure_is_not_told(eventually) -> None:
    async with (
        running(config(program=ROUTER.with_suffix(".json")), live=True) as switch,
        at_work(settings(switch.address)) as run,
    ):
        await eventually(lambda: run.events.samples)
        interval = run.events.samples[0].interval
        assert interval.idle_s is not None
        assert (interval.long_flow_us, interval.marked_bytes) == (None, None)


async def test_flows_are_told_where_the_program_measures_them(eventually) -> None:
    async with (
        running(config(program=MEASURING_ROUTER.with_suffix(".json")), live=True) as switch,
        at_work(settings(switch.address)) as run,
    ):
        await eventually(lambda: run.events.samples)
        interval = run.events.samples[0].interval
        assert (interval.long_flow_us, interval.active_flow_us) == (0, 0)
        assert run.controller.state is SwitchState.CONTROLLING


def test_a_frame_that_a_controller_has_sent_to_all_is_no_reply() -> None:
    access = MailboxAccess(Connection("127.0.0.1:1", 1, 1), without_a_reason())
    came_from = p4r.PacketMetadata(metadata_id=1, value=CPU_PORT.to_bytes(2))
    frame = bytes(12) + b"\x88\xcc" + bytes(13)  # as long as a reply without records
    assert access._read(p4r.PacketIn(payload=frame, metadata=[came_from])) is None


@pytest.mark.parametrize("role", [None, "buffer_control"])
async def test_replies_without_a_reason_are_known_by_their_port(role: str, eventually) -> None:
    flags = {"register-path": "mailbox"} | ({"role": role} if role else {})
    async with (
        running(config(), live=True) as switch,
        at_work(settings(switch.address, **flags), without_a_reason()) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        assert run.controller.register_path == "mailbox"
        assert run.controller.loop.statistics.lost_exchanges == 0
