"""A P4Runtime client of tests: the primary controller, by the program's own words; the mailbox."""

from __future__ import annotations

import itertools
import queue
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self

from finsy import Action, Match, P4CounterEntry, P4RegisterEntry, P4Schema, P4TableEntry
from finsy.p4entity import P4EntityList, decode_entity, encode_entities
from finsy.proto import p4i, p4r
from google.protobuf import text_format
from p4abs.p4_constants import (
    MAILBOX_START_BACKLOG_WINDOW,
    MAILBOX_WRITE_DRAIN_RATE,
    MAILBOX_WRITE_ECN_MARKING,
    MAILBOX_WRITE_QUEUE_LIMIT,
)
from p4abs_demonstration.targets.routes import tables_of
from p4abs_switch.client import Connection

from absptf.mailbox_packets import MailboxPackets, Request, Snapshot

REPLY_DEADLINE_S = 30.0

_INSERT, _MODIFY, _DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE
_election_ids = itertools.count(1)


@cache
def _parsed(p4info: str) -> p4i.P4Info:
    """Once for all tests of a program, which do not change it."""
    return text_format.Parse(p4info, p4i.P4Info())


class NoReply(AssertionError):
    """The target did not answer within the deadline."""


class P4RuntimeClient(Connection):
    """What a test does with a switch. All that asks the switch raises RpcError."""

    def __init__(
        self,
        address: str,
        device_id: int,
        p4info: Path,
        mailbox: Callable[[p4i.P4Info], MailboxPackets] = MailboxPackets,
    ) -> None:
        super().__init__(address, device_id, next(_election_ids))
        self._p4info = _parsed(p4info.read_text())
        self._schema = P4Schema(self._p4info)
        self.mailbox = mailbox(self._p4info)
        self._sequences = itertools.count(1)
        self._packets: queue.SimpleQueue[p4r.PacketIn] = queue.SimpleQueue()

    def __enter__(self) -> Self:
        super().__enter__()
        try:
            self.become_primary()
        except BaseException:
            self.__exit__()
            raise
        return self

    # -- pipeline, tables, counters, registers --

    def push_pipeline(self, program: Path) -> None:
        """The program and a fresh state."""
        self.push_config(
            p4r.ForwardingPipelineConfig(p4info=self._p4info, p4_device_config=program.read_bytes())
        )

    def change(self, entity: P4EntityList, kind: Any = _INSERT) -> None:
        """An entity as finsy describes it."""
        [encoded] = encode_entities([entity], self._schema)
        self.write(p4r.Update(type=kind, entity=encoded))

    def insert(
        self, table: str, key: Mapping[str, Any], action: str, arguments: Mapping[str, int]
    ) -> None:
        self.change(_entry(table, key, action, arguments))

    def modify(
        self, table: str, key: Mapping[str, Any], action: str, arguments: Mapping[str, int]
    ) -> None:
        self.change(_entry(table, key, action, arguments), _MODIFY)

    def set_default(self, table: str, action: str, arguments: Mapping[str, int]) -> None:
        """What a table does with packets that match no entry."""
        made = Action(action, **arguments)
        self.change(P4TableEntry(table, action=made, is_default_action=True), _MODIFY)

    def delete(self, table: str, key: Mapping[str, Any]) -> None:
        self.change(P4TableEntry(table, match=Match(key)), _DELETE)

    def counter(self, name: str, index: int) -> tuple[int, int]:
        """Packets and bytes."""
        [found] = self._found(P4CounterEntry(name, index=index))
        return found.packet_count, found.byte_count

    @property
    def tables(self) -> set[str]:
        """By their last names."""
        return tables_of(self._p4info)

    def has_register(self, name: str) -> bool:
        return self._schema.registers.get(name) is not None

    def register_size(self, name: str) -> int:
        return self._schema.registers[name].size

    def read_register(self, name: str, index: int | None = None) -> dict[int, int]:
        """Index to value; without an index, the whole register."""
        return {each.index: each.data for each in self._found(P4RegisterEntry(name, index=index))}

    def write_register(self, name: str, index: int, value: int) -> None:
        """By RegisterEntry; refused as UNIMPLEMENTED where the target serves none."""
        self.change(P4RegisterEntry(name, index=index, data=value), _MODIFY)

    def _found(self, wanted: P4EntityList) -> list[Any]:
        """What the switch has of it, as finsy describes it."""
        [encoded] = encode_entities([wanted], self._schema)
        return [decode_entity(each, self._schema) for each in self.read(encoded)]

    def _receive(self, message: p4r.StreamMessageResponse) -> None:
        if message.HasField("packet"):
            self._packets.put(message.packet)

    # -- packets --

    def packet_in(self) -> tuple[dict[str, int], bytes]:
        """The next packet-in: the fields of its header, and the frame."""
        packet = self.any_packet_in()
        return self.mailbox.fields(packet), packet.payload

    def any_packet_in(self) -> p4r.PacketIn:
        """The next one as it is, the mailbox's among them."""
        try:
            return self._packets.get(timeout=REPLY_DEADLINE_S)
        except queue.Empty:
            raise NoReply(f"no packet within {REPLY_DEADLINE_S} s") from None

    # -- mailbox --

    def request(self, *records: Request, sequence: int | None = None, payload: bytes = b"") -> int:
        """Sends a packet-out and returns its sequence number without waiting for the reply."""
        chosen = next(self._sequences) if sequence is None else sequence
        self.send_packet_out(self.mailbox.request(chosen, records, payload=payload))
        return chosen

    def send_packet_out(self, packet: p4r.PacketOut) -> None:
        """As it is, well formed or not."""
        self.become_primary().send(p4r.StreamMessageRequest(packet=packet))

    def replies(self, payload: bytes = b"") -> list[Snapshot]:
        """The records of the next packet-in, which `payload` follows."""
        return self.mailbox.snapshots(self.any_packet_in(), payload)

    def reply(self, payload: bytes = b"") -> Snapshot:
        """The next packet-in, of one record."""
        [snapshot] = self.replies(payload)
        return snapshot

    def reply_to(self, sequence: int) -> Snapshot:
        """The next packet-in of that sequence number; others before it are left out."""
        while (snapshot := self.reply()).sequence != sequence:
            pass
        return snapshot

    def exchange(
        self,
        port: int,
        *,
        queue_limit_bytes: int | None = None,
        drain_rate: int | None = None,
        ecn_marking: int | None = None,
        start_window: bool = False,
    ) -> Snapshot:
        """Writes what is given and reads the port's registers, in one pass of the data plane."""
        operation = 0
        if queue_limit_bytes is not None:
            operation |= MAILBOX_WRITE_QUEUE_LIMIT
        if drain_rate is not None:
            operation |= MAILBOX_WRITE_DRAIN_RATE
        if ecn_marking is not None:
            operation |= MAILBOX_WRITE_ECN_MARKING
        if start_window:
            operation |= MAILBOX_START_BACKLOG_WINDOW
        sequence = self.request(
            Request(port, operation, queue_limit_bytes or 0, drain_rate or 0, ecn_marking or 0)
        )
        snapshot = self.reply()
        if (snapshot.port, snapshot.sequence) != (port, sequence):
            raise AssertionError(f"asked port {port}, sequence {sequence}; got {snapshot}")
        return snapshot


def _entry(
    table: str, key: Mapping[str, Any], action: str, arguments: Mapping[str, int]
) -> P4TableEntry:
    return P4TableEntry(table, match=Match(key), action=Action(action, **arguments))
