"""A thin synchronous P4Runtime client: one primary, tables, counters, registers, the mailbox."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import grpc
from finsy import P4Schema
from finsy.p4entity import P4EntityList, encode_entities
from finsy.proto import p4d, p4i, p4r, p4r_grpc, rpc_status
from google.protobuf import text_format
from p4abs.p4_constants import (
    MAILBOX_START_BACKLOG_WINDOW,
    MAILBOX_WRITE_DRAIN_RATE,
    MAILBOX_WRITE_ECN_MARKING,
    MAILBOX_WRITE_QUEUE_LIMIT,
)
from p4abs_demonstration.targets.routes import tables_of
from p4abs_switch.bytestring import encode
from p4abs_switch.testbed.entry import Entry, Lpm

from absptf.mailbox_packets import MailboxPackets, Request, Snapshot

REPLY_DEADLINE_S = 5.0
PIPELINE_DEADLINE_S = 10.0
BATCH_ENTRIES = 500


_election_ids = itertools.count(1)


class NoReply(AssertionError):
    """The target did not answer within the deadline."""


def status_code(error: grpc.RpcError) -> int:
    """The canonical code of an RPC; of a refused Write, the code of its first refused update."""
    metadata: Any = error.trailing_metadata() or ()
    for key, value in metadata:
        if key == "grpc-status-details-bin":
            for detail in rpc_status.Status.FromString(value).details:
                update = p4r.Error.FromString(detail.value)
                if update.canonical_code != 0:
                    return int(update.canonical_code)
    return int(error.code().value[0])


class P4RuntimeClient:
    """Becomes primary on construction; close() hands the switch back."""

    def __init__(
        self,
        address: str,
        device_id: int,
        p4info: Path,
        mailbox: Callable[[p4i.P4Info], MailboxPackets] = MailboxPackets,
    ) -> None:
        self._device_id = device_id
        self._p4info = text_format.Parse(p4info.read_text(), p4i.P4Info())
        self._ids = _object_ids(self._p4info)
        self.mailbox = mailbox(self._p4info)
        self._sequences = itertools.count(1)
        self._election_id = p4r.Uint128(low=next(_election_ids))
        self._channel = grpc.insecure_channel(address)
        self._stub = p4r_grpc.P4RuntimeStub(self._channel)
        self._requests: queue.SimpleQueue[p4r.StreamMessageRequest | None] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[p4r.StreamMessageResponse] = queue.SimpleQueue()
        self._stream = self._stub.StreamChannel(iter(self._requests.get, None), wait_for_ready=True)
        self._reader = threading.Thread(target=self._read_stream, daemon=True)
        self._reader.start()
        self._become_primary()

    def close(self) -> None:
        self._requests.put(None)
        self._stream.cancel()
        self._channel.close()
        self._reader.join(REPLY_DEADLINE_S)

    # -- pipeline, tables, counters, registers --

    def push_pipeline(self, program: Path) -> None:
        """VERIFY_AND_COMMIT: the program and a fresh state."""
        config = p4r.ForwardingPipelineConfig(
            p4info=self._p4info, p4_device_config=program.read_bytes()
        )
        request = p4r.SetForwardingPipelineConfigRequest(
            device_id=self._device_id,
            election_id=self._election_id,
            action=p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT,
            config=config,
        )
        self._stub.SetForwardingPipelineConfig(request, timeout=PIPELINE_DEADLINE_S)

    def insert(
        self, table: str, key: Mapping[str, int | Lpm], action: str, arguments: Mapping[str, int]
    ) -> None:
        """Raises grpc.RpcError, see `status_code`."""
        self.insert_all([Entry(table, key, action, arguments)])

    def insert_all(self, entries: Sequence[Entry]) -> None:
        """In requests of BATCH_ENTRIES. Raises grpc.RpcError."""
        for start in range(0, len(entries), BATCH_ENTRIES):
            batch = entries[start : start + BATCH_ENTRIES]
            self._write(p4r.Update.INSERT, [self._entity(entry) for entry in batch])

    def modify(
        self, table: str, key: Mapping[str, int | Lpm], action: str, arguments: Mapping[str, int]
    ) -> None:
        """Raises grpc.RpcError."""
        self._write(p4r.Update.MODIFY, [self._entity(Entry(table, key, action, arguments))])

    def set_default(self, table: str, action: str, arguments: Mapping[str, int]) -> None:
        """What a table does with packets that match no entry. Raises grpc.RpcError."""
        entry = p4r.TableEntry(table_id=self._ids[table], is_default_action=True)
        entry.action.CopyFrom(self._action(action, arguments))
        self._write(p4r.Update.MODIFY, [p4r.Entity(table_entry=entry)])

    def delete(self, table: str, key: Mapping[str, int | Lpm]) -> None:
        """Raises grpc.RpcError."""
        entity = p4r.Entity(table_entry=self._table_entry(table, key))
        self._write(p4r.Update.DELETE, [entity])

    def write(self, entity: P4EntityList, kind: Any = p4r.Update.INSERT) -> None:
        """An entity as finsy describes it. Raises grpc.RpcError."""
        self._write(kind, encode_entities([entity], P4Schema(self._p4info)))

    def counter(self, name: str, index: int) -> tuple[int, int]:
        """Packets and bytes."""
        entry = p4r.CounterEntry(counter_id=self._ids[name], index=p4r.Index(index=index))
        [entity] = self._read(p4r.Entity(counter_entry=entry))
        data = entity.counter_entry.data
        return data.packet_count, data.byte_count

    @property
    def tables(self) -> set[str]:
        """By their last names."""
        return tables_of(self._p4info)

    def has_register(self, name: str) -> bool:
        return name in self._ids

    def register_size(self, name: str) -> int:
        [size] = [r.size for r in self._p4info.registers if r.preamble.id == self._ids[name]]
        return size

    def read_register(self, name: str, index: int | None = None) -> dict[int, int]:
        """Index to value; without an index, the whole register. Raises like write_register()."""
        entry = p4r.RegisterEntry(register_id=self._ids[name])
        if index is not None:
            entry.index.index = index
        return {
            entity.register_entry.index.index: int.from_bytes(
                entity.register_entry.data.bitstring, "big"
            )
            for entity in self._read(p4r.Entity(register_entry=entry))
        }

    def write_register(self, name: str, index: int, value: int) -> None:
        """By RegisterEntry. Raises grpc.RpcError, UNIMPLEMENTED where the target serves none."""
        entry = p4r.RegisterEntry(
            register_id=self._ids[name],
            index=p4r.Index(index=index),
            data=p4d.P4Data(bitstring=encode(value)),
        )
        self._write(p4r.Update.MODIFY, [p4r.Entity(register_entry=entry)])

    # -- packets --

    def packet_in(self) -> tuple[dict[str, int], bytes]:
        """The next packet-in: the fields of its header, and the frame."""
        packet = self.any_packet_in()
        return self.mailbox.fields(packet), packet.payload

    def any_packet_in(self) -> p4r.PacketIn:
        """The next one as it is, the mailbox's among them."""
        return self._next_reply("packet").packet

    # -- mailbox --

    def request(self, *records: Request, sequence: int | None = None, payload: bytes = b"") -> int:
        """Sends a packet-out and returns its sequence number without waiting for the reply."""
        chosen = next(self._sequences) if sequence is None else sequence
        self.send_packet_out(self.mailbox.request(chosen, records, payload=payload))
        return chosen

    def send_packet_out(self, packet: p4r.PacketOut) -> None:
        """As it is, well formed or not."""
        self._requests.put(p4r.StreamMessageRequest(packet=packet))

    def replies(self, payload: bytes = b"") -> list[Snapshot]:
        """The records of the next packet-in, which `payload` follows."""
        return self.mailbox.snapshots(self._next_reply("packet").packet, payload)

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

    # -- inner workings --

    def _become_primary(self) -> None:
        request = p4r.StreamMessageRequest()
        request.arbitration.device_id = self._device_id
        request.arbitration.election_id.CopyFrom(self._election_id)
        self._requests.put(request)
        status = self._next_reply("arbitration").arbitration.status
        if status.code != 0:
            raise AssertionError(f"not primary: {status.message or status.code}")

    def _read_stream(self) -> None:
        try:
            for message in self._stream:
                self._replies.put(message)
        except grpc.RpcError:
            pass  # close() cancels the stream; a lost switch shows as a missing reply

    def _next_reply(self, kind: str) -> p4r.StreamMessageResponse:
        while True:
            try:
                message = self._replies.get(timeout=REPLY_DEADLINE_S)
            except queue.Empty:
                raise NoReply(f"no {kind} within {REPLY_DEADLINE_S} s") from None
            if message.WhichOneof("update") == kind:
                return message

    def _read(self, entity: p4r.Entity) -> Iterator[p4r.Entity]:
        request = p4r.ReadRequest(device_id=self._device_id, entities=[entity])
        for response in self._stub.Read(request, timeout=REPLY_DEADLINE_S):
            yield from response.entities

    def _write(self, kind: Any, entities: Iterable[p4r.Entity]) -> None:
        request = p4r.WriteRequest(
            device_id=self._device_id,
            election_id=self._election_id,
            updates=[p4r.Update(type=kind, entity=entity) for entity in entities],
        )
        self._stub.Write(request, timeout=REPLY_DEADLINE_S)

    def _entity(self, entry: Entry) -> p4r.Entity:
        inserted = self._table_entry(entry.table, entry.key)
        inserted.action.CopyFrom(self._action(entry.action, entry.arguments))
        return p4r.Entity(table_entry=inserted)

    def _table_entry(self, table: str, key: Mapping[str, int | Lpm]) -> p4r.TableEntry:
        entry = p4r.TableEntry(table_id=self._ids[table])
        [info] = [t for t in self._p4info.tables if t.preamble.id == entry.table_id]
        for field in info.match_fields:
            value = key[field.name]
            if isinstance(value, int):
                match = p4r.FieldMatch(field_id=field.id)
                match.exact.value = encode(value)
                entry.match.append(match)
            elif value.length > 0:  # length 0 is left out (P4Runtime 1.5, section 9.1.1)
                match = p4r.FieldMatch(field_id=field.id)
                match.lpm.value = encode(value.value)
                match.lpm.prefix_len = value.length
                entry.match.append(match)
        return entry

    def _action(self, name: str, arguments: Mapping[str, int]) -> p4r.TableAction:
        action = p4r.Action(action_id=self._ids[name])
        [info] = [a for a in self._p4info.actions if a.preamble.id == action.action_id]
        for parameter in info.params:
            value = encode(arguments[parameter.name])
            action.params.append(p4r.Action.Param(param_id=parameter.id, value=value))
        return p4r.TableAction(action=action)


def _object_ids(p4info: p4i.P4Info) -> dict[str, int]:
    """By alias: the names are longer where a build wraps the ingress control in another."""
    groups = (p4info.tables, p4info.actions, p4info.counters, p4info.registers)
    return {o.preamble.alias: o.preamble.id for group in groups for o in group}
