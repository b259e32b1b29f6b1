"""Packets between controller and data plane (P4Runtime 1.5, section 16.1)."""

from pathlib import Path

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch import PortConfig
from p4abs_switch.server.serve import RunningSwitch, running
from p4abs_switch.testing import config

from .controller import Controller, connected
from .entities import Entities, exact, frame

CPU_PORT = 510
UNSEEN = 0x0B0000000001


async def test_a_packet_out_leaves_by_the_port_in_its_metadata(
    switch: RunningSwitch, primary: Controller
) -> None:
    await primary.packet_out(b"payload", b"\x02", b"\x00", b"\x00")
    await primary.become_primary()  # the packet has been dealt with
    left = switch.engine.run_until(switch.engine.now_us() * 1000 + 1)
    assert [(port, packet) for _, port, packet in left] == [(2, b"payload")]


@pytest.mark.requirement("16.1-2")
async def test_a_packet_out_to_the_cpu_port_comes_back(primary: Controller) -> None:
    await primary.packet_out(b"\x00\x03payload", CPU_PORT.to_bytes(2, "big"), b"\x00", b"\x00")
    assert (await primary.receive()).packet == _packet_in(b"payload", b"\x00", b"\x03")


@pytest.mark.requirement("5-5")
async def test_a_packet_from_a_port_goes_to_the_primary_only(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    async with connected(switch.address, election_id=0) as backup:
        await backup.bid()
        assert (await backup.standing())[0] is grpc.StatusCode.ALREADY_EXISTS
        await _punt(switch, primary, entities)
        assert (await primary.receive()).packet == _packet_in(
            frame(UNSEEN, 1, 0x0800), b"\x01", b"\x21"
        )
        await backup.bid()
        assert (await backup.standing())[0] is grpc.StatusCode.ALREADY_EXISTS


@pytest.mark.requirement("16.1-3", "16.6-1", "16.6-2", "16.6-4")
async def test_metadata_that_does_not_fit_is_reported_with_the_packet_and_goes_nowhere(
    switch: RunningSwitch, primary: Controller
) -> None:
    await primary.packet_out(b"payload", b"\x02")
    report = (await primary.receive()).error
    assert report.canonical_code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert report.packet_out.packet_out.payload == b"payload"
    assert switch.engine.run_until(switch.engine.now_us() * 1000 + 1) == []


async def test_without_cpu_port_a_packet_out_is_reported(kinds_json: Path) -> None:
    settings = config(program=kinds_json, ports=[PortConfig(2)], cpu_port=None)
    async with running(settings, live=False) as switch, connected(switch.address) as controller:
        await controller.become_primary()
        await controller.packet_out(b"payload", b"\x02", b"\x00", b"\x00")
        assert (await controller.receive()).error.message == "the switch has no CPU port"


@pytest.mark.requirement("5-5", "16.1-1", "16.6-3")
async def test_packets_of_a_backup_are_dropped_and_reported(
    switch: RunningSwitch, primary: Controller
) -> None:
    async with connected(switch.address, election_id=0) as backup:
        await backup.packet_out(b"payload", b"\x02", b"\x00", b"\x00")
        report = (await backup.receive()).error
        assert report.canonical_code == grpc.StatusCode.PERMISSION_DENIED.value[0]
    assert switch.engine.run_until(switch.engine.now_us() * 1000 + 1) == []


async def test_a_controller_that_does_not_read_holds_nobody_up(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    """The primary is sent more than its stream takes and reads nothing; then it goes."""
    await primary.insert(entities.entry("stations", [exact(1, UNSEEN)], "punt", 0x21))
    async with connected(switch.address, election_id=2) as idle, connected(switch.address) as last:
        await idle.become_primary()
        packet = frame(UNSEEN, 1, 0x0800) + bytes(1400)
        for at_ns in range(3000):
            switch.engine.inject(1, packet, at_ns)
        switch.engine.run_until(3000)
        await last.bid(0)
        assert (await last.standing())[0] is grpc.StatusCode.ALREADY_EXISTS
        idle.stream.cancel()
        assert (await last.standing())[0] is grpc.StatusCode.NOT_FOUND
        await last.bid(3)
        assert (await last.standing())[0] is grpc.StatusCode.OK
        received = b""
        while received != frame(UNSEEN, 1, 0x0800):
            # Where the switch was slow, what it sends first fills this stream, and one is lost.
            await _punt(switch, last, entities, insert=False)
            received = (await last.receive()).packet.payload


async def _punt(
    switch: RunningSwitch, primary: Controller, entities: Entities, *, insert: bool = True
) -> None:
    """Lets a frame arrive at port 1 that the program sends to the controller."""
    if insert:
        await primary.insert(entities.entry("stations", [exact(1, UNSEEN)], "punt", 0x21))
    at_ns = switch.engine.now_us() * 1000 + 1000
    switch.engine.inject(1, frame(UNSEEN, 1, 0x0800), at_ns)
    switch.engine.run_until(at_ns)


def _packet_in(payload: bytes, ingress_port: bytes, mark: bytes) -> p4r.PacketIn:
    return p4r.PacketIn(
        payload=payload,
        metadata=[
            p4r.PacketMetadata(metadata_id=1, value=ingress_port),
            p4r.PacketMetadata(metadata_id=2, value=mark),
        ],
    )
