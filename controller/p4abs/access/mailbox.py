"""The register path by packet-out and packet-in (p4src/mailbox.p4): write and snapshot in one."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import grpc
import numpy as np
from finsy.proto import p4r
from numpy.typing import NDArray

from p4abs.access.backlog_windows import BacklogWindows
from p4abs.access.connection import Connection
from p4abs.access.conversation import Answer, Conversation, Question, batches_of, misplaced
from p4abs.access.mailbox_record import RecordForm, Records
from p4abs.access.program import Program
from p4abs.access.register_access import Snapshots, drain_rate
from p4abs.access.register_entry import bitstring
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.columns import Flags, Ints
from p4abs.p4_constants import (
    MAILBOX_RECORDS_MAX,
    MAILBOX_SERVED,
    MAILBOX_START_BACKLOG_WINDOW,
    MAILBOX_WRITE_DRAIN_RATE,
    MAILBOX_WRITE_ECN_MARKING,
    MAILBOX_WRITE_QUEUE_LIMIT,
)
from p4abs.snapshot import UNKNOWN_BYTES, SnapshotColumns, SnapshotsByPort, signed

_NO_SUCH_PORT = RpcError(
    "mailbox", grpc.StatusCode.OUT_OF_RANGE, "the program has no registers for it"
)


class _Reply(NamedTuple):
    timestamp_us: int
    records: Records


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
        requests = self._form.blank(ports)
        requests["operation"] = MAILBOX_START_BACKLOG_WINDOW
        self._ask_to_write(requests, MAILBOX_WRITE_QUEUE_LIMIT, "queue_limit_bytes", limits)
        snapshots, answered = Snapshots(), []
        answers = await self._ask(requests)
        for batch, answer in zip(batches_of(ports, MAILBOX_RECORDS_MAX), answers, strict=True):
            if answer.reply is None:
                snapshots.failures.update(dict.fromkeys(batch, answer.silence))
            else:
                snapshots.failures.update(_not_served(answer.reply.records))
                answered.append((answer.sequence, answer.reply))
        return Snapshots(self._taken(answered), snapshots.failures) if answered else snapshots

    async def configure(
        self, drain_rates_bps: Mapping[int, int], ecn_marking: Mapping[int, bool]
    ) -> None:
        """See RegisterAccess."""
        requests = self._form.blank([*{**drain_rates_bps, **ecn_marking}])
        rates = {port: drain_rate(rate_bps) for port, rate_bps in drain_rates_bps.items()}
        self._ask_to_write(requests, MAILBOX_WRITE_DRAIN_RATE, "drain_rate", rates)
        self._ask_to_write(requests, MAILBOX_WRITE_ECN_MARKING, "ecn_marking", ecn_marking)
        for answer in await self._ask(requests):
            if answer.reply is None:
                raise answer.silence
            for refused in _not_served(answer.reply.records).values():
                raise refused

    def _ask_to_write(
        self, requests: Records, operation: int, setting: str, values: Mapping[int, int]
    ) -> None:
        """Of a setting that the program does not know it knows no such operation either."""
        ports = requests["port"].tolist()
        rows = [row for row, port in enumerate(ports) if port in values]
        if rows:
            requests["operation"][rows] |= operation
            if setting in self._form.names:
                requests[setting][rows] = [values[ports[row]] for row in rows]

    async def _ask(self, requests: Records) -> list[Answer[_Reply]]:
        """Sends as few packets as hold the records."""
        return await self._conversation.ask(
            [
                Question(partial(self._packet, batch), partial(_misfit, batch["port"]))
                for batch in batches_of(requests, MAILBOX_RECORDS_MAX)
            ]
        )

    def _packet(self, records: Records, sequence: int) -> p4r.PacketOut:
        values = {"sequence": sequence, "record_count": len(records)}
        return p4r.PacketOut(
            payload=records.tobytes(),
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
            return sequence, _Reply(timestamp_us, self._form.unpack(packet.payload))
        except ValueError:
            return None

    def _taken(self, answered: Sequence[tuple[int, _Reply]]) -> SnapshotsByPort:
        """The snapshots of replies, each of which came to a request of a sequence number."""
        records = np.concatenate([reply.records for _, reply in answered])
        counts = [len(reply.records) for _, reply in answered]
        times_us = np.repeat([reply.timestamp_us for _, reply in answered], counts)
        sequences = np.repeat([sequence for sequence, _ in answered], counts)
        served = _is_served(records)
        if not served.all():
            records, times_us, sequences = records[served], times_us[served], sequences[served]
        ports = records["port"].tolist()
        return SnapshotsByPort(ports, self._columns(ports, records, times_us, sequences))

    def _columns(
        self, ports: Sequence[int], records: Records, times_us: Ints, sequences: Ints
    ) -> SnapshotColumns:
        names = self._form.names
        least_bytes = greatest_bytes = np.full(len(records), UNKNOWN_BYTES)
        if {"backlog_window", "least_backlog_bytes", "greatest_backlog_bytes"} <= {*names}:
            covered = self._windows.received_by(ports, records["backlog_window"], sequences)
            least_bytes = np.where(covered, records["least_backlog_bytes"], UNKNOWN_BYTES)
            greatest_bytes = np.where(covered, records["greatest_backlog_bytes"], UNKNOWN_BYTES)
        measures_idle = {"unsaturated_us", "unsaturated_bytes"} <= {*names}
        return SnapshotColumns(
            times_us.astype(np.uint64),
            _counter(records, "admitted_bytes"),
            _counter(records, "dropped_bytes"),
            _counter(records, "departed_bytes"),
            signed(records["queue_limit_bytes"]),
            _counter(records, "unsaturated_us"),
            _counter(records, "unsaturated_bytes"),
            least_bytes.astype(np.int64),
            greatest_bytes.astype(np.int64),
            _counter(records, "marked_bytes"),
            np.full(len(records), measures_idle),
            np.full(len(records), "marked_bytes" in names),
        )


def _counter(records: Records, name: str) -> NDArray[Any]:
    """Zeros where the program does not tell."""
    if name not in (records.dtype.names or ()):
        return np.zeros(len(records), np.uint64)
    return records[name].astype(np.uint64)


def _is_served(records: Records) -> Flags:
    return (records["operation"] & MAILBOX_SERVED) != 0


def _not_served(records: Records) -> dict[int, PortRefused]:
    ports = records["port"][~_is_served(records)].tolist()
    return {port: PortRefused(port, _NO_SUCH_PORT) for port in ports}


def _misfit(ports: NDArray[Any], reply: _Reply) -> str:
    """What is wrong with a reply to a request of these ports."""
    answered = reply.records["port"]
    if len(answered) != len(ports):
        return f"with {len(answered)} of {len(ports)} records"
    return "" if np.array_equal(ports, answered) else misplaced(ports.tolist(), answered.tolist())
