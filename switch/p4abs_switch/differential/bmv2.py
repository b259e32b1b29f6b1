"""A running `simple_switch_grpc`, as tests use it.

Frames go in and out by its dataplane service, one at a time: a stream with one frame ends when the
switch has none left in it, so nothing depends on speed. What tests write and read by P4Runtime's
messages goes over Thrift, which reaches registers as well.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from p4abs_switch._engine import EngineError
from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.bmv2.document import parsed, tables_of
from p4abs_switch.differential.dataplane import Dataplane
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.actions import data_of
from p4abs_switch.runtime.cells import data_in, number_in, width_of
from p4abs_switch.runtime.handles import key_of
from p4abs_switch.runtime.names import Names
from p4abs_switch.runtime.profiles import members_of
from p4abs_switch.runtime.replication import place_of
from p4abs_switch.stf.tested import Tested
from p4abs_switch.testbed.free_ports import free_tcp_ports
from p4abs_switch.testbed.process import NotInstalled, ProcessFailed
from p4abs_switch.testbed.simple_switch import PROGRAM, SimpleSwitch
from p4abs_switch.thrift.client import Client, Refused
from p4abs_switch.thrift.keys import params_of
from p4abs_switch.thrift.protocol.wire import ProtocolError
from p4abs_switch.thrift.structures import (
    AddEntryOptions,
    CounterValue,
    MatchKind,
    MatchParam,
    MirroringSession,
    Valid,
)

MAX_COUNTERS = 64  # per array; reading one is a call
MAX_REGISTER_BITS = 63  # of Thrift's numbers
_DEVICE = 1
_LOWEST_PRIORITY = 1 << 24  # BMv2's Thrift takes the smallest number first
_CALL_TIMEOUT_S = 10.0


_TableCall: TypeAlias = tuple[Any, ...]
"""A call's name and arguments."""
_AnyArray = TypeVar("_AnyArray", p4i.Counter, p4i.Register)


class Bmv2Error(EngineError):
    """BMv2 refused something; the message says what."""


class Bmv2Died(Exception):
    """BMv2 ended or hangs, as on a parser that loops; it has to be started again."""


@dataclass(slots=True)
class _Group:
    """A multicast group: its handle, those of its nodes, and the message that they are for."""

    handle: int
    nodes: list[int] = field(default_factory=list)
    message: p4r.MulticastGroupEntry = field(default_factory=p4r.MulticastGroupEntry)


class Bmv2(Tested):
    """One process. Close it, or use it in a `with` statement.

    forgets: BMv2 keeps the values of headers that are no longer valid and of variables nobody has
    set, and programs can read them. If set, the program is loaded anew before each frame, with the
    same tables, registers and counters.

    Raises Bmv2Died when it does not start.
    """

    def __init__(self) -> None:
        self.forgets = False
        self.names = Names(p4i.P4Info())
        self._program = ""
        self._validities: set[tuple[str, str]] = set()  # tables and their keys
        self._table_calls: list[_TableCall] = []
        self._departures: list[tuple[int, int, bytes]] = []
        self._handles: dict[tuple[int, str, int], int] = {}
        self._entries: dict[tuple[int, bytes], tuple[p4i.Table, int]] = {}
        self._groups: dict[int, _Group] = {}
        self._sessions: dict[int, p4r.CloneSessionEntry] = {}
        self._start()

    def _start(self) -> None:
        grpc, thrift, dataplane = free_tcp_ports(3)
        switch = SimpleSwitch(grpc, device_id=_DEVICE, thrift_port=thrift, dataplane_port=dataplane)
        self._folder = tempfile.TemporaryDirectory(prefix="bmv2-")
        try:
            self._process = switch.start(Path(self._folder.name, "log"))
        except (ProcessFailed, NotInstalled) as error:
            self._folder.cleanup()
            raise Bmv2Died(str(error)) from None
        self._dataplane = Dataplane(f"127.0.0.1:{dataplane}", _DEVICE)
        try:
            self._client = Client("127.0.0.1", thrift, _CALL_TIMEOUT_S)
        except OSError as error:
            self._end()
            raise Bmv2Died(f"{PROGRAM} does not answer over Thrift: {error}") from None

    def restart(self) -> None:
        """A new process in place of one that died or hangs. Raises Bmv2Died."""
        self.close()
        self._sessions.clear()
        self._groups.clear()
        self._departures.clear()
        self._start()

    def __enter__(self) -> "Bmv2":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process."""
        self._client.close()
        self._end()

    def _end(self) -> None:
        self._dataplane.close()
        self._process.end()
        self._folder.cleanup()

    def load(self, json: bytes) -> None:
        """Replaces program and state. Raises Bmv2Error, and InputError where BMv2 takes it."""
        self._handles.clear()
        self._entries.clear()
        for session in self._sessions:
            self._call("mirroring_session_delete", session)
        for group in self._groups.values():
            for node in group.nodes:
                self._call("bm_mc_node_destroy", node)
            self._call("bm_mc_mgrp_destroy", group.handle)
        self._sessions.clear()
        self._groups.clear()
        self._program = json.decode()
        self._table_calls.clear()
        self._load()
        self.names = Names(derive(json))
        self._validities = {
            (table["name"], field["name"])
            for table in tables_of(parsed(json))
            for field in table["key"]
            if field["match_type"] == "valid"
        }

    def _load(self) -> None:
        try:
            self._call("bm_load_new_config", self._program)
            self._call("bm_swap_configs")
        except (Bmv2Error, Bmv2Died) as error:
            self.restart()
            raise Bmv2Error(f"BMv2 cannot load the program: {error}") from None

    def _table_call(self, name: str, *arguments: object) -> Any:
        result = self._call(name, *arguments)
        self._table_calls.append((name, *arguments))
        return result

    def inject(self, port: int, frame: bytes, at_ns: int) -> None:
        """Sends a frame in and collects what comes out; time is BMv2's own."""
        if not frame:
            return
        if self.forgets:
            self._forget()
        self._departures += ((at_ns, out, data) for out, data in self._exchange(port, frame))

    def run_until(self, at_ns: int) -> list[tuple[int, int, bytes]]:
        """What came out."""
        departures, self._departures = self._departures, []
        return departures

    def write(self, update: p4r.Update) -> None:
        """Entries, members and groups can be inserted, arrays modified cell by cell."""
        if update.type == p4r.Update.DELETE:
            raise Bmv2Error("nothing can be deleted here")
        kind = update.entity.WhichOneof("entity") or ""
        if kind not in _WRITTEN:
            raise Bmv2Error(f"no {kind} can be written here")
        _WRITTEN[kind](self, getattr(update.entity, kind))

    def fetch(self, wanted: p4r.Entity) -> Sequence[p4r.Entity]:
        """Cells, direct counters of entries that were inserted, and all groups or sessions."""
        match wanted.WhichOneof("entity"):
            case "register_entry":
                return [self._register(wanted.register_entry)]
            case "counter_entry":
                return [self._counter(wanted.counter_entry)]
            case "direct_counter_entry":
                return [self._direct_counter(wanted.direct_counter_entry)]
            case "packet_replication_engine_entry":
                return self._replicated(wanted.packet_replication_engine_entry)
            case kind:
                raise Bmv2Error(f"no {kind} can be read here")

    def _insert(self, entry: p4r.TableEntry) -> None:
        table, action = self.names.table_of_id(entry.table_id), entry.action
        profile, name = table.implementation_id, table.preamble.name
        if entry.is_default_action:
            self._table_call("bm_mt_set_default_action", name, *self._called(action.action))
            return
        leads_to: tuple[object, ...]
        match action.WhichOneof("type"):
            case "action":
                method, leads_to = "bm_mt_add_entry", self._called(action.action)
            case "action_profile_member_id":
                method = "bm_mt_indirect_add_entry"
                leads_to = (self._handle(profile, "member", action.action_profile_member_id),)
            case "action_profile_group_id":
                method = "bm_mt_indirect_ws_add_entry"
                leads_to = (self._handle(profile, "group", action.action_profile_group_id),)
            case kind:
                raise Bmv2Error(f"BMv2 has no entries of kind {kind}")
        try:
            match_key = self._match_key(table, entry)
        except OverflowError:
            raise Bmv2Error(f"a value of the key of {name} is too great") from None
        options = AddEntryOptions(_LOWEST_PRIORITY - entry.priority)
        handle = self._table_call(method, name, match_key, *leads_to, options)
        self._entries[entry.table_id, key_of(entry)] = table, handle

    def _match_key(self, table: p4i.Table, entry: p4r.TableEntry) -> list[MatchParam]:
        """A key as BMv2 wants it: of P4_14, which can ask whether a header is valid."""
        return [
            MatchParam(MatchKind.VALID, valid=Valid(any(param.exact.key)))
            if param.exact is not None and (table.preamble.name, field.name) in self._validities
            else param
            for field, param in zip(table.match_fields, params_of(table, entry), strict=True)
        ]

    def _insert_member(self, member: p4r.ActionProfileMember) -> None:
        number, profile = member.action_profile_id, self._profile(member.action_profile_id)
        called = self._called(member.action)
        handle = self._table_call("bm_mt_act_prof_add_member", profile, *called)
        self._handles[number, "member", member.member_id] = handle

    def _insert_group(self, group: p4r.ActionProfileGroup) -> None:
        number, profile = group.action_profile_id, self._profile(group.action_profile_id)
        handles = [self._handle(number, "member", member + 1) for member in members_of(group)]
        made = self._table_call("bm_mt_act_prof_create_group", profile)
        self._handles[number, "group", group.group_id] = made
        for member in handles:
            self._table_call("bm_mt_act_prof_add_member_to_group", profile, member, made)

    def _called(self, action: p4r.Action) -> tuple[object, ...]:
        """An action's name, and its data with all bytes of their widths. Raises Bmv2Error."""
        declared = self.names.action_of_id(action.action_id)
        pairs = zip(data_of(declared, action), declared.params, strict=True)
        return declared.preamble.name, [_filled(value, each.bitwidth) for value, each in pairs]

    def _profile(self, number: int) -> str:
        profiles = self.names.p4info.action_profiles
        return next(each.preamble.name for each in profiles if each.preamble.id == number)

    def _handle(self, profile: int, kind: str, number: int) -> int:
        try:
            return self._handles[profile, kind, number]
        except KeyError:
            raise Bmv2Error(f"{self._profile(profile)}: no {kind} {number}") from None

    def _register(self, wanted: p4r.RegisterEntry) -> p4r.Entity:
        register = _of_id(wanted.register_id, self.names.p4info.registers)
        name, index = register.preamble.name, wanted.index.index
        data = data_in(register, self._call("bm_register_read", name, index))
        return p4r.Entity(register_entry=p4r.RegisterEntry(data=data))

    def _write_register(self, entry: p4r.RegisterEntry) -> None:
        register = _of_id(entry.register_id, self.names.p4info.registers)
        name, value = register.preamble.name, number_in(register, entry.data)
        self._call("bm_register_write", name, entry.index.index, value)

    def _counter(self, wanted: p4r.CounterEntry) -> p4r.Entity:
        name = _of_id(wanted.counter_id, self.names.p4info.counters).preamble.name
        value = self._call("bm_counter_read", name, wanted.index.index)
        return p4r.Entity(counter_entry=p4r.CounterEntry(data=_counted(value)))

    def _write_counter(self, entry: p4r.CounterEntry) -> None:
        name = _of_id(entry.counter_id, self.names.p4info.counters).preamble.name
        value = CounterValue(entry.data.byte_count, entry.data.packet_count)
        self._call("bm_counter_write", name, entry.index.index, value)

    def _direct_counter(self, wanted: p4r.DirectCounterEntry) -> p4r.Entity:
        key = wanted.table_entry
        value = self._entry_counter(*self._entries[key.table_id, key_of(key)])
        found = p4r.DirectCounterEntry(table_entry=key, data=_counted(value))
        return p4r.Entity(direct_counter_entry=found)

    def _entry_counter(self, table: p4i.Table, handle: int) -> Any:
        return self._call("bm_mt_read_counter", table.preamble.name, handle)

    def _replicate(self, entry: p4r.PacketReplicationEngineEntry) -> None:
        if entry.HasField("multicast_group_entry"):
            self._make_group(entry.multicast_group_entry)
            return
        session = entry.clone_session_entry
        ports = [place_of(replica)[0] for replica in session.replicas]
        mirror = MirroringSession(port=ports[0] if ports else None)
        self._call("mirroring_session_add", session.session_id, mirror)
        self._sessions[session.session_id] = session

    def _make_group(self, message: p4r.MulticastGroupEntry) -> None:
        number = message.multicast_group_id
        if number not in self._groups:
            self._groups[number] = _Group(self._call("bm_mc_mgrp_create", number))
        group = self._groups[number]
        for node in group.nodes:
            self._call("bm_mc_node_destroy", node)
        group.nodes.clear()
        group.message = message
        places = [place_of(replica) for replica in message.replicas]
        for instance in dict.fromkeys(instance for _, instance in places):
            ports = [port for port, of in places if of == instance]
            node = self._call("bm_mc_node_create", instance, _bitmap(ports), "")
            self._call("bm_mc_node_associate", group.handle, node)
            group.nodes.append(node)

    def _replicated(self, wanted: p4r.PacketReplicationEngineEntry) -> list[p4r.Entity]:
        entry = p4r.PacketReplicationEngineEntry
        if wanted.HasField("multicast_group_entry"):
            groups = self._groups.values()
            found = [entry(multicast_group_entry=group.message) for group in groups]
        else:
            sessions = self._sessions.values()
            found = [entry(clone_session_entry=session) for session in sessions]
        return [p4r.Entity(packet_replication_engine_entry=each) for each in found]

    def _forget(self) -> None:
        kept = [*self._state()]
        self._load()
        for name, *arguments in (*self._table_calls, *kept):
            self._call(name, *arguments)

    def _state(self) -> Iterator[_TableCall]:
        """The calls that write what counters and registers have now."""
        for register in self.names.p4info.registers:
            if width_of(register)[0] <= MAX_REGISTER_BITS:
                name = register.preamble.name
                for index, value in enumerate(self._call("bm_register_read_all", name)):
                    if value:
                        yield "bm_register_write", name, index, value
        for counter in self.names.p4info.counters:
            name = counter.preamble.name
            for index in range(min(counter.size, MAX_COUNTERS)):
                counted = self._call("bm_counter_read", name, index)
                if counted.packets:
                    yield "bm_counter_write", name, index, counted
        for table, handle in self._entries.values():
            if self.names.has_counter(table):
                hits = self._entry_counter(table, handle)
                yield "bm_mt_write_counter", table.preamble.name, handle, hits

    def _call(self, name: str, *arguments: object) -> Any:
        try:
            return self._client.call(name, *arguments)
        except (OSError, EOFError, ProtocolError) as error:
            raise Bmv2Died(f"{name}: {error}") from None
        except Refused as error:
            raise Bmv2Error(str(error)) from None

    def _exchange(self, port: int, frame: bytes) -> list[tuple[int, bytes]]:
        try:
            return self._dataplane.exchange(port, frame)
        except ConnectionError as error:
            raise Bmv2Died(str(error)) from None


def _bitmap(ports: Sequence[int]) -> str:
    """BMv2's set of ports: a string of 0 and 1, port 0 last."""
    return "".join("1" if port in ports else "0" for port in range(max(ports, default=0), -1, -1))


def _filled(value: int, width_bits: int) -> bytes:
    """All bytes of a number, as BMv2 wants them. Raises Bmv2Error for one that does not fit."""
    if value >> width_bits:
        raise Bmv2Error(f"{value:#x} does not fit {width_bits} bits")
    return value.to_bytes((width_bits + 7) // 8, "big")


def _counted(value: CounterValue) -> p4r.CounterData:
    return p4r.CounterData(packet_count=value.packets, byte_count=value.bytes)


def _of_id(number: int, objects: Iterable[_AnyArray]) -> _AnyArray:
    return next(each for each in objects if each.preamble.id == number)


_WRITTEN: Mapping[str, Callable[..., None]] = {
    "table_entry": Bmv2._insert,
    "action_profile_member": Bmv2._insert_member,
    "action_profile_group": Bmv2._insert_group,
    "register_entry": Bmv2._write_register,
    "counter_entry": Bmv2._write_counter,
    "packet_replication_engine_entry": Bmv2._replicate,
}
