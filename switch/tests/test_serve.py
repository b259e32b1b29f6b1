"""Starting and ending a switch: what can be wrong is told in one line, before anything starts."""

import asyncio
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from finsy.proto import p4r, p4r_grpc
from p4abs_switch import PortConfig
from p4abs_switch.cli.switch import switch as command
from p4abs_switch.server.config import SwitchConfig, ThriftConfig
from p4abs_switch.server.errors import (
    AddressUnavailable,
    InvalidConfig,
    PortsUnavailable,
    ProgramUnavailable,
    SwitchError,
)
from p4abs_switch.server.serve import running
from p4abs_switch.testbed.free_ports import free_tcp_ports
from p4abs_switch.testing import config, switch_in_thread

from .controller import API_VERSION, PATIENCE_S, Controller, connected
from .entities import Entities, exact

SERVE = """
from p4abs_switch.server.config import SwitchConfig
from p4abs_switch.server.serve import serve
settings = SwitchConfig("127.0.0.1:0", 1, 510, (), None)
serve(settings, lambda switch: print(switch.address, flush=True))
"""
OBSERVED = """
import sys
from pathlib import Path
from p4abs_switch.server.config import SwitchConfig
from p4abs_switch.server.observation import Observation
from p4abs_switch.server.serve import serve
observation = Observation("/dev/null", captures=Path(sys.argv[1]))
settings = SwitchConfig("127.0.0.1:0", 1, 510, (), None, observation=observation)
serve(settings, lambda switch: print(switch.address, flush=True))
"""

USED_CAPABILITIES = sum(1 << bit for bit in (10, 12, 13, 14))
"""Ports below 1024, receive buffers, raw packets, locked memory; numbers of linux/capability.h."""


@pytest.mark.requirement("3.1-1")
def test_the_port_is_9559_unless_another_is_given() -> None:
    (address,) = (option.default for option in command.params if option.name == "grpc_addr")
    assert address.endswith(":9559")


@pytest.mark.requirement("3.5-1", "16.2-2")
async def test_a_switch_that_is_started_again_has_forgotten_everything(
    kinds_json: Path, entities: Entities
) -> None:
    entry = entities.entry("stations", [exact(1, 1)], "forward", 1)
    for election_id in (7, 3):
        async with (
            running(config(program=kinds_json), live=False) as switch,
            connected(switch.address, election_id) as controller,
        ):
            await controller.become_primary()
            assert await controller.read(entities.entry("stations")) == []
            await controller.insert(entry)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_with_status_0(number: signal.Signals) -> None:
    command = [sys.executable, "-c", SERVE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with grpc.insecure_channel(address) as channel:
            stub = p4r_grpc.P4RuntimeStub(channel)
            stub.Capabilities(p4r.CapabilitiesRequest(), timeout=PATIENCE_S)
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == 0


async def test_a_switch_that_cannot_be_started_lets_go_of_its_addresses(tmp_path: Path) -> None:
    (port,) = free_tcp_ports(1)
    said = f"ipc://{tmp_path}/said"
    thrift = ThriftConfig("127.0.0.1", port, notifications=said, notifications_are_needed=True)
    without_ports = replace(config(), thrift=thrift)
    with pytest.raises(PortsUnavailable) as caught:
        async with running(replace(without_ports, ports=(PortConfig(1, interface="nowhere0"),))):
            pytest.fail("it has started")
    async with running(without_ports) as switch:
        assert switch.thrift_port == port
    assert "nowhere0" in str(caught.value)


async def test_a_switch_that_is_ended_tells_its_controllers_and_its_log_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with running(config(), live=False) as switch:
        channel = grpc.aio.insecure_channel(switch.address)
        controller = Controller(channel, 1)
        await controller.become_primary()
    async with channel, asyncio.timeout(PATIENCE_S):
        assert await controller.end_code() is grpc.StatusCode.UNAVAILABLE
        assert await controller.stream.details() == "the switch has been ended"
    # Of two event loops that gRPC wakes for one call, one finds nothing, and Python says so.
    assert [said for said in caplog.messages if "PollerCompletionQueue" not in said] == []


def test_no_thread_of_a_switch_has_a_privilege_that_it_does_not_use(tmp_path: Path) -> None:
    own = {"p4abs-switch", "p4abs-trace", "p4abs-capture", "p4abs-server"}
    command = [sys.executable, "-c", OBSERVED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        give_up_s, names = time.monotonic() + PATIENCE_S, set[str]()
        # A thread takes its name itself, once it runs, and then gives up the rights.
        is_ready = False
        while not is_ready and time.monotonic() < give_up_s:
            threads = _statuses(process.pid)
            names = {status["Name"] for status in threads}
            is_ready = names > own and not any(map(_unused_capabilities, threads))
        process.send_signal(signal.SIGTERM)
    assert names > own
    for status in threads:
        assert _unused_capabilities(status) == 0
        assert status["NoNewPrivs"] == "1"


def _unused_capabilities(status: dict[str, str]) -> int:
    return int(status["CapPrm"], 16) & ~USED_CAPABILITIES


def _statuses(process_id: int) -> list[dict[str, str]]:
    """Of the threads of a process that go on."""
    statuses = []
    for thread in Path(f"/proc/{process_id}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            lines = (thread / "status").read_text().splitlines()
            parts = (line.partition(":") for line in lines)
            statuses.append({name: value.strip() for name, _, value in parts})
    return statuses


def test_a_switch_serves_on_when_nobody_takes_its_output() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-c", SERVE]
        with subprocess.Popen(command, stdout=full, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            said = process.stderr.readline()
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0
    assert said == "standard output: No space left on device: output is discarded\n"


def test_a_switch_in_a_thread_is_there_for_the_block_only() -> None:
    with switch_in_thread(config()) as switch, grpc.insecure_channel(switch.address) as channel:
        stub = p4r_grpc.P4RuntimeStub(channel)
        assert stub.Capabilities(p4r.CapabilitiesRequest(), timeout=PATIENCE_S)
    host, _, port = switch.address.rpartition(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), PATIENCE_S)


@pytest.mark.requirement("3.1-2")
async def test_an_address_in_use_is_named() -> None:
    async with running(config()) as switch:
        await _assert_refused(
            SwitchConfig(switch.address, 1, 510, (), None), AddressUnavailable, switch.address
        )


async def test_an_address_that_is_not_this_machines_is_named() -> None:
    settings = SwitchConfig("192.0.2.1:9559", 1, 510, (), None)
    await _assert_refused(settings, AddressUnavailable, "192.0.2.1:9559")


@pytest.mark.parametrize("address", ["", "localhost", ":9559", "localhost:p4", "localhost:65536"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidConfig, match="HOST:PORT"):
        SwitchConfig(address, 1, 510, (), None)


@pytest.mark.parametrize(("device_id", "cpu_port"), [(0, 510), (1 << 64, 510), (1, -1), (1, 511)])
@pytest.mark.requirement("5.1-2")
def test_numbers_out_of_range_are_refused(device_id: int, cpu_port: int) -> None:
    with pytest.raises(InvalidConfig):
        SwitchConfig("127.0.0.1:0", device_id, cpu_port, (), None)


async def test_a_missing_interface_is_named() -> None:
    settings = config(ports=[PortConfig(1, interface="nosuchif0")])
    await _assert_refused(settings, PortsUnavailable, "nosuchif0")


async def test_a_port_given_twice_is_refused() -> None:
    await _assert_refused(config(ports=[PortConfig(1), PortConfig(1)]), PortsUnavailable, "1")


async def test_a_missing_program_is_named(tmp_path: Path) -> None:
    program = tmp_path / "program.json"
    await _assert_refused(config(program=program), ProgramUnavailable, "program.json")


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe"])
async def test_what_is_no_bmv2_json_is_refused(tmp_path: Path, content: bytes) -> None:
    program = tmp_path / "program.json"
    program.write_bytes(content)
    await _assert_refused(config(program=program), ProgramUnavailable, "program.json")


async def test_many_controllers_are_served_at_once() -> None:
    async with running(config()) as switch, grpc.aio.insecure_channel(switch.address) as channel:
        stub: p4r_grpc.P4RuntimeAsyncStub = p4r_grpc.P4RuntimeStub(channel)
        answers = await asyncio.gather(
            *(stub.Capabilities(p4r.CapabilitiesRequest()) for _ in range(100))
        )
        assert {answer.p4runtime_api_version for answer in answers} == {API_VERSION}


async def _assert_refused(settings: SwitchConfig, expected: type[SwitchError], named: str) -> None:
    with pytest.raises(expected) as caught:
        async with running(settings):
            pass
    assert named in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
