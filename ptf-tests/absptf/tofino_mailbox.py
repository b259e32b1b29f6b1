"""The mailbox of the Tofinos (p4src/tna/headers.p4), and of their pipeline on v1model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finsy.proto import p4r

from absptf.mailbox_packets import MailboxPackets, Request, Snapshot

# With the header of 4 bytes the least frame of Ethernet without FCS.
LEAST_PAYLOAD_BYTES = 56


def stamped(now_ns: int) -> bytes:
    """What requests have before them: an Ethernet header whose source is the time."""
    return bytes(6) + now_ns.to_bytes(6, "big") + bytes(2)


class TofinoMailboxPackets(MailboxPackets):
    """As they are on a chip."""

    def request(
        self,
        sequence: int,
        records: Sequence[Request],
        record_count: int | None = None,
        payload: bytes = b"",
    ) -> p4r.PacketOut:
        """A packet-out; what the program does not know of a record is left out. `record_count` is
        how many the first one claims."""
        count = len(records) if record_count is None else record_count
        requests = b"".join(
            self._coded("mailbox_request", {**record._asdict(), "requests_left": left})
            for record, left in zip(records, range(count - 1, -1, -1), strict=False)
        )
        return self.packet_out({"sequence": sequence}, self._around(requests, payload))

    def snapshots(self, packet: p4r.PacketIn, payload: bytes = b"") -> list[Snapshot]:
        """In the order of the requests; what the program does not count is 0."""
        head = self.fields(packet)
        records = [*self._unpack("mailbox_record", self._records(packet.payload, payload))]
        return [_snapshot(head["sequence"], record) for record in reversed(records)]

    def _around(self, requests: bytes, payload: bytes) -> bytes:
        """A packet's payload from its requests and what the test gives."""
        return (requests + payload).ljust(LEAST_PAYLOAD_BYTES, b"\0")

    def _records(self, packet: bytes, payload: bytes) -> bytes:
        """What stands in the place of the requests. Raises AssertionError unless the rest of the
        packet is as it was."""
        request_bytes = sum(self._lengths_bytes["mailbox_request"].values())
        for count in range(1, len(packet) // self.record_length_bytes + 1):
            end = count * self.record_length_bytes
            rest = self._around(bytes(count * request_bytes), payload)[count * request_bytes :]
            if packet[end:] == rest:
                return packet[:end]
        raise AssertionError(f"{packet.hex()} does not bring back what followed its requests")


class StampedMailboxPackets(TofinoMailboxPackets):
    """Before the requests stands what `stamped` makes, the payload; without one the time is 0."""

    def _around(self, requests: bytes, payload: bytes) -> bytes:
        return (payload or stamped(0)) + requests

    def _records(self, packet: bytes, payload: bytes) -> bytes:
        stamp = payload or stamped(0)
        if not packet.startswith(stamp):
            raise AssertionError(f"{packet.hex()} does not bring back its stamp")
        return packet[len(stamp) :]


def _snapshot(sequence: int, record: Mapping[str, int]) -> Snapshot:
    admitted_bytes = record["admitted_bytes_high"] << 32 | record["admitted_bytes_low"]
    return Snapshot(
        port=record["port"],
        sequence=sequence,
        timestamp_us=record["timestamp_ns"] // 1000,
        operation=0,
        admitted_bytes=admitted_bytes,
        dropped_bytes=record["dropped_bytes_high"] << 32 | record["dropped_bytes_low"],
        departed_bytes=admitted_bytes - record["backlog_bytes"],
        queue_limit_bytes=record["queue_limit_bytes"],
        drain_rate=0,
        unsaturated_us=0,
        unsaturated_bytes=0,
        least_backlog_bytes=record["least_backlog_bytes"],
        greatest_backlog_bytes=record["greatest_backlog_bytes"],
        backlog_window=record["backlog_window"],
        marked_bytes=0,
        ecn_marking=0,
        active_flow_us=0,
        long_flow_us=0,
        untracked_bytes=0,
        timed_bytes=0,
        timed_byte_us=0,
    )
