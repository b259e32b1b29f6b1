"""A controller that stops reading stalls nobody else (P4Runtime 1.5, section 16)."""

import asyncio
import socket

import pytest
from finsy.proto import p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import PATIENCE_S, Controller, connected
from .entities import Entities, exact

PACKETS = 3_000
PAYLOAD = bytes(1_400)


async def test_a_stream_that_is_not_read_delays_no_other(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    """Packets of far more bytes than any buffer on the way holds; the primary reads none."""
    reader = p4r.Role(name="reader")
    async with connected(switch.address, 1, reader) as other:
        await other.become_primary()
        received = asyncio.create_task(_packets(other))
        async with asyncio.timeout(PATIENCE_S):
            for _ in range(PACKETS):
                await primary.packet_out(PAYLOAD, b"\x01\xfe", b"\x00", b"\x00")
            entry = entities.entry("stations", [exact(1, 1)], "forward", 1)
            await other.insert(entry)
            assert await other.read(entities.entry("stations")) == [entry]
            assert await received > 0


async def _packets(controller: Controller) -> int:
    """Packets received until one is there and no more come."""
    count = 0
    while True:
        try:
            message = await asyncio.wait_for(controller.stream.read(), 1.0 if count else PATIENCE_S)
        except TimeoutError:
            return count
        count += isinstance(message, p4r.StreamMessageResponse)


@pytest.mark.requirement("13.3-5")
async def test_a_read_that_is_not_taken_delays_no_other(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    everything = p4r.Entity(register_entry=p4r.RegisterEntry())
    request = p4r.ReadRequest(device_id=1, entities=[everything] * 2_000)
    slow = [primary.stub.Read(request) for _ in range(4)]
    async with connected(switch.address, 0) as other, asyncio.timeout(PATIENCE_S):
        assert len(await other.read(entities.cell("marks"))) == 4
        await primary.insert(entities.entry("stations", [exact(1, 1)], "forward", 1))
    for call in slow:
        call.cancel()


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.0\r\n\r\n", bytes(64)])
async def test_connections_that_speak_no_grpc_delay_no_other(
    switch: RunningSwitch, primary: Controller, entities: Entities, sent: bytes
) -> None:
    host, _, port = switch.address.rpartition(":")
    with socket.create_connection((host, int(port)), PATIENCE_S) as connection:
        connection.sendall(sent)
        async with asyncio.timeout(PATIENCE_S):
            assert len(await primary.read(entities.cell("marks"))) == 4
