"""Switches as processes: ready, dead or deaf, each is told in one line; nothing is left behind."""

import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.free_ports import free_tcp_ports
from p4abs_switch.testbed.listening import listens
from p4abs_switch.testbed.network import GRPC_PORT, Network, NetworkError, remove_leftovers
from p4abs_switch.testbed.process import (
    NotInstalled,
    ProcessFailed,
    RunningProcess,
    ends_with_parent,
    start_here,
)
from p4abs_switch.testbed.simple_switch import THRIFT_PORT, SimpleSwitch, configure

WAITS = "import signal; signal.pause()"
LISTENS = f"""
import socket, sys
servers = [socket.create_server(("127.0.0.1", int(port))) for port in PORTS]
{WAITS}
"""
DIES = 'import sys; sys.exit("port 1 is taken\\nno ports, no switch")'
DEAF = f"""
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
{WAITS}
"""

Install = Callable[[str, str], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Install:
    """Puts a program of a name and a Python text on PATH, before all others."""
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    def put(name: str, text: str) -> None:
        program = tmp_path / name
        program.write_text(f"#!{sys.executable}\n{text}\n")
        program.chmod(0o755)

    return put


def started(script: str, tmp_path: Path) -> RunningProcess:
    return RunningProcess("fake", [sys.executable, "-c", script], tmp_path / "log", start_here)


def simple_switch_that(ports: str) -> str:
    """A program that listens on what its arguments name; `ports` makes their numbers of words."""
    return LISTENS.replace("PORTS", ports)


ALL_PORTS = """[
    sys.argv[sys.argv.index("--thrift-port") + 1],
    *(word.removeprefix("127.0.0.1:") for word in sys.argv if word.startswith("127.0.0.1:")),
]"""


def test_free_ports_are_distinct_and_free() -> None:
    ports = free_tcp_ports(5)
    assert len(set(ports)) == 5
    for port in ports:
        socket.create_server(("127.0.0.1", port)).close()


def test_a_port_is_listened_on_by_its_process_alone(tmp_path: Path) -> None:
    [port] = free_tcp_ports(1)
    listener = started(LISTENS.replace("PORTS", f"[{port}]"), tmp_path)
    other = started(WAITS, tmp_path)
    try:
        listener.wait_until_listening([port])
        assert not listens(other.pid, port)
    finally:
        listener.end()
        other.end()
    assert not listens(listener.pid, port)


def test_a_process_that_dies_is_told_with_its_status_and_last_words(tmp_path: Path) -> None:
    with pytest.raises(ProcessFailed) as failure:
        started(DIES, tmp_path).wait_until_listening(free_tcp_ports(1))
    assert str(failure.value) == "fake ended with status 1: no ports, no switch"


def test_a_process_that_never_gets_ready_is_ended_and_told(tmp_path: Path) -> None:
    process = started(WAITS, tmp_path)
    with pytest.raises(ProcessFailed) as failure:
        process.wait_until(lambda: False, "answered", deadline_s=0.1)
    assert str(failure.value) == "fake is not ready after 0.1 s: never answered: no message"
    with pytest.raises(ProcessFailed, match=f"status -{int(signal.SIGTERM)}"):
        process.check_alive()


def test_a_process_that_ignores_sigterm_ends_too(tmp_path: Path) -> None:
    process = started(DEAF, tmp_path)
    process.wait_until(lambda: "deaf" in process.log.read_text(), "said so")
    process.end(grace_s=0.1)
    with pytest.raises(ProcessFailed, match=f"status -{int(signal.SIGKILL)}: deaf"):
        process.check_alive()


def test_a_command_whose_parent_has_ended_before_does_not_begin() -> None:
    command = ends_with_parent(("echo", "begun"))
    with_another_parent = ("sh", "-c", '"$@"; exit 0', "sh", *command)
    done = [
        subprocess.run(words, capture_output=True, text=True, check=False)
        for words in (command, with_another_parent)
    ]
    assert [(each.stdout, each.stderr) for each in done] == [("begun\n", ""), ("", "")]


def test_a_simple_switch_is_ready_when_all_its_services_listen(
    install: Install, tmp_path: Path
) -> None:
    install("simple_switch_grpc", simple_switch_that(ALL_PORTS))
    grpc, thrift, dataplane = free_tcp_ports(3)
    switch = SimpleSwitch(grpc, thrift_port=thrift, dataplane_port=dataplane)
    process = switch.start(tmp_path / "log")
    try:
        assert process.address == f"127.0.0.1:{grpc}"
        assert all(listens(process.pid, port) for port in (grpc, thrift, dataplane))
    finally:
        process.end()


def test_a_switch_in_a_network_has_its_links_and_ends_with_it(
    install: Install, tmp_path: Path
) -> None:
    install("simple_switch_grpc", simple_switch_that(ALL_PORTS))
    with Network((1, 2)) as network:
        switch = SimpleSwitch(GRPC_PORT, interfaces=network.interfaces(), thrift_port=THRIFT_PORT)
        process = switch.start(tmp_path / "log", network.start)
        assert listens(process.pid, GRPC_PORT)
        links = network.run(["ip", "-brief", "link"], timeout_s=60).stdout
        assert all(interface in links for interface in network.interfaces().values())
    with pytest.raises(ProcessFailed, match=f"status -{int(signal.SIGTERM)}"):
        process.check_alive()


def test_what_does_not_end_in_a_network_is_told() -> None:
    with (
        Network(()) as network,
        pytest.raises(NetworkError, match=r"sleep 60: has not ended after 0\.1 s"),
    ):
        network.run(["sleep", "60"], timeout_s=0.1)


def test_a_network_that_a_crashed_run_left_is_removed() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    name = f"abs-net-{ended.pid}"
    subprocess.run(["ip", "netns", "add", name], check=True)
    assert name in remove_leftovers()
    assert not Path("/run/netns", name).exists()


def test_a_simple_switch_that_dies_at_once_is_told(install: Install, tmp_path: Path) -> None:
    install("simple_switch_grpc", DIES)
    with pytest.raises(ProcessFailed) as failure:
        SimpleSwitch(*free_tcp_ports(1)).start(tmp_path / "log")
    assert str(failure.value) == "simple_switch_grpc ended with status 1: no ports, no switch"


def test_a_simple_switch_gets_its_interfaces_and_ports(install: Install) -> None:
    install("simple_switch_grpc", WAITS)
    switch = SimpleSwitch(1234, interfaces={1: "veth0", 2: "veth1"}, cpu_port=510)
    options = " ".join(switch.command()[1:])
    assert options == (
        "--no-p4 --log-level off --device-id 1 -i 1@veth0 -i 2@veth1 "
        "-- --grpc-server-addr 127.0.0.1:1234 --cpu-port 510"
    )


def test_without_bmv2_it_is_said_where_it_comes_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotInstalled, match=r"simple_switch_grpc is not on PATH: .*p4lang-bmv2"):
        SimpleSwitch(1234).start(tmp_path / "log")
    with pytest.raises(NotInstalled, match="simple_switch_CLI is not on PATH"):
        configure(["set_queue_rate 8 1"], 9090)


def test_the_command_line_gets_its_commands_and_what_it_refuses_is_told(install: Install) -> None:
    asked: list[tuple[list[str], str]] = []

    def answering(text: str) -> Callable[..., "subprocess.CompletedProcess[str]"]:
        def run(command: list[str], stdin: str) -> "subprocess.CompletedProcess[str]":
            asked.append((command, stdin))
            return subprocess.CompletedProcess(command, 0, stdout=text)

        return run

    install("simple_switch_CLI", WAITS)
    configure(["set_queue_rate 8 1", "set_queue_depth 4 1"], 4321, answering("RuntimeCmd: \n"))
    [(command, stdin)] = asked
    assert command[1:] == ["--thrift-port", "4321"]
    assert stdin == "set_queue_rate 8 1\nset_queue_depth 4 1\n"
    with pytest.raises(ProcessFailed, match="at set_queue_rate 8 x: Error: bad rate"):
        configure(["set_queue_rate 8 x"], 4321, answering("Error: bad\n rate"))


def test_the_embedded_switch_says_where_it_serves(tmp_path: Path) -> None:
    process = EmbeddedSwitch(links={1: "rate=10Mbit", 2: "delay=5ms"}).start(tmp_path / "log")
    try:
        host, _, port = process.address.partition(":")
        assert host == "127.0.0.1"
        assert listens(process.pid, int(port))
    finally:
        process.end()


def test_the_embedded_switch_says_which_links_go_nowhere(tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = EmbeddedSwitch(interfaces={1: "lo"}, links={1: "delay=5ms", 7: "delay=5ms"}).start(
        log
    )
    try:
        process.wait_until(lambda: "--port 7: the port has no interface" in log.read_text(), "told")
    finally:
        process.end()


def test_an_embedded_switch_that_cannot_start_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ProcessFailed) as failure:
        EmbeddedSwitch(interfaces={1: "nothing-here"}).start(tmp_path / "log")
    assert str(failure.value).startswith("p4abs-switch ended with status 2: ")
    assert "nothing-here" in str(failure.value)
    assert "\n" not in str(failure.value)
