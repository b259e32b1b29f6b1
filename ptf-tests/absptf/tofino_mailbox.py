"""The mailbox of the Tofinos' pipeline on v1model (p4src/tna/headers.p4): a port a packet."""

from __future__ import annotations

from collections.abc import Sequence

from finsy.proto import p4r

from absptf.mailbox_packets import MailboxPackets, Request, Snapshot


def stamped(now_ns: int) -> bytes:
    """What a request carries behind its fields: an Ethernet header whose source is the time."""
    return bytes(6) + now_ns.to_bytes(6, "big") + bytes(2)


class TofinoMailboxPackets(MailboxPackets):
    """A payload is what `stamped` makes; without one the time is 0."""

    def request(
        self,
        sequence: int,
        records: Sequence[Request],
        record_count: int | None = None,
        payload: bytes = b"",
    ) -> p4r.PacketOut:
        """A packet-out; what the program does not know of the one record is left out."""
        [record] = records
        values = {**record._asdict(), "sequence": sequence, "padding": 0}
        return self.packet_out(values, payload or stamped(0))

    def snapshots(self, packet: p4r.PacketIn, payload: bytes = b"") -> list[Snapshot]:
        """The one record; what the program does not count is 0."""
        if packet.payload != (payload or stamped(0)):
            raise AssertionError(f"{packet} does not bring back its payload")
        reply = self.fields(packet)
        admitted_bytes = reply["admitted_bytes_high"] << 32 | reply["admitted_bytes_low"]
        return [
            Snapshot(
                port=reply["port"],
                sequence=reply["sequence"],
                timestamp_us=reply["timestamp_ns"] // 1000,
                operation=0,
                admitted_bytes=admitted_bytes,
                dropped_bytes=reply["dropped_bytes_high"] << 32 | reply["dropped_bytes_low"],
                departed_bytes=admitted_bytes - reply["backlog_bytes"],
                queue_limit_bytes=reply["queue_limit_bytes"],
                drain_rate=0,
                unsaturated_us=0,
                unsaturated_bytes=0,
                least_backlog_bytes=reply["least_backlog_bytes"],
                greatest_backlog_bytes=reply["greatest_backlog_bytes"],
                backlog_window=reply["backlog_window"],
                marked_bytes=0,
                ecn_marking=0,
            )
        ]
