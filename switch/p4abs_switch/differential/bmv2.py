"""A running `simple_switch_grpc`, with the part of the engine's Switch that tests use.

Frames go in and out by its dataplane service, one at a time: a stream with one frame ends when the
switch has none left in it, so nothing depends on speed. The control plane is Thrift, which reaches
registers and counters.
"""

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from p4abs_switch import bytestring
from p4abs_switch._engine import EngineError, EntryNotFound
from p4abs_switch.bmv2.names import NO_NAMES, read_names
from p4abs_switch.bmv2.names import Action as NamedAction
from p4abs_switch.differential.dataplane import Dataplane
from p4abs_switch.engine_types import Action, Match, Replica
from p4abs_switch.testbed.free_ports import free_tcp_ports
from p4abs_switch.testbed.process import NotInstalled, ProcessFailed
from p4abs_switch.testbed.simple_switch import PROGRAM, SimpleSwitch
from p4abs_switch.thrift.client import Client, Refused
from p4abs_switch.thrift.keys import params_of
from p4abs_switch.thrift.protocol.wire import ProtocolError
from p4abs_switch.thrift.structures import AddEntryOptions, MirroringSession

MOST_COUNTERS = 64  # per array; reading one is a call
MOST_REGISTER_BITS = 63  # of Thrift's numbers
_DEVICE = 1
_CONTEXT = 0
_LOWEST_PRIORITY = 1 << 24  # BMv2's Thrift takes the smallest number first
_CALL_TIMEOUT_S = 10.0


class Bmv2Error(EngineError):
    """BMv2 refused something; the message says what."""


class Bmv2Died(Exception):
    """BMv2 ended or hangs, as on a parser that loops; it has to be started again."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A direct counter."""

    packets: int
    bytes: int


@dataclass(slots=True)
class _Group:
    """A multicast group: its handle, those of its nodes, and what the nodes are for."""

    handle: int
    nodes: list[int] = field(default_factory=list)
    replicas: list[Replica] = field(default_factory=list)


class Bmv2:
    """One process. Close it, or use it in a `with` statement.

    forgets: BMv2 keeps the values of headers that are no longer valid and of variables nobody has
    set, and programs can read them. With this set each frame finds the program loaded anew, with
    the same tables, registers and counters.

    Raises Bmv2Died when it does not start.
    """

    def __init__(self) -> None:
        self.forgets = False
        self._names = NO_NAMES
        self._program = ""
        self._table_calls: list[tuple[str, tuple[object, ...]]] = []
        self._departures: list[tuple[int, int, bytes]] = []
        self._handles: dict[tuple[str, str, int], int] = {}
        self._entries: dict[tuple[str, str], int] = {}
        self._groups: dict[int, _Group] = {}
        self._sessions: set[int] = set()
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
                self._call("bm_mc_node_destroy", _CONTEXT, node)
            self._call("bm_mc_mgrp_destroy", _CONTEXT, group.handle)
        self._sessions.clear()
        self._groups.clear()
        self._program = json.decode()
        self._table_calls.clear()
        self._load()
        self._names = read_names(json, {})

    def _load(self) -> None:
        try:
            self._call("bm_load_new_config", self._program)
            self._call("bm_swap_configs")
        except (Bmv2Error, Bmv2Died) as error:
            self.restart()
            raise Bmv2Error(f"BMv2 cannot load the program: {error}") from None

    def _table_call(self, name: str, *arguments: object) -> Any:
        result = self._call(name, *arguments)
        self._table_calls.append((name, arguments))
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

    def table_insert(
        self, table: str, key: Sequence[Match], action: Action, priority: int = 0
    ) -> None:
        """Raises Bmv2Error."""
        named = self._names.table(table)
        for part, field_of_key in zip(key, named.key, strict=True):
            _check((each for each in part[1:] if isinstance(each, bytes)), field_of_key.width_bits)
        match action:
            case ("action", name, arguments):
                method = "bm_mt_add_entry"
                leads_to: tuple[object, ...] = (name, _filled(named.action(name), arguments))
            case ("member", number):
                method = "bm_mt_indirect_add_entry"
                leads_to = (self._handle(named.profile, "member", number),)
            case ("group", number):
                method = "bm_mt_indirect_ws_add_entry"
                leads_to = (self._handle(named.profile, "group", number),)
            case _:
                raise Bmv2Error(f"BMv2 has no entries of kind {action[0]}")
        match_key, options = params_of(named, key), AddEntryOptions(_LOWEST_PRIORITY - priority)
        handle = self._table_call(method, _CONTEXT, table, match_key, *leads_to, options)
        self._entries[table, repr((key, priority))] = handle

    def table_entry(self, table: str, key: Sequence[Match], priority: int = 0) -> Counted:
        """An entry's direct counter. Raises Bmv2Error."""
        value = self._entry_counter(table, self._entries[table, repr((key, priority))])
        return Counted(value.packets, value.bytes)

    def _entry_counter(self, table: str, handle: int) -> Any:
        return self._call("bm_mt_read_counter", _CONTEXT, table, handle)

    def table_set_default(self, table: str, action: Action) -> None:
        """Raises Bmv2Error."""
        match action:
            case ("action", name, arguments):
                values = _filled(self._names.table(table).action(name), arguments)
                self._table_call("bm_mt_set_default_action", _CONTEXT, table, name, values)

    def profile_member_insert(
        self, profile: str, member_id: int, action: str, arguments: Sequence[bytes]
    ) -> None:
        """Raises Bmv2Error."""
        values = _filled(self._names.profile(profile).action(action), arguments)
        handle = self._table_call("bm_mt_act_prof_add_member", _CONTEXT, profile, action, values)
        self._handles[profile, "member", member_id] = handle

    def profile_group_insert(
        self,
        profile: str,
        group_id: int,
        max_size: int,
        members: Sequence[tuple[int, int, int | None]],
    ) -> None:
        """A group whose members have weight 1. Raises Bmv2Error."""
        handles = [self._handle(profile, "member", member) for member, _, _ in members]
        group = self._table_call("bm_mt_act_prof_create_group", _CONTEXT, profile)
        self._handles[profile, "group", group_id] = group
        for member in handles:
            self._table_call("bm_mt_act_prof_add_member_to_group", _CONTEXT, profile, member, group)

    def _handle(self, profile: str | None, kind: str, number: int) -> int:
        try:
            return self._handles[str(profile), kind, number]
        except KeyError:
            raise Bmv2Error(f"{profile}: no {kind} {number}") from None

    def registers_read(self, items: Sequence[tuple[str, int]]) -> list[int]:
        """Raises Bmv2Error."""
        arrays: dict[str, list[int]] = {}
        for name, _ in items:
            if name not in arrays:
                arrays[name] = self._call("bm_register_read_all", _CONTEXT, name)
        return [arrays[name][index] for name, index in items]

    def registers_write(self, items: Sequence[tuple[str, int, int]]) -> None:
        """Raises Bmv2Error."""
        for name, index, value in items:
            self._call("bm_register_write", _CONTEXT, name, index, value)

    def counter_read(self, name: str, index: int) -> tuple[int, int]:
        """Raises Bmv2Error."""
        value = self._call("bm_counter_read", _CONTEXT, name, index)
        return value.packets, value.bytes

    def multicast_group_insert(self, group_id: int, replicas: Sequence[Replica]) -> None:
        """Raises Bmv2Error."""
        self._groups[group_id] = _Group(self._call("bm_mc_mgrp_create", _CONTEXT, group_id))
        self.multicast_group_modify(group_id, replicas)

    def multicast_group_modify(self, group_id: int, replicas: Sequence[Replica]) -> None:
        """Raises Bmv2Error."""
        group = self._groups[group_id]
        for node in group.nodes:
            self._call("bm_mc_node_destroy", _CONTEXT, node)
        group.nodes.clear()
        group.replicas = [*replicas]
        for instance in dict.fromkeys(instance for _, instance, _ in replicas):
            ports = [port for port, of, _ in replicas if of == instance]
            node = self._call("bm_mc_node_create", _CONTEXT, instance, _bitmap(ports), "")
            self._call("bm_mc_node_associate", _CONTEXT, group.handle, node)
            group.nodes.append(node)

    def multicast_group_read(self, group_id: int) -> list[tuple[int, list[Replica]]]:
        """Number and replicas of the group. Raises EntryNotFound."""
        if group_id not in self._groups:
            raise EntryNotFound(f"multicast group {group_id}: there is none")
        return [(group_id, self._groups[group_id].replicas)]

    def clone_session_insert(self, session_id: int, replicas: Sequence[Replica]) -> None:
        """A session with one port. Raises Bmv2Error."""
        self._call("mirroring_session_add", session_id, MirroringSession(port=replicas[0][0]))
        self._sessions.add(session_id)

    def clone_session_modify(self, session_id: int, replicas: Sequence[Replica]) -> None:
        """The same for a session that there is. Raises EntryNotFound, Bmv2Error."""
        if session_id not in self._sessions:
            raise EntryNotFound(f"clone session {session_id}: there is none")
        self.clone_session_insert(session_id, replicas)

    def _forget(self) -> None:
        registers = {
            array.name: self._call("bm_register_read_all", _CONTEXT, array.name)
            for array in self._names.registers
            if array.width_bits <= MOST_REGISTER_BITS
        }
        counters = {
            (array.name, index): self._call("bm_counter_read", _CONTEXT, array.name, index)
            for array in self._names.counters
            for index in range(min(array.size, MOST_COUNTERS))
        }
        hits = {
            (table, handle): self._entry_counter(table, handle)
            for (table, _), handle in self._entries.items()
            if self._names.table(table).has_counter
        }
        self._load()
        for name, arguments in self._table_calls:
            self._call(name, *arguments)
        for (table, handle), value in hits.items():
            self._call("bm_mt_write_counter", _CONTEXT, table, handle, value)
        for name, values in registers.items():
            for index, value in enumerate(values):
                if value:
                    self._call("bm_register_write", _CONTEXT, name, index, value)
        for (name, index), value in counters.items():
            if value.packets:
                self._call("bm_counter_write", _CONTEXT, name, index, value)

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


def _filled(action: NamedAction, arguments: Sequence[bytes]) -> list[bytes]:
    """Arguments with all bytes of their widths, as BMv2 wants them. Raises Bmv2Error."""
    widths_bits = action.parameters.values()
    for value, width_bits in zip(arguments, widths_bits, strict=True):
        _check([value], width_bits)
    return [bytestring.filled(*each) for each in zip(arguments, widths_bits, strict=True)]


def _check(values: Iterable[bytes], width_bits: int) -> None:
    """Raises Bmv2Error for a value that has bits above its width."""
    for value in values:
        if int.from_bytes(value, "big") >> width_bits:
            raise Bmv2Error(f"{value.hex()} does not fit {width_bits} bits")
