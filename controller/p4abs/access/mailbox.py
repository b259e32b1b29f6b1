"""The register path by packet-out and packet-in (p4src/mailbox.p4): write and snapshot in one."""

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import grpc
from finsy.proto import p4r

from p4abs.access.backlog_windows import BacklogWindows
from p4abs.access.connection import Connection
from p4abs.access.conversation import Answer, Conversation, Question, batches_of, misplaced
from p4abs.access.mailbox_record import Record, RecordForm
from p4abs.access.program import Program
from p4abs.access.register_access import Snapshots, drain_rate
from p4abs.access.register_entry import bitstring
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.p4_constants import (
    MAILBOX_RECORDS_MAX,
    MAILBOX_SERVED,
    MAILBOX_START_BACKLOG_WINDOW,
    MAILBOX_WRITE_DRAIN_RATE,
    MAILBOX_WRITE_ECN_MARKING,
    MAILBOX_WRITE_QUEUE_LIMIT,
)
from p4abs.snapshot import Snapshot

_NO_SUCH_PORT = RpcError(
    "mailbox", grpc.StatusCode.OUT_OF_RANGE, "the program has no registers for it"
)


class _Reply(NamedTuple):
    timestamp_us: int
    records: list[Record]


class MailboxAccess:
    """Requests and replies are matched by sequence number; a late reply finds nobody waiting.

    A packet carries up to MAILBOX_RECORDS_MAX ports; what gets lost concerns its ports alone. A
    snapshot's time is that of the data plane when it received the request.
    """

    path = "mailbox"

    def __init__(self, connection: Connection, program: Program) -> None:
        self._form = RecordForm(program)
        self._out_ids = program.mailbox_ids("packet_out")
        in_ids = program.mailbox_ids("packet_in")
        self._sequence_id, self._timestamp_id = in_ids["sequence"], in_ids["timestamp_us"]
        self._windows = BacklogWindows()
        self._conversation = Conversation(connection, self._read)

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; as few packets as hold all ports, all of them under way at once."""
        if not ports:
            return Snapshots()
        batches = batches_of(ports, MAILBOX_RECORDS_MAX)
        answers = await self._ask(batches, lambda port: self._request(port, limits.get(port)))
        snapshots = Snapshots()
        for batch, answer in zip(batches, answers, strict=True):
            if answer.reply is None:
                snapshots.failures.update(dict.fromkeys(batch, answer.silence))
                continue
            for record in answer.reply.records:
                if record.operation & MAILBOX_SERVED:
                    snapshot = self._snapshot(record, answer.reply.timestamp_us, answer.sequence)
                    snapshots.taken[record.port] = snapshot
                else:
                    snapshots.failures[record.port] = PortRefused(record.port, _NO_SUCH_PORT)
        return snapshots

    async def configure(
        self, drain_rates_bps: Mapping[int, int], ecn_marking: Mapping[int, bool]
    ) -> None:
        """See RegisterAccess."""

        def record(port: int) -> bytes:
            operation, values = 0, {}
            if port in drain_rates_bps:
                operation |= MAILBOX_WRITE_DRAIN_RATE
                values["drain_rate"] = drain_rate(drain_rates_bps[port])
            if port in ecn_marking:
                operation |= MAILBOX_WRITE_ECN_MARKING
                values["ecn_marking"] = int(ecn_marking[port])
            return self._form.pack(operation, port, **values)

        batches = batches_of([*{**drain_rates_bps, **ecn_marking}], MAILBOX_RECORDS_MAX)
        for answer in await self._ask(batches, record):
            if answer.reply is None:
                raise answer.silence
            for served in answer.reply.records:
                if not served.operation & MAILBOX_SERVED:
                    raise PortRefused(served.port, _NO_SUCH_PORT)

    def _request(self, port: int, limit_bytes: int | None) -> bytes:
        if limit_bytes is None:
            return self._form.pack(MAILBOX_START_BACKLOG_WINDOW, port)
        operation = MAILBOX_START_BACKLOG_WINDOW | MAILBOX_WRITE_QUEUE_LIMIT
        return self._form.pack(operation, port, queue_limit_bytes=limit_bytes)

    def _snapshot(self, record: Record, timestamp_us: int, sequence: int) -> Snapshot:
        least, greatest = record.least_backlog_bytes, record.greatest_backlog_bytes
        window = record.backlog_window
        if window is None or not self._windows.received(record.port, window, sequence):
            least = greatest = None
        return Snapshot(
            timestamp_us,
            record.admitted_bytes,
            record.dropped_bytes,
            record.departed_bytes,
            record.queue_limit_bytes,
            record.unsaturated_us,
            record.unsaturated_bytes,
            least,
            greatest,
            record.marked_bytes,
        )

    async def _ask(
        self, batches: Sequence[Sequence[int]], record: Callable[[int], bytes]
    ) -> list[Answer[_Reply]]:
        """Sends a packet for each batch of ports, with a record for each of them."""
        return await self._conversation.ask(
            [
                Question(partial(self._packet, [*map(record, batch)]), partial(_misfit, batch))
                for batch in batches
            ]
        )

    def _packet(self, records: Sequence[bytes], sequence: int) -> p4r.PacketOut:
        values = {"sequence": sequence, "record_count": len(records)}
        return p4r.PacketOut(
            payload=b"".join(records),
            metadata=[
                p4r.PacketMetadata(metadata_id=number, value=bitstring(values.get(name, 0)))
                for name, number in self._out_ids.items()
            ],
        )

    def _read(self, packet: p4r.PacketIn) -> tuple[int, _Reply] | None:
        values = {item.metadata_id: item.value for item in packet.metadata}
        sequence = int.from_bytes(values.get(self._sequence_id, b""), "big")
        timestamp_us = int.from_bytes(values.get(self._timestamp_id, b""), "big")
        try:
            return sequence, _Reply(timestamp_us, list(self._form.unpack(packet.payload)))
        except struct.error:
            return None


def _misfit(ports: Sequence[int], reply: _Reply) -> str:
    """What is wrong with a reply to a request of these ports."""
    if len(reply.records) != len(ports):
        return f"with {len(reply.records)} of {len(ports)} records"
    return misplaced(ports, [record.port for record in reply.records])
