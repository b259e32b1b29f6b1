"""Ports and queues of a running switch, by the service beside P4Runtime."""

import asyncio
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.struct_pb2 import Struct, Value
from p4abs_switch import PortConfig, port_service
from p4abs_switch._engine import default_memory_bytes
from p4abs_switch.client import Connection, RpcError
from p4abs_switch.port_service import Fields, Method
from p4abs_switch.server.serve import RunningSwitch, running
from p4abs_switch.testing import config

from .controller import Controller, connected

MS = 1_000_000


async def asked(switch: RunningSwitch) -> Struct:
    """What the switch tells of its ports."""

    def ask() -> Struct:
        with Connection(switch.address, 1, 2) as client:
            return client.call_ports(Method.SHOW_PORTS, {})

    return await asyncio.to_thread(ask)


async def change_as_primary(switch: RunningSwitch, method: Method, fields: Fields) -> None:
    """Raises RpcError."""

    def ask() -> None:
        with Connection(switch.address, 1, 2) as client:
            client.change_ports(method, fields)

    await asyncio.to_thread(ask)


async def said(switch: RunningSwitch, method: str, fields: Mapping[str, Any]) -> grpc.StatusCode:
    """What a client without a stream is answered."""
    request = Struct()
    request.update(dict(fields))
    async with grpc.aio.insecure_channel(switch.address) as channel:
        call = channel.unary_unary(
            f"/{port_service.SERVICE}/{method}",
            request_serializer=Struct.SerializeToString,
            response_deserializer=Struct.FromString,
        )
        try:
            await call(request)
        except grpc.aio.AioRpcError as error:
            return error.code()
    return grpc.StatusCode.OK


async def change(
    switch: RunningSwitch, primary: Controller, method: Method, fields: Mapping[str, str]
) -> None:
    by_primary = {"device_id": "1", "election_id": str(primary.election_id)}
    assert await said(switch, method, {**by_primary, **fields}) is grpc.StatusCode.OK


async def leave_together(switch: RunningSwitch, primary: Controller, packets: int) -> list[int]:
    """Sends packets to port 2 at one instant; when they leave, in ns after that."""
    for _ in range(packets):
        await primary.packet_out(bytes(60), b"\x02", b"\x00", b"\x00")
    await primary.become_primary()  # the packets have been dealt with
    now_ns = switch.engine.now_us() * 1_000
    left = switch.engine.run_until(now_ns + 1_000 * MS)
    return [at_ns - now_ns for at_ns, port, _ in left if port == 2]


async def test_a_rate_spaces_the_packets_of_a_queue(
    switch: RunningSwitch, primary: Controller
) -> None:
    one = {"port": "2", "queue": "0"}
    await change(switch, primary, Method.SET_QUEUE_RATE, {"packets_per_second": "500", **one})
    assert await leave_together(switch, primary, 3) == [2 * MS, 4 * MS, 6 * MS]


async def test_a_depth_bounds_what_waits_and_the_rest_is_counted(
    switch: RunningSwitch, primary: Controller
) -> None:
    await change(switch, primary, Method.SET_QUEUE_RATE, {"packets_per_second": "500"})
    await change(switch, primary, Method.SET_QUEUE_DEPTH, {"packets": "2", "port": "2"})
    assert await leave_together(switch, primary, 5) == [2 * MS, 4 * MS]
    assert switch.engine.port_statistics(2).memory_dropped_packets == 3


async def test_a_depth_at_the_start_holds_until_another_is_set(kinds_json: Path) -> None:
    settings = replace(config(program=kinds_json, ports=[PortConfig(2)]), queue_depth_packets=4)
    async with (
        running(settings, live=False) as switch,
        connected(switch.address) as primary,
    ):
        await primary.become_primary()
        switch.engine.set_queue_rate(1_000)
        assert len(await leave_together(switch, primary, 9)) == 4
        switch.engine.set_queue_depth(6, 2)
        assert len(await leave_together(switch, primary, 9)) == 1 + 6, "the first one's turn is now"


async def test_limits_outlive_a_new_program_and_end_with_a_word(
    switch: RunningSwitch, primary: Controller, kinds_json: Any
) -> None:
    switch.engine.set_queue_rate(500, 2)
    switch.engine.load(kinds_json.read_bytes())
    assert await leave_together(switch, primary, 1) == [2 * MS]
    switch.engine.set_queue_rate(0, 2)
    assert await leave_together(switch, primary, 2) == [0, 0]


async def test_ports_are_told_to_anyone_with_their_interfaces_and_whether_these_are_up() -> None:
    ports = (PortConfig(1, "veth1"), PortConfig(2, queues=3))
    async with running(config(ports=ports), live=False) as switch:
        switch.engine.set_port_up(1, False)
        answer = await asked(switch)
    told = [dict(each.struct_value) for each in answer.fields["ports"].list_value.values]
    first, second = ({"port": port, "forwarded_packets": "0"} for port in ("1", "2"))
    assert told == [
        {**first, "interface": "veth1", "queues": "8", "is_up": False},
        {**second, "queues": "3", "is_up": True},
    ]


async def test_packets_to_a_port_are_told_since_the_program_is_there(
    switch: RunningSwitch, primary: Controller, kinds_json: Any
) -> None:
    async def forwarded() -> set[str]:
        ports = (await asked(switch)).fields["ports"].list_value.values
        told = (each.struct_value.fields for each in ports)
        return {each["forwarded_packets"].string_value for each in told if _is_port_2(each)}

    await leave_together(switch, primary, 3)
    assert await forwarded() == {"3"}
    switch.engine.load(kinds_json.read_bytes())
    assert await forwarded() == {"0"}


def _is_port_2(fields: Mapping[str, Value]) -> bool:
    return fields["port"].string_value == "2"


async def test_a_port_is_added_for_its_interface_and_removed_again(
    switch: RunningSwitch, primary: Controller
) -> None:
    by_interface = {"port": "7", "interface": "veth7"}
    await change(switch, primary, Method.ADD_PORT, by_interface)
    added = PortConfig(7, "veth7", memory_bytes=default_memory_bytes())
    assert (added, True) in switch.engine.ports()
    await primary.packet_out(bytes(60), b"\x07", b"\x00", b"\x00")
    await primary.become_primary()
    assert switch.engine.port_statistics(7).tx_packets == 1
    await change(switch, primary, Method.REMOVE_PORT, {"port": "7"})
    assert [config.port for config, _ in switch.engine.ports()] == [1, 2, 3]


def test_a_live_switch_takes_a_port_up_at_once() -> None:
    script = Path(__file__).with_name("live_ports.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if "port" in line]
    both, one = [["1", "port1", "UP"], ["2", "port2", "UP"]], [["1", "port1", "UP"]]
    head = ["port", "#", "iface", "name", "status", "extra", "info"]
    assert rows == [head, *both, head, *one]
    assert "came out: True" in done.stdout
    not_there, in_use = done.stderr.splitlines()
    assert "FAILED_PRECONDITION: port 2: no interface nowhere; valid: " in not_there
    assert in_use.endswith("ALREADY_EXISTS: interface port1 is in use by port 1")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"port": "2", "interface": "veth7"}, grpc.StatusCode.ALREADY_EXISTS),
        ({"port": "510", "interface": "veth7"}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"port": "511", "interface": "veth7"}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"port": "7", "interface": "a/b"}, grpc.StatusCode.FAILED_PRECONDITION),
        ({"port": "7", "interface": "a\nb" * 1000}, grpc.StatusCode.FAILED_PRECONDITION),
        ({"port": "7"}, grpc.StatusCode.FAILED_PRECONDITION),
        ({"interface": "veth7"}, grpc.StatusCode.INVALID_ARGUMENT),
    ],
)
async def test_a_port_that_cannot_be_is_refused_and_changes_nothing(
    switch: RunningSwitch, primary: Controller, fields: dict[str, str], code: grpc.StatusCode
) -> None:
    by_primary = {"device_id": "1", "election_id": str(primary.election_id)}
    assert await said(switch, Method.ADD_PORT, {**by_primary, **fields}) is code
    assert [config.port for config, _ in switch.engine.ports()] == [1, 2, 3]


@pytest.mark.parametrize("election_id", ["0", "7", None])
async def test_only_the_primary_may_change_queues(
    switch: RunningSwitch, primary: Controller, election_id: str | None
) -> None:
    request = {"device_id": "1", "packets_per_second": "1"}
    if election_id is not None:
        request["election_id"] = election_id
    refused = await said(switch, Method.SET_QUEUE_RATE, request)
    assert refused is grpc.StatusCode.PERMISSION_DENIED
    assert await leave_together(switch, primary, 2) == [0, 0]


@pytest.mark.parametrize("method", Method)
async def test_another_device_is_not_found(
    switch: RunningSwitch, primary: Controller, method: Method
) -> None:
    request = {"device_id": "2", "election_id": str(primary.election_id)}
    assert await said(switch, method, request) is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"packets": 5, "port": 9}, "no port 9; valid: 1 to 3"),
        ({"packets": 5, "port": 2**32 - 1}, "port 4294967295 is out of range; valid are 0 to 510"),
        ({"packets": 5, "port": 2, "queue": 8}, "queue 8 is out of range; valid are 0 to 7"),
        ({"packets": 5, "queue": 1}, "queue 1 is given without port"),
        ({"packets": -1}, "packets is '-1'; valid: decimal digits, for 0 to"),
        ({"packets": 2**63}, "packets is '9223372036854775808'"),
        ({"packets": "9" * 5000}, "packets is '9999"),
        ({"packets": "\u0663"}, "packets is '\u0663'"),
        ({"packets": True}, "packets is ''"),
        ({}, "packets is ''"),
    ],
)
async def test_what_cannot_be_is_refused_by_name(
    switch: RunningSwitch, fields: dict[str, port_service.Value], complaint: str
) -> None:
    with pytest.raises(RpcError) as refused:
        await change_as_primary(switch, Method.SET_QUEUE_DEPTH, fields)
    assert refused.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert complaint in str(refused.value)


async def test_a_port_with_fewer_queues_names_those_that_it_has() -> None:
    fields = {"packets_per_second": 1, "port": 1, "queue": 2}
    async with running(config(ports=(PortConfig(1, queues=2),)), live=False) as switch:
        with pytest.raises(RpcError, match="port 1 has no queue 2; valid: 0 to 1"):
            await change_as_primary(switch, Method.SET_QUEUE_RATE, fields)
