"""What a program forbids is refused by name before it is written, as is a port that it lacks."""

from collections.abc import AsyncIterator
from pathlib import Path

import finsy as fy
import grpc
import pytest
import pytest_asyncio
from finsy.proto import p4r
from p4abs_switch import PortConfig
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import RunningSwitch, running
from p4abs_switch.testing import config

from .controller import Controller, connected

PROGRAM = Path(__file__).parents[2] / "p4src" / "build" / "queue.json"
SCHEMA = fy.P4Schema(PROGRAM.with_suffix(".p4info.txtpb"))
CPU_PORT = 510


@pytest_asyncio.fixture
async def abs_switch() -> AsyncIterator[RunningSwitch]:
    ports = [PortConfig(1), PortConfig(2)]
    async with running(config(program=PROGRAM, ports=ports), live=False) as switch:
        yield switch


@pytest_asyncio.fixture
async def writer(abs_switch: RunningSwitch) -> AsyncIterator[Controller]:
    async with connected(abs_switch.address) as controller:
        await controller.become_primary()
        yield controller


def trap(**match: object) -> fy.P4TableEntry:
    action = fy.Action("redirect", packet_in_class=0)
    return fy.P4TableEntry("trap", match=fy.Match(match), action=action, priority=1)


def forward(port: int) -> fy.P4TableEntry:
    return fy.P4TableEntry(
        "ethernet_forward", match=fy.Match(dst_mac=1), action=fy.Action("forward", port=port)
    )


def route(table: str, action: str, **match: str) -> fy.P4TableEntry:
    call = fy.Action(action, port=1, src_mac=1, dst_mac=2)
    return fy.P4TableEntry(table, match=fy.Match(match), action=call)


FORBIDDEN = {
    "the mailbox's own type": (trap(ether_type=0x88B6), "ether_type != 0x88b6"),
    "an address of another type": (
        trap(ether_type=0x0806, dst_ip="10.0.0.1"),
        "dst_ip::mask != 0 -> ether_type == 0x0800",
    ),
    "a hop limit of any type": (trap(ttl=1), "ttl::mask != 0 -> "),
    "a port of no protocol": (trap(ether_type=0x0800, l4_dst_port=179), "l4_dst_port::mask"),
    "the controller's port": (forward(CPU_PORT), "port < 510"),
    "the port that drops": (forward(511), "port < 510"),
    "a group's address": (
        route("ipv4_route", "route_ipv4", ipv4_dst="224.0.0.0/4"),
        "ipv4_dst::value < 0xe0000000",
    ),
    "a group's address of IPv6": (
        route("ipv6_route", "route_ipv6", ipv6_dst="ff02::/16"),
        "ipv6_dst::value < 0xff0",
    ),
    "no group": (
        fy.P4TableEntry(
            "ethernet_multicast",
            match=fy.Match(dst_mac=1),
            action=fy.Action("replicate", multicast_group_id=0),
        ),
        "multicast_group_id != 0",
    ),
}
ALLOWED = (
    trap(ether_type=0x0806),
    trap(ether_type=0x0800, dst_ip="10.0.0.1", ip_protocol=6, l4_dst_port=179),
    forward(509),
    route("ipv4_route", "route_ipv4", ipv4_dst="223.255.255.0/24"),
    route("ipv6_route", "route_ipv6", ipv6_dst="2001:db8::/32"),
)


def entries(switch: RunningSwitch) -> int:
    tables = ("trap.trap", "forwarding.ethernet_forward", "forwarding.ipv4_route")
    program = Programmed.of(switch.engine, PROGRAM.read_bytes())
    return sum(len(program.entries(f"AbsIngress.{table}")) for table in tables)


@pytest.mark.parametrize(("entry", "clause"), FORBIDDEN.values(), ids=FORBIDDEN)
async def test_an_entry_that_the_program_forbids_is_refused_with_the_clause(
    abs_switch: RunningSwitch, writer: Controller, entry: fy.P4TableEntry, clause: str
) -> None:
    update = p4r.Update(type=p4r.Update.INSERT, entity=entry.encode(SCHEMA))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await writer.write(update)
    assert "restricted by" in refused.value.debug_error_string()
    assert clause in refused.value.debug_error_string()
    assert entries(abs_switch) == 0


async def test_others_are_written_and_may_not_be_changed_to_what_is_forbidden(
    abs_switch: RunningSwitch, writer: Controller
) -> None:
    await writer.insert(*(entry.encode(SCHEMA) for entry in ALLOWED))
    change = p4r.Update(type=p4r.Update.MODIFY, entity=forward(CPU_PORT).encode(SCHEMA))
    with pytest.raises(grpc.aio.AioRpcError):
        await writer.write(change)
    assert entries(abs_switch) == 4


async def test_a_packet_out_for_a_port_that_is_not_there_is_reported(
    abs_switch: RunningSwitch, writer: Controller
) -> None:
    # Where a frame goes through ingress, its port means nothing.
    await writer.packet_out(bytes(60), b"\x03", b"\x01", b"\0")
    await writer.packet_out(bytes(60), b"\x02", b"\0", b"\0")
    for port in (3, 509, 511):
        await writer.packet_out(bytes(60), port.to_bytes(2), b"\0", b"\0")
        report = (await writer.receive()).error
        assert f"port {port}" in report.message
        assert report.packet_out.packet_out.payload == bytes(60)
    # Those before were taken before the reports.
    [(_, port, frame)] = abs_switch.engine.run_until(abs_switch.engine.now_us() * 1000 + 10**9)
    assert (port, frame) == (2, bytes(60))
