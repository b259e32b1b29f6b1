"""The mailbox of p4src/tna: packets that visit ports one after the other, write limits, read all.

A request goes through the registers of the CPU port's pipe, so it sees what comes in there.
"""

import struct
from collections.abc import Mapping, Sequence
from functools import partial

from finsy.proto import p4r

from p4abs.access.connection import Connection
from p4abs.access.conversation import Conversation, Question, batches_of, misplaced
from p4abs.access.mailbox import HeadForm, is_reply, request_metadata
from p4abs.access.program import reply_mark
from p4abs.access.register_access import Snapshots
from p4abs.errors import P4absError
from p4abs.measurements import Snapshot
from p4abs.p4_constants import MAILBOX_START_BACKLOG_WINDOW
from p4abs.targets.tofino.clocks import ChipClock
from p4abs.targets.tofino.mtu_entries import MtuEntries
from p4abs.targets.tofino.program import TofinoProgram
from p4abs.targets.tofino.records import (
    HEAD_BITS,
    REQUESTS_MAX,
    RecordForm,
    packed_requests,
)

# With the header of 2 bytes, the shortest Ethernet frame without FCS. No chip was available to see
# whether its CPU port takes shorter frames.
_MIN_PAYLOAD_BYTES = 58


class TofinoMailbox:
    """A RegisterAccess; a snapshot is of the instant at which the port's request went through.

    A packet visits up to REQUESTS_MAX ports; what gets lost concerns its ports alone.
    """

    path = "mailbox"

    def __init__(self, connection: Connection, program: TofinoProgram) -> None:
        self._connection = connection
        self._program = program
        self._head = HeadForm(HEAD_BITS)
        self._metadata = request_metadata(program.header_ids("packet_out"))
        self._mark = reply_mark(program.p4info)
        self._records = program.record_form
        self._mtus = MtuEntries(connection, program.p4info)
        self._replies = program.replies(ChipClock())
        self._conversation: Conversation[bytes] = Conversation(connection, self._read)

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; the packets of all ports are under way at once."""
        batches = batches_of(ports, REQUESTS_MAX)
        answers = await self._conversation.ask(
            [
                Question(
                    partial(self._request, {port: limits.get(port) for port in batch}),
                    partial(_misfit, self._records, batch),
                )
                for batch in batches
            ]
        )
        taken, failures = dict[int, Snapshot](), dict[int, P4absError]()
        for batch, answer in zip(batches, answers, strict=True):
            if answer.reply is None:
                failures.update(dict.fromkeys(batch, answer.silence))
                continue
            for record in self._records.unpacked(answer.reply, len(batch)):
                port = record["port"]
                taken[port] = self._replies.snapshot(port, answer.sequence, record)
        return Snapshots(taken, failures)

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        """See RegisterAccess; there is no marking to switch on."""
        refused = await self._program.prepare(self._connection, drain_rates_bps)
        return {**refused, **await self._mtus.write(mtu_bytes)}

    def _request(self, limits: Mapping[int, int | None], sequence: int) -> p4r.PacketOut:
        requests = packed_requests(MAILBOX_START_BACKLOG_WINDOW, limits)
        frame = self._head.packed(sequence, len(limits)) + requests
        payload = frame.ljust(_MIN_PAYLOAD_BYTES, b"\0")
        return p4r.PacketOut(payload=payload, metadata=self._metadata)

    def _read(self, packet: p4r.PacketIn) -> tuple[int, bytes] | None:
        if not is_reply(packet, self._mark):
            return None
        try:
            head = self._head.unpacked(packet.payload)
        except struct.error:
            return None
        return head["sequence"], packet.payload[self._head.length_bytes :]


def _misfit(records: RecordForm, ports: Sequence[int], payload: bytes) -> str:
    """What is wrong with a reply to a request of these ports."""
    try:
        return misplaced(ports, records.ports(payload, len(ports)))
    except struct.error as error:
        return f"with {error}"
