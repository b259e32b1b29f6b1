"""Controller headers as metadata (P4Runtime 1.5, section 16.1).

packet_out: egress_port of 9 bits, 3 and 4 more bits; packet_in: ingress_port of 9 bits, mark of 7.
"""

import grpc
import pytest
from finsy.proto import p4r

from .model import CPU_PORT, Model
from .refusals import RequestError


def packet_out(payload: bytes, values: dict[int, bytes]) -> p4r.PacketOut:
    metadata = [p4r.PacketMetadata(metadata_id=key, value=value) for key, value in values.items()]
    return p4r.PacketOut(payload=payload, metadata=metadata)


def received(model: Model, frame: bytes) -> list[p4r.PacketIn]:
    model.device.deliver_packets([frame])
    return [message.packet for message in model.told()]


@pytest.mark.requirement("8.3-8", "16.1-2", "16.1-4")
def test_metadata_of_packet_in_is_canonical(kinds: Model) -> None:
    metadata = [p4r.PacketMetadata(metadata_id=number, value=b"\x01") for number in (1, 2)]
    packet = p4r.PacketIn(payload=b"payload", metadata=metadata)
    assert received(kinds, b"\x00\x81" + b"payload") == [packet]


def test_of_frames_without_the_header_the_first_second_fourth_and_so_on_are_told(
    kinds: Model, caplog: pytest.LogCaptureFixture
) -> None:
    kinds.device.deliver_packets([b"\x00"] * 1000)
    assert len(caplog.messages) == 10
    assert caplog.messages[-1].endswith("; such frames dropped so far: 512")


def test_a_packet_goes_where_its_metadata_says(kinds: Model) -> None:
    kinds.send(packet_out(b"payload", {3: b"\x0f", 1: b"\x02", 2: b"\x02"}))
    left = kinds.switch.run_until(1)
    assert [(port, frame) for _, port, frame in left] == [(2, b"payload")]
    kinds.send(packet_out(b"\x00\x81payload", {3: b"\0", 1: CPU_PORT.to_bytes(2, "big"), 2: b"\0"}))
    kinds.switch.run_until(2)
    assert kinds.switch.packet_in() == [b"\x00\x81payload"]


@pytest.mark.parametrize(
    "ids", [[], [1, 2], [1, 2, 3, 3], [1, 2, 3, 4]], ids=["none", "missing", "twice", "unknown"]
)
@pytest.mark.requirement("16.1-3")
def test_metadata_must_have_each_field_once(kinds: Model, ids: list[int]) -> None:
    packet = p4r.PacketOut(
        metadata=[p4r.PacketMetadata(metadata_id=key, value=b"\x01") for key in ids]
    )
    with pytest.raises(RequestError, match="egress_port") as caught:
        kinds.send(packet)
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("8.3-5", "16.1-3", "16.1-4")
@pytest.mark.parametrize("port", [b"\x02\x00", b"\x02" * 4000])
def test_metadata_wider_than_its_field_is_out_of_range(kinds: Model, port: bytes) -> None:
    with pytest.raises(RequestError, match=r"packet_out\.egress_port") as caught:
        kinds.send(packet_out(b"", {1: port, 2: b"\x01", 3: b"\x01"}))
    assert caught.value.code is grpc.StatusCode.OUT_OF_RANGE


def test_a_frame_shorter_than_the_header_is_no_packet_in(
    kinds: Model, caplog: pytest.LogCaptureFixture
) -> None:
    assert received(kinds, b"\x00") == []
    assert "a frame to the CPU port has 1 bytes" in caplog.text
