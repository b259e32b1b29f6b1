"""Controller headers as metadata (P4Runtime 1.5, section 16.1)."""

import grpc
import pytest
from finsy.proto import p4r
from hypothesis import given
from hypothesis import strategies as st
from p4abs_switch import bytestring
from p4abs_switch.controllers import packet_io
from p4abs_switch.program.objects import Field, Program
from p4abs_switch.status import RequestError


def test_fields_are_packed_most_significant_bit_first(kinds: Program) -> None:
    packet = p4r.PacketOut(
        payload=b"payload",
        metadata=[
            p4r.PacketMetadata(metadata_id=3, value=b"\x0f"),
            p4r.PacketMetadata(metadata_id=1, value=b"\x01\xfe"),
            p4r.PacketMetadata(metadata_id=2, value=b"\x02"),
        ],
    )
    # 9 bits 111111110, 3 bits 010, 4 bits 1111
    assert packet_io.frame(kinds.packet_out, packet) == b"\xff\x2f" + b"payload"


@pytest.mark.requirement("8.3-8", "16.1-2", "16.1-4")
def test_metadata_of_packet_in_is_canonical(kinds: Program) -> None:
    packet = packet_io.packet_in(kinds.packet_in, b"\x00\x81" + b"payload")
    assert packet == p4r.PacketIn(
        payload=b"payload",
        metadata=[
            p4r.PacketMetadata(metadata_id=1, value=b"\x01"),
            p4r.PacketMetadata(metadata_id=2, value=b"\x01"),
        ],
    )


@given(st.lists(st.integers(1, 130), max_size=12), st.binary(max_size=20), st.data())
def test_what_is_packed_is_what_is_unpacked(
    widths: list[int], payload: bytes, data: st.DataObject
) -> None:
    widths = [*widths, 8 - sum(widths) % 8]
    header = [Field(key, f"field{key}", width) for key, width in enumerate(widths, start=1)]
    metadata = [
        p4r.PacketMetadata(
            metadata_id=part.id,
            value=bytestring.encode(data.draw(st.integers(0, (1 << part.width_bits) - 1))),
        )
        for part in header
    ]
    frame = packet_io.frame(header, p4r.PacketOut(payload=payload, metadata=metadata))
    assert packet_io.packet_in(header, frame) == p4r.PacketIn(payload=payload, metadata=metadata)


def test_a_program_without_controller_headers_gets_the_payload_alone() -> None:
    assert packet_io.frame((), p4r.PacketOut(payload=b"frame")) == b"frame"
    assert packet_io.packet_in((), b"frame") == p4r.PacketIn(payload=b"frame")


@pytest.mark.parametrize(
    "ids", [[], [1, 2], [1, 2, 3, 3], [1, 2, 3, 4]], ids=["none", "missing", "twice", "unknown"]
)
@pytest.mark.requirement("16.1-3")
def test_metadata_must_have_each_field_once(kinds: Program, ids: list[int]) -> None:
    packet = p4r.PacketOut(
        metadata=[p4r.PacketMetadata(metadata_id=key, value=b"\x01") for key in ids]
    )
    with pytest.raises(RequestError, match="egress_port") as caught:
        packet_io.frame(kinds.packet_out, packet)
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("8.3-5", "16.1-3", "16.1-4")
def test_metadata_wider_than_its_field_is_out_of_range(kinds: Program) -> None:
    values = {1: b"\x02\x00", 2: b"\x01", 3: b"\x01"}
    packet = p4r.PacketOut(
        metadata=[p4r.PacketMetadata(metadata_id=key, value=v) for key, v in values.items()]
    )
    with pytest.raises(RequestError, match=r"packet_out\.egress_port") as caught:
        packet_io.frame(kinds.packet_out, packet)
    assert caught.value.code is grpc.StatusCode.OUT_OF_RANGE


def test_a_frame_shorter_than_the_header_is_no_packet_in(kinds: Program) -> None:
    with pytest.raises(RequestError):
        packet_io.packet_in(kinds.packet_in, b"\x00")
