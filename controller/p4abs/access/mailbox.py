"""The register path by packet-out and packet-in: write and snapshot in one.

p4src/adaptive/mailbox_packet.p4 lays out the packets, and mailbox.p4 beside it answers them. P4Info
has the names and widths of the fields, by which `RecordForm` and `HeadForm` pack and unpack them.
"""

import struct
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import grpc
import numpy as np
from finsy.proto import p4r
from numpy.typing import NDArray

from p4abs.access.backlog_windows import BacklogWindows
from p4abs.access.connection import Connection
from p4abs.access.conversation import Answer, Conversation, Question, batches_of, misplaced
from p4abs.access.program import MissingObjects, Program, ReplyMark, reply_mark
from p4abs.access.register_access import Snapshots, drain_rate
from p4abs.access.register_cells import bitstring
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.columns import Flags
from p4abs.errors import P4absError
from p4abs.measurements import MEASUREMENTS
from p4abs.p4_constants import (
    CPU_PORT,
    ETHER_TYPE_MAILBOX,
    MAILBOX_RECORDS_MAX,
    MAILBOX_SERVED,
    MAILBOX_START_BACKLOG_WINDOW,
    MAILBOX_WRITE_DRAIN_RATE,
    MAILBOX_WRITE_ECN_MARKING,
    MAILBOX_WRITE_QUEUE_LIMIT,
)
from p4abs.snapshots import SnapshotsByPort, snapshots_of

_NO_SUCH_PORT = RpcError(
    "mailbox", grpc.StatusCode.OUT_OF_RANGE, "the program has no registers for it"
)


Records = NDArray[Any]
"""A record of each of several ports, with its fields by their names."""

_FORMATS = {8: "u1", 16: ">u2", 32: ">u4", 64: ">u8"}
_CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}
_NO_ADDRESSES = bytes(12)  # where an Ethernet frame has its two


class _Reply(NamedTuple):
    timestamp_us: int
    records: Records


class _Setting(NamedTuple):
    """A field of a record, and what asks to write it."""

    operation: int
    name: str


_LIMIT = _Setting(MAILBOX_WRITE_QUEUE_LIMIT, "queue_limit_bytes")
_RATE = _Setting(MAILBOX_WRITE_DRAIN_RATE, "drain_rate")
_MARKING = _Setting(MAILBOX_WRITE_ECN_MARKING, "ecn_marking")


class RecordForm:
    """Packs and unpacks the records of a program.

    Raises MissingObjects when the program has no such records.
    """

    def __init__(self, program: Program) -> None:
        header = "mailbox_record"
        widths = program.mailbox_bits(header)
        self._type = np.dtype(
            [(name, _code(header, name, bits, _FORMATS)) for name, bits in widths.items()]
        )

    @property
    def names(self) -> Collection[str]:
        """Of the fields that the program knows."""
        return self._type.names or ()

    def blank(self, ports: Sequence[int]) -> Records:
        """Records that ask nothing of these ports."""
        records = np.zeros(len(ports), self._type)
        records["port"] = ports
        return records

    def unpack(self, packed: bytes) -> Records:
        """The records of a payload. Raises ValueError when it is not made of whole ones."""
        return np.frombuffer(packed, self._type)


class HeadForm:
    """Packs and unpacks what precedes the records: an Ethernet header with the mailbox's EtherType,
    and the header `mailbox`, whose fields have these widths.

    Raises MissingObjects when a field has another width than a word.
    """

    def __init__(self, widths: Mapping[str, int]) -> None:
        codes = "".join(_code("mailbox", name, bits, _CODES) for name, bits in widths.items())
        self._names = (*widths,)
        self._layout = struct.Struct(f">12sH{codes}")

    @property
    def length_bytes(self) -> int:
        """Records begin after so many bytes."""
        return self._layout.size

    def packed(self, sequence: int, record_count: int) -> bytes:
        """The head of a request, without fields that the program does not have."""
        values = {"sequence": sequence, "record_count": record_count}
        fields = (values.get(name, 0) for name in self._names)
        return self._layout.pack(_NO_ADDRESSES, ETHER_TYPE_MAILBOX, *fields)

    def unpacked(self, payload: bytes) -> dict[str, int]:
        """The fields of a reply's head, and its EtherType. Raises struct.error if it is shorter."""
        names = ("ether_type", *self._names)
        return dict(zip(names, self._layout.unpack_from(payload)[1:], strict=True))


def request_metadata(ids: Mapping[str, int]) -> list[p4r.PacketMetadata]:
    """The metadata of a request's packet-out; `ids` are those of packet_out's fields."""
    return [
        p4r.PacketMetadata(
            metadata_id=number, value=bitstring(CPU_PORT if name == "egress_port" else 0)
        )
        for name, number in ids.items()
    ]


def is_reply(packet: p4r.PacketIn, mark: ReplyMark | None) -> bool:
    """Whether the packet has the mark of the mailbox's replies."""
    return any((item.metadata_id, item.value) == mark for item in packet.metadata)


class MailboxAccess:
    """Sequence numbers match requests and replies, and a late reply is ignored.

    A packet carries up to MAILBOX_RECORDS_MAX ports; a lost packet affects only its own ports. A
    snapshot's time is that of the data plane when it received the request.
    """

    path = "mailbox"

    def __init__(self, connection: Connection, program: Program) -> None:
        self._form, self._head = RecordForm(program), HeadForm(program.mailbox_bits("mailbox"))
        self._metadata = request_metadata(program.mailbox_ids("packet_out"))
        program.mailbox_ids("packet_in")  # raises MissingObjects
        self._mark = reply_mark(program.p4info)
        self._windows = BacklogWindows()
        self._conversation = Conversation(connection, self._read)

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess. Sends as few packets as hold all ports, all at once."""
        if not ports:
            return Snapshots()
        requests = self._form.blank(ports)
        requests["operation"] = MAILBOX_START_BACKLOG_WINDOW
        self._ask_to_write(ports, requests, _LIMIT, limits)
        failures, answered = dict[int, P4absError](), []
        answers = await self._ask(requests)
        for batch, answer in zip(batches_of(ports, MAILBOX_RECORDS_MAX), answers, strict=True):
            if answer.reply is None:
                failures.update(dict.fromkeys(batch, answer.silence))
            else:
                failures.update(_not_served(answer.reply.records))
                answered.append((answer.sequence, answer.reply))
        return Snapshots(self._taken(answered), failures)

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        ports = [*{**drain_rates_bps, **ecn_marking}]
        requests = self._form.blank(ports)
        rates = {port: drain_rate(rate_bps) for port, rate_bps in drain_rates_bps.items()}
        self._ask_to_write(ports, requests, _RATE, rates)
        self._ask_to_write(ports, requests, _MARKING, ecn_marking)
        failures, answers = dict[int, P4absError](), await self._ask(requests)
        for batch, answer in zip(batches_of(ports, MAILBOX_RECORDS_MAX), answers, strict=True):
            if answer.reply is None:
                failures.update(dict.fromkeys(batch, answer.silence))
            else:
                failures.update(_not_served(answer.reply.records))
        return failures

    def _ask_to_write(
        self,
        ports: Sequence[int],
        requests: Records,
        setting: _Setting,
        values: Mapping[int, int],
    ) -> None:
        """If the program does not know a setting, it does not know the operation for it either."""
        if not values:
            return
        asked = zip(ports, requests["operation"].tolist(), strict=True)
        requests["operation"] = [
            operation | setting.operation if port in values else operation
            for port, operation in asked
        ]
        if setting.name in self._form.names:
            requests[setting.name] = [values.get(port, 0) for port in ports]

    async def _ask(self, requests: Records) -> list[Answer[_Reply]]:
        """Sends as few packets as hold the records."""
        return await self._conversation.ask(
            [
                Question(partial(self._packet, batch), partial(_misfit, batch["port"].tolist()))
                for batch in batches_of(requests, MAILBOX_RECORDS_MAX)
            ]
        )

    def _packet(self, records: Records, sequence: int) -> p4r.PacketOut:
        head = self._head.packed(sequence, len(records))
        return p4r.PacketOut(payload=head + records.tobytes(), metadata=self._metadata)

    def _read(self, packet: p4r.PacketIn) -> tuple[int, _Reply] | None:
        if not is_reply(packet, self._mark):
            return None
        try:
            head = self._head.unpacked(packet.payload)
            records = self._form.unpack(packet.payload[self._head.length_bytes :])
        except (struct.error, ValueError):
            return None
        if head["ether_type"] != ETHER_TYPE_MAILBOX:
            return None
        return head["sequence"], _Reply(head["timestamp_us"], records)

    def _taken(self, answered: Sequence[tuple[int, _Reply]]) -> SnapshotsByPort:
        """The snapshots of replies, each of which came to a request of a sequence number."""
        records = np.concatenate([self._form.blank(()), *(reply.records for _, reply in answered)])
        counts = [len(reply.records) for _, reply in answered]
        times_us = np.array([reply.timestamp_us for _, reply in answered], np.uint64)
        sequences = np.array([sequence for sequence, _ in answered], np.int64)
        served = _is_served(records)
        records = records[served]
        ports, names = records["port"].tolist(), self._form.names
        told = {each.name: records[each.field] for each in MEASUREMENTS if each.field in names}
        told["timestamp_us"] = np.repeat(times_us, counts)[served]
        covered: Flags = False
        if "backlog_window" in names:
            measured = records["backlog_window"].tolist()
            begun = np.repeat(sequences, counts)[served].tolist()
            covered = self._windows.received_by(ports, measured, begun)
        return snapshots_of(ports, told, covered)


def _is_served(records: Records) -> Flags:
    return (records["operation"] & MAILBOX_SERVED) != 0


def _not_served(records: Records) -> dict[int, PortRefused]:
    ports = records["port"][~_is_served(records)].tolist()
    return {port: PortRefused(port, _NO_SUCH_PORT) for port in ports}


def _misfit(ports: Sequence[int], reply: _Reply) -> str:
    """What is wrong with a reply to a request of these ports."""
    answered = reply.records["port"].tolist()
    if len(answered) != len(ports):
        return f"with {len(answered)} of {len(ports)} records"
    return misplaced(ports, answered)


def _code(header: str, name: str, width_bits: int, codes: Mapping[int, str]) -> str:
    if width_bits not in codes:
        raise MissingObjects(
            f"the program's {header}.{name} has {width_bits} bits; "
            f"{', '.join(map(str, codes))} can be read"
        )
    return codes[width_bits]
