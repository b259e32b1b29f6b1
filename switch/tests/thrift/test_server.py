"""Connections to the Thrift server: each is answered for itself, and hostile ones are cut off."""

import errno
import socket
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import pytest
from p4abs_switch import Switch
from p4abs_switch.runtime.cells import Registers
from p4abs_switch.runtime.replication import Replication
from p4abs_switch.server import serve
from p4abs_switch.server.config import SwitchConfig, ThriftConfig
from p4abs_switch.server.errors import AddressUnavailable, InvalidConfig
from p4abs_switch.testbed.free_ports import free_tcp_ports
from p4abs_switch.testing import config, switch_in_thread
from p4abs_switch.thrift.protocol import service
from p4abs_switch.thrift.protocol.wire import Fields, Kind, MessageKind, message

from .conftest import PROGRAMS, TIMEOUT_MS, Client, Start
from .test_wire import HOSTILE

CALL = message("standard:bm_mgmt_get_info", MessageKind.CALL, 1, Fields({}))


def connected(port: int | None) -> socket.socket:
    assert port is not None
    return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_MS / 1000)


def test_a_client_that_does_not_keep_to_the_protocol_is_cut_off_and_others_are_not(
    start: Start,
) -> None:
    started = start(PROGRAMS / "router.json")
    reply = message("standard:bm_mgmt_get_info", MessageKind.REPLY, 1, Fields({}))
    for data in (reply, *HOSTILE.values()):
        with connected(started.switch.thrift_port) as hostile:
            hostile.sendall(data)
            with suppress(ConnectionResetError):  # it may be cut off before all has been sent
                assert hostile.recv(1) == b""
        assert started.client.bm_mgmt_get_info().device_id == 1


def test_clients_that_leave_in_the_middle_of_a_call_are_nobody_s_loss(start: Start) -> None:
    started = start(PROGRAMS / "router.json")
    for length in range(len(CALL)):
        with connected(started.switch.thrift_port) as leaving:
            leaving.sendall(CALL[:length])
    with connected(started.switch.thrift_port) as leaving:
        leaving.sendall(CALL * 100)
    assert started.client.bm_mgmt_get_info().device_id == 1


def test_calls_that_come_together_are_answered_one_after_the_other(start: Start) -> None:
    started = start(PROGRAMS / "router.json")
    calls = [
        message("standard:bm_mgmt_get_info", MessageKind.CALL, n, Fields({})) for n in range(20)
    ]
    with connected(started.switch.thrift_port) as client:
        client.sendall(b"".join(calls))
        replies, seen = b"", []
        while len(seen) < len(calls):
            replies += client.recv(4096)
            seen = [part[:4] for part in replies.split(b"bm_mgmt_get_info")[1:] if len(part) >= 4]
    assert seen == [struct.pack(">i", n) for n in range(20)]


def test_a_call_without_an_answer_gets_none(start: Start) -> None:
    started = start(PROGRAMS / "router.json")
    with connected(started.switch.thrift_port) as client:
        client.sendall(message("simple_pre_lag:bm_mc_mgrp_create", MessageKind.ONEWAY, 1, GROUP_9))
        client.sendall(CALL)
        assert b"bm_mgmt_get_info" in client.recv(4096)
    assert Replication(started.local).groups() == [9]


GROUP_9 = Fields({1: (Kind.I32, 0), 2: (Kind.I32, 9)})


def test_many_clients_are_served_at_once(start: Start) -> None:
    started = start(PROGRAMS / "router.json")
    clients = [Client(started.switch.thrift_port) for _ in range(20)]
    answers: list[int] = []

    def ask(client: Client) -> None:
        answers.extend(client.bm_mgmt_get_info().device_id for _ in range(20))

    threads = [threading.Thread(target=ask, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for client in clients:
        client.close()
    assert answers == [1] * 400


def test_a_call_about_all_cells_of_a_register_keeps_no_other_client_waiting(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = start(PROGRAMS / "kinds.json")
    begun, answered = threading.Event(), threading.Event()
    read = Registers.read

    def slowly(*arguments: Any) -> list[int]:
        begun.set()
        assert answered.wait(TIMEOUT_MS / 1000)
        return read(*arguments)

    monkeypatch.setattr(Registers, "read", slowly)
    read_all = started.client.bm_register_read_all
    with ThreadPoolExecutor(1) as thread, closing(Client(started.switch.thrift_port)) as other:
        cells = thread.submit(read_all, 0, "KindsIngress.marks")
        assert begun.wait(TIMEOUT_MS / 1000)
        assert other.bm_mgmt_get_info().device_id == 1
        answered.set()
        assert cells.result() == [0, 0, 0, 0]


def test_lists_of_any_length_are_answered(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    started = start(PROGRAMS / "kinds.json")
    for most in (3, 4):
        monkeypatch.setattr(service, "_MAX_AT_ONCE", most)
        assert started.client.bm_register_read_all(0, "KindsIngress.marks") == [0, 0, 0, 0]


def test_a_switch_ends_while_clients_are_connected() -> None:
    settings = replace(config(), thrift=ThriftConfig("127.0.0.1", 0))
    with switch_in_thread(settings, live=False) as switch:
        client = connected(switch.thrift_port)
        client.sendall(CALL)
        assert b"bm_mgmt_get_info" in client.recv(4096)
        client.sendall(CALL[:-1])
    with client:
        assert client.recv(1) == b""


def test_an_address_that_is_taken_ends_the_start_if_it_is_needed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        needed = replace(config(), thrift=ThriftConfig("127.0.0.1", port))
        in_use = pytest.raises(
            AddressUnavailable,
            match=f"127.0.0.1:{port}: Address already in use: something listens there",
        )
        with in_use, switch_in_thread(needed, live=False):
            pass
        welcome = replace(config(), thrift=ThriftConfig("127.0.0.1", port, is_needed=False))
        with switch_in_thread(welcome, live=False) as switch:
            assert switch.thrift_port is None
    assert f"the Thrift server has not started: 127.0.0.1:{port}" in caplog.text


def test_a_switch_listens_when_it_is_ready_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    [port] = free_tcp_ports(1)
    start, reasons = serve._start, []

    def started(switch: Switch, settings: SwitchConfig) -> None:
        with socket.socket() as early:
            reasons.append(early.connect_ex(("127.0.0.1", port)))
        start(switch, settings)

    monkeypatch.setattr(serve, "_start", started)
    settings = replace(config(), thrift=ThriftConfig("127.0.0.1", port))
    with switch_in_thread(settings), connected(port) as client:
        client.sendall(CALL)
        assert b"bm_mgmt_get_info" in client.recv(4096)
    assert reasons == [errno.ECONNREFUSED]


def test_a_port_that_cannot_be_is_refused() -> None:
    with pytest.raises(InvalidConfig, match="Thrift port 65536: must be 0 to 65535"):
        ThriftConfig("127.0.0.1", 65536)
