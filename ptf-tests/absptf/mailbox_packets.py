"""Mailbox packets (p4src/adaptive/mailbox_packet.p4), coded as P4Info says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from finsy.proto import p4i, p4r
from p4abs.p4_constants import CPU_PORT, ETHER_TYPE_MAILBOX, MAILBOX_SERVED, PACKET_IN_MAILBOX
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
    marked_bytes: int = 0  # this and what follows: 0 in programs that do not measure it
    ecn_marking: int = 0
    active_flow_us: int = 0
    long_flow_us: int = 0
    untracked_bytes: int = 0
    timed_bytes: int = 0
    timed_byte_us: int = 0

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


ETHERNET = bytes(12) + ETHER_TYPE_MAILBOX.to_bytes(2)


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
        head = self._coded("mailbox", {"sequence": sequence, "record_count": count})
        packed = b"".join(self._coded("mailbox_record", record._asdict()) for record in records)
        return self.frame_out(CPU_PORT, ETHERNET + head + packed + payload)

    def snapshots(self, packet: p4r.PacketIn, payload: bytes = b"") -> list[Snapshot]:
        """The records of a packet-in. Raises AssertionError unless `payload` follows them."""
        if not packet.payload.endswith(payload):
            raise AssertionError(f"{packet} does not end with {payload.hex()}")
        head, records = self._opened(packet, ETHERNET)
        found = [*self._unpack("mailbox_record", records[: len(records) - len(payload)])]
        if len(found) != head.pop("record_count"):
            raise AssertionError(f"{packet} has {len(found)} records")
        return [Snapshot(**head, **record) for record in found]

    def _reply_fields(self) -> dict[str, int]:
        """Programs of others may tell no reason."""
        told = {"ingress_port": CPU_PORT, "target_egress_port": CPU_PORT}
        told |= {"reason": PACKET_IN_MAILBOX, "unused_pad": 0}
        return {field.name: told[field.name] for field in self._packet_in}

    def frame_out(
        self, egress_port: int, frame: bytes, submit_to_ingress: int = 0
    ) -> p4r.PacketOut:
        """A frame that leaves by a port, or is taken for one that has come in."""
        values = {"egress_port": egress_port, "submit_to_ingress": submit_to_ingress}
        return self.packet_out({**values, "unused_pad": 0}, frame)

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

    def _opened(self, packet: p4r.PacketIn, ethernet: bytes) -> tuple[dict[str, int], bytes]:
        """The mailbox's header of a reply, and what stands behind it."""
        if not packet.payload.startswith(ethernet) or self.fields(packet) != self._reply_fields():
            raise AssertionError(f"{packet} is no mailbox reply")
        behind = packet.payload[len(ethernet) :]
        head_bytes = sum(self._lengths_bytes["mailbox"].values())
        [head] = self._unpack("mailbox", behind[:head_bytes])
        return head, behind[head_bytes:]

    def _coded(self, header: str, values: Mapping[str, int]) -> bytes:
        """A header of the payload; what is not given is 0, what it has not is left out."""
        return b"".join(
            values.get(name, 0).to_bytes(length_bytes, "big")
            for name, length_bytes in self._lengths_bytes[header].items()
        )

    def _unpack(self, header: str, packed: bytes) -> Iterator[dict[str, int]]:
        if len(packed) % sum(self._lengths_bytes[header].values()):
            raise AssertionError(f"{len(packed)} bytes are no whole {header}s")
        while packed:
            values = {}
            for name, length_bytes in self._lengths_bytes[header].items():
                values[name] = int.from_bytes(packed[:length_bytes], "big")
                packed = packed[length_bytes:]
            yield values
