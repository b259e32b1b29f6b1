"""What waits for a controller is bounded (P4Runtime 1.5, section 16)."""

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.controllers.streams import ControllerStream
from p4abs_switch.status import RequestError


async def test_messages_come_in_order_and_an_ended_stream_sends_them_first() -> None:
    stream = ControllerStream()
    stream.notify(p4r.MasterArbitrationUpdate(device_id=1))
    stream.send(p4r.StreamMessageResponse(packet=p4r.PacketIn(payload=b"1")))
    stream.send(p4r.StreamMessageResponse(packet=p4r.PacketIn(payload=b"2")))
    stream.end()
    received = [response async for response in stream.responses()]
    assert received == [
        p4r.StreamMessageResponse(arbitration=p4r.MasterArbitrationUpdate(device_id=1)),
        p4r.StreamMessageResponse(packet=p4r.PacketIn(payload=b"1")),
        p4r.StreamMessageResponse(packet=p4r.PacketIn(payload=b"2")),
    ]


async def test_an_error_ends_the_stream_at_once() -> None:
    stream = ControllerStream()
    stream.send(p4r.StreamMessageResponse(packet=p4r.PacketIn()))
    stream.end(RequestError(grpc.StatusCode.NOT_FOUND, "no such device"))
    with pytest.raises(RequestError, match="no such device"):
        await anext(stream.responses())


async def test_packets_for_a_controller_that_does_not_read_are_lost_and_counted() -> None:
    stream = ControllerStream()
    for _ in range(1500):
        stream.send(p4r.StreamMessageResponse(packet=p4r.PacketIn()))
    assert stream.lost_messages == 1500 - 1024
    stream.notify(p4r.MasterArbitrationUpdate())
    stream.end()
    received = [response async for response in stream.responses()]
    assert len(received) == 1025
    assert received[-1].HasField("arbitration")


async def test_a_controller_that_reads_not_even_arbitration_updates_loses_its_stream() -> None:
    stream = ControllerStream()
    for _ in range(3000):
        stream.notify(p4r.MasterArbitrationUpdate())
    with pytest.raises(RequestError) as caught:
        await anext(stream.responses())
    assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
