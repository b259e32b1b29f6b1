"""A stand-in for the SDE's Python client and the switch behind it; neither SDE nor chip.

It has the calls of bfrt_grpc.client that the controller makes, with their names and arguments as in
the SDE's source (github.com/p4lang/open-p4studio, 1f97778), and answers by the checked-in
bf-rt.json: what that has not is a KeyError. Registers are those of the P4 source, one set a pipe;
what is not synchronised is what the driver knew before. The chip's fixed tables are those of
fixed_tables.py, whose queues the program's ghost thread is told of.
"""

import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import grpc

from controller.tests.tofino.fixed_tables import FIXED_TABLES, FixedTableOfSwitch, full_name
from controller.tests.tofino.ports import QueuePort, TofinoPort
from controller.tests.tofino.programs import BUILD
from controller.tests.tofino.traffic_manager import TmQueue, TrafficManager

PIPES = 2
_PREFIXES = ("pipe.AbsIngress.", "pipe.QueueIngress.ingress.")
_WORDS: dict[str, Callable[[TofinoPort], dict[str, int]]] = {
    "virtual_queue.last_packet_65536ns": lambda port: {"f1": port.control.last_packet_65536ns},
    "virtual_queue.clock_bytes": lambda port: {"f1": port.control.clock_bytes},
    "virtual_queue.backlog": lambda port: {
        "bytes": port.control.backlog.bytes,
        "excess": port.control.backlog.excess,
    },
    "wraps_of_admitted.wraps": lambda port: _wraps(port.admitted_bytes),
    "wraps_of_dropped.wraps": lambda port: _wraps(port.dropped_bytes),
    "queue_limit_bytes": lambda port: {"f1": port.limit_bytes},
    "count_flow.active_ticks.wraps_of_sum.wraps": lambda port: _wraps(port.active_ticks),
    "count_flow.long_ticks.wraps_of_sum.wraps": lambda port: _wraps(port.long_ticks),
    "count_flow.untracked_bytes.wraps_of_sum.wraps": lambda port: _wraps(port.untracked_bytes),
}


def _wraps(count: int) -> dict[str, int]:
    return {"previous": count % 2**32, "wraps": count >> 32}


class Failure(grpc.RpcError):
    """As gRPC's synchronous errors tell their status."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        self._code, self._details = code, details

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details


class BfruntimeRpcException(Exception):
    def __init__(self, grpc_error: Failure, errors: list[tuple[int, Any]] | None = None) -> None:
        self.grpc_error = grpc_error
        self.errors = errors or []


@dataclass
class SdeSwitch:
    """What bf_switchd would have; `pipes` holds the ports of each by number."""

    build: str = "tna"
    added: set[int] = field(default_factory=lambda: {1, 2, 132})
    is_up: bool = True
    owner: int | None = None
    refused_ports: set[int] = field(default_factory=set)
    vanished: set[tuple[str, int]] = field(default_factory=set)
    """Fixed tables' names, and ports that they have no entry of."""
    tells_vanished: bool = True
    writes: list[tuple[str, int]] = field(default_factory=list)
    rates: dict[int, str] = field(default_factory=dict)
    port_of_queue: dict[tuple[int, int], int] = field(default_factory=dict)
    wire_bytes: dict[int, int] = field(default_factory=dict)
    hangs: threading.Event | None = None

    def __post_init__(self) -> None:
        self.schema = json.loads((BUILD / f"{self.build}.bf-rt.json").read_text())
        self.p4_name = self.build
        has_queues = self.build == "t2na_queue"
        self.pipes = [defaultdict(QueuePort if has_queues else TofinoPort) for _ in range(PIPES)]
        self.known: dict[tuple[str, int], list[dict[str, int]]] = {}
        self.streams: list[threading.Event] = []
        self.fixed = {full_name(table, self.build): table for table in FIXED_TABLES}
        self.manager = TrafficManager.of(self.build)
        for number in self.added:
            self.manager.add(number, 10 * 10**9)

    def frame(self, number: int, now_ns: int, frame_bytes: int, pipe: int = 0) -> bool:
        port = self.pipes[pipe][number]
        action = self.rates.get(number)
        port.rate_gbps = None if action is None else int(action.rpartition("_")[2])
        return port.frame(now_ns, frame_bytes)

    def queued_frame(self, number: int, now_ns: int, frame_bytes: int, pipe: int = 0) -> bool:
        """A frame to a port's queue, which is reported then; whether it was admitted."""
        self.manager.run(now_ns)
        self.report(number)
        if not self.pipes[pipe][number].frame(now_ns, frame_bytes):
            return False
        self.manager.queues[number].frame(now_ns, frame_bytes)
        self.report(number)
        return True

    def report(self, number: int) -> None:
        reported = self.manager.report(number)
        if reported is not None and self.port_of_queue.get(reported[0]) == number:
            for ports in self.pipes:
                ports[number].report(reported[1])

    def go_down(self) -> None:
        self.is_up, self.owner = False, None
        for ended in self.streams:
            ended.set()

    def check(self) -> None:
        if self.hangs is not None:
            self.hangs.wait(30)
        if not self.is_up:
            raise BfruntimeRpcException(Failure(grpc.StatusCode.UNAVAILABLE, "nobody there"))

    def refuse(self, errors: list[tuple[int, Any]]) -> None:
        """What a batch comes to, some of whose elements are refused."""
        if errors:
            raise BfruntimeRpcException(Failure(grpc.StatusCode.UNKNOWN, "batch"), errors)

    def words(self, register: str, number: int) -> list[dict[str, int]]:
        return [_WORDS[register](ports[number]) for ports in self.pipes]


@dataclass
class QueuedPort:
    """A port's queue of the traffic manager with the program in front of it, as Sources take it."""

    switch: SdeSwitch
    number: int

    def frame(self, now_ns: float, frame_bytes: int) -> bool:
        return self.switch.queued_frame(self.number, round(now_ns), frame_bytes)

    @property
    def dropped_bytes(self) -> int:
        """By the program, and with what they would have taken of the wire."""
        return self.switch.pipes[0][self.number].dropped_bytes

    @property
    def free_ns(self) -> float:
        return self._behind.free_ns

    @property
    def sent_octets(self) -> int:
        return self._behind.sent_octets

    @property
    def sent_frames(self) -> int:
        return self._behind.sent_frames

    @property
    def _behind(self) -> TmQueue:
        return self.switch.manager.queues[self.number]


class Table:
    def __init__(self, switch: SdeSwitch, written: dict[str, Any], client: "Client") -> None:
        self._switch, self._written, self._client = switch, written, client
        prefix = next((each for each in _PREFIXES if written["name"].startswith(each)), "")
        self._register = written["name"].removeprefix(prefix)
        specs = written.get("action_specs", [])
        actions = [spec["name"] for spec in specs]
        fields = [each["singleton"]["name"] for each in written["data"] if "singleton" in each]
        fields += [each["name"] for spec in specs for each in spec["data"]]
        self.info = SimpleNamespace(
            action_name_list_get=lambda: actions, data_field_name_list_get=lambda: fields
        )

    def make_key(self, fields: list[Any]) -> Any:
        assert [each.name for each in fields] == [key["name"] for key in self._written["key"]]
        values = {each.name: {"value": each.value} for each in fields}
        numbers = tuple(each.value for each in fields)
        return SimpleNamespace(to_dict=lambda: values, value=fields[0].value, numbers=numbers)

    def make_data(self, fields: list[Any], action_name: str | None = None) -> Any:
        for each in fields:
            if each.name not in self.info.data_field_name_list_get():
                raise KeyError(each.name)
        if action_name is not None and action_name not in self.info.action_name_list_get():
            raise KeyError(action_name)
        return SimpleNamespace(fields=fields, action_name=action_name)

    def operations_execute(self, target: Any, table_op: str, p4_name: str | None = None) -> None:
        self._switch.check()
        assert table_op in self._written["supported_operations"]
        for number in range(512):
            if any(number in ports for ports in self._switch.pipes):
                values = self._switch.words(self._register, number)
                self._switch.known[self._register, number] = values

    def entry_get(
        self,
        target: Any,
        key_list: list[Any] | None = None,
        flags: dict[str, bool] | None = None,
        p4_name: str | None = None,
    ) -> Iterator[tuple[Any, Any]]:
        self._switch.check()
        assert p4_name == self._switch.p4_name
        key_name = self._written["key"][0]["name"]
        if self._register.endswith("drain_rate"):
            for number, action in self._switch.rates.items():
                data = {"action_name": action, "is_default_entry": False}
                yield _answer(data), _answer({key_name: {"value": number}})
        elif self._register.endswith("port_mtu"):
            for number, value in self._switch.wire_bytes.items():
                data = {"wire_bytes": value, "is_default_entry": False}
                yield _answer(data), _answer({key_name: {"value": number}})
        elif self._register.endswith("port_of_queue"):
            for (pipe, queue), number in self._switch.port_of_queue.items():
                data = {"action_name": "Ghost.of_port", "port": number}
                yield _answer(data), _answer({"pipe": {"value": pipe}, "queue": {"value": queue}})
        else:
            for key in key_list or []:
                yield _answer(self._registers(key.value)), key

    def _registers(self, number: int) -> dict[str, Any]:
        path = self._written["name"].removeprefix("pipe.")
        blank = [dict.fromkeys(words, 0) for words in self._switch.words(self._register, -1)]
        pipes = self._switch.known.get((self._register, number), blank)
        values = {f"{path}.{name}": [words[name] for words in pipes] for name in pipes[0]}
        assert values.keys() == set(self.info.data_field_name_list_get())
        return values

    def entry_add(self, target: Any, key_list: list[Any], data_list: list[Any]) -> None:
        self._write(target, key_list, data_list, is_new=True)

    def entry_mod(self, target: Any, key_list: list[Any], data_list: list[Any]) -> None:
        self._write(target, key_list, data_list, is_new=False)

    def _write(self, target: Any, keys: list[Any], data_list: list[Any], *, is_new: bool) -> None:
        self._switch.check()
        assert self._switch.owner == self._client.client_id
        assert target.pipe_id == 0xFFFF
        errors = []
        for position, (key, data) in enumerate(zip(keys, data_list, strict=True)):
            number = key.value
            if number in self._switch.refused_ports:
                errors.append((position, SimpleNamespace(canonical_code=8, message="no room")))
                continue
            self._switch.writes.append((self._register, number))
            if self._register.endswith("drain_rate"):
                assert (number in self._switch.rates) is not is_new
                self._switch.rates[number] = data.action_name
            elif self._register.endswith("port_mtu"):
                assert (number in self._switch.wire_bytes) is not is_new
                assert data.action_name in self.info.action_name_list_get()
                self._switch.wire_bytes[number] = data.fields[0].value
            elif self._register.endswith("port_of_queue"):
                assert data.action_name in self.info.action_name_list_get()
                assert (key.numbers in self._switch.port_of_queue) is not is_new
                self._switch.port_of_queue[key.numbers] = data.fields[0].value
            else:
                assert self._register == "queue_limit_bytes"
                for ports in self._switch.pipes:
                    ports[number].limit_bytes = data.fields[0].value
        self._switch.refuse(errors)


def _answer(values: dict[str, Any]) -> Any:
    return SimpleNamespace(to_dict=lambda: values)


class Client:
    """ClientInterface."""

    def __init__(
        self, switch: SdeSwitch, client_id: int, device_id: int, perform_subscribe: bool
    ) -> None:
        assert not perform_subscribe
        assert device_id == 0
        self._switch = switch
        self.client_id = client_id
        self.is_independent = True
        self._ended = threading.Event()
        self.channel = SimpleNamespace(close=self._close)

    def set_up_stream(self) -> None:
        self.is_independent = False
        self._switch.streams.append(self._ended)
        self.stream_recv_thread = threading.Thread(target=self._ended.wait, daemon=True)
        self.stream_recv_thread.start()
        if not self._switch.is_up:
            self._ended.set()

    def subscribe(self, timeout: float, num_tries: int) -> bool:
        return self._switch.is_up

    def bfrt_info_get(self) -> Any:
        self._switch.check()
        written = {each["name"]: each for each in self._switch.schema["tables"]}
        return SimpleNamespace(
            p4_name_get=lambda: self._switch.p4_name,
            table_name_list_get=lambda: [*written, *self._switch.fixed],
            table_get=lambda name: (
                self._fixed(name)
                if name in self._switch.fixed
                else Table(self._switch, written[name], self)
            ),
        )

    def _fixed(self, name: str) -> FixedTableOfSwitch:
        switch = self._switch
        return FixedTableOfSwitch(switch.fixed[name], switch.manager, switch, self._may_write)

    def _may_write(self) -> None:
        assert self._switch.owner == self.client_id

    def bind_pipeline_config(self, p4_name: str) -> None:
        self._switch.check()
        assert p4_name == self._switch.p4_name
        if self._switch.owner not in (None, self.client_id):
            details = f"Client ID {self._switch.owner} already owns this P4"
            raise BfruntimeRpcException(Failure(grpc.StatusCode.ALREADY_EXISTS, details))
        self._switch.owner = self.client_id

    def _close(self) -> None:
        self._ended.set()
        if self._switch.owner == self.client_id and not self.is_independent:
            self._switch.owner = None


def module(switches: dict[str, SdeSwitch]) -> Any:
    """bfrt_grpc.client, for switches by address."""

    def client(
        grpc_addr: str, client_id: int, device_id: int, perform_subscribe: bool = True
    ) -> Client:
        return Client(switches[grpc_addr], client_id, device_id, perform_subscribe)

    return SimpleNamespace(
        ClientInterface=client,
        Target=lambda device_id, pipe_id: SimpleNamespace(device_id=device_id, pipe_id=pipe_id),
        KeyTuple=lambda name, value: SimpleNamespace(name=name, value=value),
        DataTuple=_data_tuple,
        BfruntimeRpcException=BfruntimeRpcException,
    )


def _data_tuple(
    name: str, val: int | None = None, str_val: str | None = None, bool_val: bool | None = None
) -> Any:
    given = [each for each in (val, str_val, bool_val) if each is not None]
    return SimpleNamespace(name=name, value=given[0] if given else None)
