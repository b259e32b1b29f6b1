"""Packet-out and packet-in: controller headers as metadata (P4Runtime 1.5, section 16.1)."""

from collections.abc import Iterable, Sequence

from finsy.proto import p4r

from p4abs_switch.messages import values
from p4abs_switch.program.objects import Field
from p4abs_switch.status import Code, RequestError, invalid


def frame(header: Sequence[Field], packet: p4r.PacketOut) -> bytes:
    """The frame for the CPU port: the controller header, packed MSB first, and the payload.

    Raises RequestError INVALID_ARGUMENT unless the metadata has each field of the header once, and
    OUT_OF_RANGE for a value that does not fit.
    """
    return _packed(header, _by_field(header, packet.metadata)) + packet.payload


def packet_in(header: Sequence[Field], received: bytes) -> p4r.PacketIn:
    """The message of a frame from the CPU port.

    Raises RequestError OUT_OF_RANGE when the frame is shorter than the header.
    """
    header_bytes = sum(part.width_bits for part in header) // 8
    if len(received) < header_bytes:
        raise RequestError(
            Code.OUT_OF_RANGE,
            f"a frame of {len(received)} bytes came to the CPU port; packet_in has {header_bytes}",
        )
    bits = int.from_bytes(received[:header_bytes], "big")
    below = header_bytes * 8
    packet = p4r.PacketIn(payload=received[header_bytes:])
    for part in header:
        below -= part.width_bits
        number = (bits >> below) & ((1 << part.width_bits) - 1)
        packet.metadata.add(metadata_id=part.id, value=values.encode(number, part))
    return packet


def _packed(header: Sequence[Field], given: dict[int, bytes]) -> bytes:
    bits = 0
    for part in header:
        number = values.decode(given[part.id], part, f"packet_out.{part.name}")
        bits = bits << part.width_bits | number
    return bits.to_bytes(sum(part.width_bits for part in header) // 8, "big")


def _by_field(header: Sequence[Field], metadata: Iterable[p4r.PacketMetadata]) -> dict[int, bytes]:
    given = [(item.metadata_id, item.value) for item in metadata]
    if sorted(key for key, _ in given) != sorted(part.id for part in header):
        names = ", ".join(f"{part.id} ({part.name})" for part in header) or "none"
        raise invalid(
            f"packet_out takes each of these metadata fields once: {names};"
            f" given: {', '.join(str(key) for key, _ in given) or 'none'}"
        )
    return dict(given)
