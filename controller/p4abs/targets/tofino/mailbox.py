"""The mailbox of p4src/tna: a packet each way for each port, which writes its limit and reads all.

A request goes through the registers of the CPU port's pipe, so it sees what comes in there.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from finsy.proto import p4r

from p4abs.access.connection import Connection
from p4abs.access.conversation import Conversation, Question
from p4abs.access.register_access import Snapshots
from p4abs.access.register_entry import bitstring
from p4abs.p4_constants import MAILBOX_START_BACKLOG_WINDOW, MAILBOX_WRITE_QUEUE_LIMIT
from p4abs.targets.tofino.chip_clock import ChipClock
from p4abs.targets.tofino.program import TofinoProgram
from p4abs.targets.tofino.rate_entries import RateEntries
from p4abs.targets.tofino.replies import Replies, Reply

# With the request of 12 bytes the least frame of Ethernet without FCS: no chip was here to say
# whether its CPU port takes shorter ones.
_PADDING = bytes(48)


class TofinoMailbox:
    """A RegisterAccess; a snapshot is of the instant at which the request went through."""

    path = "mailbox"

    def __init__(self, connection: Connection, program: TofinoProgram) -> None:
        self._out_ids = program.header_ids("packet_out")
        self._in_names = {number: name for name, number in program.header_ids("packet_in").items()}
        self._rates = RateEntries(connection, program.rate_table)
        self._replies = Replies(ChipClock())
        self._conversation: Conversation[Reply] = Conversation(connection, self._read)

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; the requests of all ports are under way at once."""
        answers = await self._conversation.ask(
            [Question(partial(self._request, port, limits.get(port))) for port in ports]
        )
        snapshots = Snapshots()
        for port, answer in zip(ports, answers, strict=True):
            if answer.reply is None:
                snapshots.failures[port] = answer.silence
            else:
                snapshots.taken[port] = self._replies.snapshot(port, answer.sequence, answer.reply)
        return snapshots

    async def configure(
        self, drain_rates_bps: Mapping[int, int], ecn_marking: Mapping[int, bool]
    ) -> None:
        """See RegisterAccess; there is no marking to switch on."""
        await self._rates.write(drain_rates_bps)

    def _request(self, port: int, limit_bytes: int | None, sequence: int) -> p4r.PacketOut:
        operation = MAILBOX_START_BACKLOG_WINDOW
        if limit_bytes is not None:
            operation |= MAILBOX_WRITE_QUEUE_LIMIT
        values = {
            "operation": operation,
            "port": port,
            "sequence": sequence,
            "queue_limit_bytes": limit_bytes or 0,
        }
        return p4r.PacketOut(
            payload=_PADDING,
            metadata=[
                p4r.PacketMetadata(metadata_id=number, value=bitstring(values.get(name, 0)))
                for name, number in self._out_ids.items()
            ],
        )

    def _read(self, packet: p4r.PacketIn) -> tuple[int, Reply] | None:
        values = {
            self._in_names[item.metadata_id]: int.from_bytes(item.value, "big")
            for item in packet.metadata
            if item.metadata_id in self._in_names
        }
        if len(values) < len(self._in_names):
            return None
        return values["sequence"], values
