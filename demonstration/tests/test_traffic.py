"""Flows are dealt out evenly and each has a port of its own."""

import socket
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from p4abs_demonstration.dumbbell import Pair
from p4abs_demonstration.generators import Generator, Greedy, Iperf3, find_generator
from p4abs_demonstration.traffic import spread
from p4abs_switch.testbed.free_ports import free_tcp_ports
from p4abs_switch.testbed.process import ProcessFailed, RunningProcess, start_here

DEADLINE_S = 60.0

PAIRS = [Pair(100 + n, 200 + n, f"10.0.2.{n}", n) for n in range(1, 5)]


def test_flows_are_dealt_out_evenly() -> None:
    counts = Counter(flow.pair.port for flow in spread(10, PAIRS))
    assert max(counts.values()) - min(counts.values()) == 1


def test_flows_of_one_pair_use_different_ports() -> None:
    flows = spread(8, PAIRS)
    assert len({(flow.pair.port, flow.port) for flow in flows}) == 8


@pytest.mark.parametrize("generator", [Iperf3(), Greedy()], ids=lambda generator: generator.name)
def test_the_sender_is_told_its_receiver_and_its_congestion_control(generator: Generator) -> None:
    (flow,) = spread(1, PAIRS)
    command = flow.sender_command(generator, "reno")
    assert {"reno", flow.pair.receiver_address, str(flow.port)} <= set(command)
    assert str(flow.port) in flow.receiver_command(generator)


def test_without_iperf3_flows_are_made_by_our_own_generator(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_generator().name == "greedy"
    (tmp_path / "iperf3").touch(mode=0o755)
    assert find_generator().name == "iperf3"


def test_our_own_sender_sends_without_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address, port = server.getsockname()
        sender = subprocess.Popen(Greedy().send(address, port, "reno"))
        try:
            connection, _ = server.accept()
            with connection:
                assert sum(len(connection.recv(65_536)) for _ in range(100)) > 100_000
            assert sender.wait(DEADLINE_S) != 0  # the connection has been reset
        finally:
            sender.kill()


def test_our_own_receiver_takes_in_what_one_sender_sends_and_ends(tmp_path: Path) -> None:
    [port] = free_tcp_ports(1)
    log = tmp_path / "log"
    receiver = RunningProcess("receiver", Greedy().receive(port), log, start_here)
    try:
        receiver.wait_until_listening([port])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(bytes(1_000_000))
        with pytest.raises(ProcessFailed, match="status 0"):
            receiver.wait_until(lambda: False, "ended by itself")
    finally:
        receiver.kill()
