"""The register path by packet-out and packet-in (p4src/mailbox.p4): write and snapshot in one."""

import asyncio
from collections.abc import Mapping, Sequence

from finsy.proto import p4r

from p4abs.access.backlog_windows import WINDOW_MODULUS, BacklogWindows
from p4abs.access.connection import Connection
from p4abs.access.program import Program
from p4abs.access.register_access import ExchangeTimeout, Snapshots, drain_rate
from p4abs.access.register_entry import bitstring
from p4abs.p4_constants import (
    MAILBOX_START_BACKLOG_WINDOW,
    MAILBOX_WRITE_DRAIN_RATE,
    MAILBOX_WRITE_ECN_MARKING,
    MAILBOX_WRITE_QUEUE_LIMIT,
)
from p4abs.snapshot import Snapshot

REPLY_TIMEOUT_S = 0.25

# After so many lost replies an exchange leaves the other ports out: the loop has to know soon.
_SILENT_IN_A_ROW = 2


class MailboxAccess:
    """Requests and replies are matched by sequence number; a late reply finds nobody waiting.

    A snapshot's time is that of the data plane when it handled the request.
    """

    path = "mailbox"

    def __init__(self, connection: Connection, program: Program) -> None:
        self._connection = connection
        self._out_ids = program.mailbox_ids("packet_out")
        self._in_names = {number: name for name, number in program.mailbox_ids("packet_in").items()}
        self._sequence = 0
        self._windows = BacklogWindows()
        self._waiting: dict[int, asyncio.Future[dict[str, int]]] = {}
        connection.on_packet_in = self._receive

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; for each port in turn one packet out, one packet in."""
        snapshots, silent = Snapshots(), 0
        for position, port in enumerate(ports):
            try:
                snapshots.taken[port] = await self._exchange(port, limits.get(port))
                silent = 0
            except ExchangeTimeout as error:
                snapshots.failures[port] = error
                silent += 1
            if silent == _SILENT_IN_A_ROW:
                late = ExchangeTimeout("not asked, as the switch is silent")
                snapshots.failures.update(dict.fromkeys(ports[position + 1 :], late))
                break
        return snapshots

    async def _exchange(self, port: int, limit_bytes: int | None) -> Snapshot:
        operation = MAILBOX_START_BACKLOG_WINDOW  # a program without windows ignores it
        if limit_bytes is not None:
            operation |= MAILBOX_WRITE_QUEUE_LIMIT
        reply = await self._request(operation, port, queue_limit_bytes=limit_bytes or 0)
        least, greatest = self._extremes(port, reply)
        return Snapshot(
            timestamp_us=reply["timestamp_us"],
            admitted_bytes=reply["admitted_bytes"],
            dropped_bytes=reply["dropped_bytes"],
            departed_bytes=reply["departed_bytes"],
            limit_bytes=reply["queue_limit_bytes"],
            unsaturated_us=reply.get("unsaturated_us"),
            unsaturated_bytes=reply.get("unsaturated_bytes"),
            least_backlog_bytes=least,
            greatest_backlog_bytes=greatest,
            marked_bytes=reply.get("marked_bytes"),
        )

    async def set_drain_rate(self, port: int, rate_bps: int) -> None:
        """See RegisterAccess."""
        await self._request(MAILBOX_WRITE_DRAIN_RATE, port, drain_rate=drain_rate(rate_bps))

    async def set_ecn_marking(self, port: int, on: bool) -> None:
        """See RegisterAccess."""
        await self._request(MAILBOX_WRITE_ECN_MARKING, port, ecn_marking=int(on))

    def _extremes(self, port: int, reply: dict[str, int]) -> tuple[int | None, int | None]:
        """The least and the greatest backlog since the port's last received snapshot."""
        measured = reply.get("backlog_window")
        if measured is None or not self._windows.received(port, measured, reply["sequence"]):
            return None, None
        return reply["least_backlog_bytes"], reply["greatest_backlog_bytes"]

    async def _request(self, operation: int, port: int, **values: int) -> dict[str, int]:
        self._sequence = (self._sequence + 1) % WINDOW_MODULUS
        sequence = self._sequence
        fields = {"operation": operation, "port": port, "sequence": sequence, **values}
        reply: asyncio.Future[dict[str, int]] = asyncio.get_running_loop().create_future()
        self._waiting[sequence] = reply
        try:
            self._connection.packet_out(self._packet(fields))
            async with asyncio.timeout(REPLY_TIMEOUT_S):
                return await reply
        except TimeoutError:
            raise ExchangeTimeout(
                f"port {port}: no mailbox reply within {REPLY_TIMEOUT_S} s"
            ) from None
        finally:
            del self._waiting[sequence]

    def _packet(self, fields: dict[str, int]) -> p4r.PacketOut:
        return p4r.PacketOut(
            metadata=[
                p4r.PacketMetadata(metadata_id=number, value=bitstring(fields.get(name, 0)))
                for name, number in self._out_ids.items()
            ]
        )

    def _receive(self, packet: p4r.PacketIn) -> None:
        fields = {
            self._in_names[item.metadata_id]: int.from_bytes(item.value, "big")
            for item in packet.metadata
            if item.metadata_id in self._in_names
        }
        reply = self._waiting.get(fields.get("sequence", -1))
        if reply is not None and not reply.done():
            reply.set_result(fields)
