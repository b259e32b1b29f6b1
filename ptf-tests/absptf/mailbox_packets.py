"""Mailbox packets (p4src/headers.p4), coded as P4Info says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from finsy.proto import p4i, p4r
from p4abs.p4_constants import MAILBOX_SERVED
from p4abs_switch.bytestring import encode


class Request(NamedTuple):
    """A record on its way in; `operation` names what is written."""

    port: int
    operation: int = 0
    queue_limit_bytes: int = 0
    drain_rate: int = 0
    ecn_marking: int = 0


class Snapshot(NamedTuple):
    """A record on its way back: the registers of one port at one instant."""

    port: int
    sequence: int
    timestamp_us: int
    operation: int
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int
    queue_limit_bytes: int
    drain_rate: int
    unsaturated_us: int
    unsaturated_bytes: int
    least_backlog_bytes: int
    greatest_backlog_bytes: int
    backlog_window: int
    marked_bytes: int
    ecn_marking: int
    active_flow_us: int
    long_flow_us: int
    untracked_bytes: int
    timed_bytes: int
    timed_byte_us: int

    @property
    def is_served(self) -> bool:
        """Whether the program has registers for the port."""
        return self.operation & MAILBOX_SERVED != 0

    @property
    def state(self) -> tuple[int, ...]:
        """What packets and writes change, and time does not."""
        return (*self[4:9], *self[10:])

    @property
    def backlog_bytes(self) -> int:
        """Admitted, and not departed."""
        return (self.admitted_bytes - self.departed_bytes) % 2**64

    @property
    def offered_bytes(self) -> int:
        """What the limit has decided on."""
        return (self.admitted_bytes + self.dropped_bytes) % 2**64


class MailboxPackets:
    """Makes packet-outs and reads packet-ins of one program."""

    def __init__(self, p4info: p4i.P4Info) -> None:
        headers = {
            header.preamble.name: header.metadata for header in p4info.controller_packet_metadata
        }
        self._packet_out, self._packet_in = headers["packet_out"], headers["packet_in"]
        self._lengths_bytes = {
            name: {field.name: field.bitwidth // 8 for field in fields}
            for name, fields in headers.items()
        }
        self.record_length_bytes = sum(self._lengths_bytes["mailbox_record"].values())

    def request(
        self,
        sequence: int,
        records: Sequence[Request],
        record_count: int | None = None,
        payload: bytes = b"",
    ) -> p4r.PacketOut:
        """A packet-out; `record_count` is what it claims, `payload` what follows the records."""
        count = len(records) if record_count is None else record_count
        values = {"sequence": sequence, "record_count": count}
        packed = (self._coded("mailbox_record", record._asdict()) for record in records)
        return self.packet_out(values, b"".join(packed) + payload)

    def snapshots(self, packet: p4r.PacketIn, payload: bytes = b"") -> list[Snapshot]:
        """The records of a packet-in. Raises AssertionError unless `payload` follows them."""
        if not packet.payload.endswith(payload):
            raise AssertionError(f"{packet} does not end with {payload.hex()}")
        head = self.fields(packet)
        records = packet.payload[: len(packet.payload) - len(payload)]
        return [Snapshot(**head, **record) for record in self._unpack(records)]

    def packet_out(self, values: Mapping[str, int], payload: bytes) -> p4r.PacketOut:
        """With these values of the header's fields; further ones are left out."""
        return p4r.PacketOut(
            payload=payload,
            metadata=[
                p4r.PacketMetadata(metadata_id=field.id, value=encode(values[field.name]))
                for field in self._packet_out
            ],
        )

    def fields(self, packet: p4r.PacketIn) -> dict[str, int]:
        """The values of the header's fields."""
        given = {item.metadata_id: int.from_bytes(item.value, "big") for item in packet.metadata}
        return {field.name: given[field.id] for field in self._packet_in}

    def _coded(self, header: str, values: Mapping[str, int]) -> bytes:
        """A header of the payload; what is not given is 0, what it has not is left out."""
        return b"".join(
            values.get(name, 0).to_bytes(length_bytes, "big")
            for name, length_bytes in self._lengths_bytes[header].items()
        )

    def _unpack(self, records: bytes) -> Iterator[dict[str, int]]:
        if len(records) % self.record_length_bytes:
            raise AssertionError(f"{len(records)} bytes are no whole records")
        while records:
            values = {}
            for name, length_bytes in self._lengths_bytes["mailbox_record"].items():
                values[name] = int.from_bytes(records[:length_bytes], "big")
                records = records[length_bytes:]
            yield values
