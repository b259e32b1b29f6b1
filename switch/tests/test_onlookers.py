"""What packets go through, shown to clients while a switch runs."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import grpc
import pytest
from google.protobuf.struct_pb2 import Struct
from p4abs_switch import port_service
from p4abs_switch.console.values import meant
from p4abs_switch.port_service import Method, message
from p4abs_switch.server.serve import RunningSwitch

from .controller import PATIENCE_S, Controller

FRAME = bytes.fromhex("02000000000202000000000188b5") + bytes(46)
REQUEST: port_service.Fields = {"device_id": 1, "packets_per_second": 1000, "bytes": 10**6}


@asynccontextmanager
async def looking_on(
    switch: RunningSwitch, **fields: Any
) -> AsyncIterator[grpc.aio.UnaryStreamCall[Struct, Struct]]:
    async with grpc.aio.insecure_channel(switch.address) as channel:
        stream = channel.unary_stream(
            f"/{port_service.SERVICE}/{Method.TRACE}",
            request_serializer=Struct.SerializeToString,
            response_deserializer=Struct.FromString,
        )
        call = stream(message({**REQUEST, **fields}))
        await call.initial_metadata()
        yield call
        call.cancel()


async def lines(call: grpc.aio.UnaryStreamCall[Struct, Struct], until: str) -> str:
    """What comes, up to what has that text in it."""
    seen = ""
    while until not in seen:
        answer = await asyncio.wait_for(call.read(), PATIENCE_S)
        seen += answer.fields["lines"].string_value
    return seen


def send(switch: RunningSwitch, frame: bytes = FRAME) -> None:
    now_ns = switch.engine.now_us() * 1000 + 1000
    switch.engine.inject(1, frame, now_ns)
    switch.engine.run_until(now_ns + 1_000_000)


async def refusal(switch: RunningSwitch, **fields: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        async with looking_on(switch, **fields) as call:
            await call.read()
    return error.value.code(), error.value.details() or ""


async def test_packets_are_shown_to_all_who_look_on_until_they_go(
    switch: RunningSwitch, primary: Controller
) -> None:
    send(switch)
    async with looking_on(switch) as one:
        async with looking_on(switch, json=True) as other:
            send(switch)
            text = await lines(one, " is dropped")
            assert text.startswith("0.")
            assert " #1 arrives at port 1, 60 bytes\n" in text
            objects = [json.loads(line) for line in (await lines(other, '"drop"')).splitlines()]
            assert objects[0]["event"] == "arrive"
            assert objects[-1]["event"] == "drop"
        send(switch)
        assert "#2 arrives" in await lines(one, "#2 is dropped")


async def test_a_filter_shows_packets_by_port_field_and_fate(
    switch: RunningSwitch, primary: Controller
) -> None:
    fields = [{"field": "ethernet.destination", "value": "20000000003"}]
    async with looking_on(switch, fields=fields, ports=[{"port": 1}], dropped_only=True) as call:
        send(switch)
        send(switch, FRAME[:5] + b"\3" + FRAME[6:])
        shown = await lines(call, " is dropped")
        assert "#2 arrives" in shown
        assert "#1 " not in shown


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"fields": [{"field": "no.such", "value": "1"}]}, "no field no.such; valid headers: "),
        (
            {"fields": [{"field": "ethernet.type", "value": "1"}]},
            "no field ethernet.type; valid: ethernet.destination, ethernet.",
        ),
        ({"fields": [{"field": "ethernet.type", "value": "x"}]}, "is no hexadecimal number"),
        ({"ports": [{"port": 511}]}, "port is '511'"),
        ({"bytes": "much"}, "bytes is 'much'"),
        ({"device_id": 7}, "no device has id 7"),
    ],
)
async def test_what_nothing_can_be_shown_of_is_refused(
    switch: RunningSwitch, primary: Controller, fields: dict[str, Any], complaint: str
) -> None:
    code, details = await refusal(switch, **fields)
    assert code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND)
    assert complaint in details


async def test_a_trace_ends_with_its_size(switch: RunningSwitch, primary: Controller) -> None:
    async with looking_on(switch, bytes=100) as call:
        send(switch)
        shown = await lines(call, "the trace ends here")
        assert len(shown) < 200
        assert await asyncio.wait_for(call.read(), PATIENCE_S) is grpc.aio.EOF


async def test_the_command_shows_a_trace_until_it_has_its_size(
    switch: RunningSwitch, primary: Controller
) -> None:
    fields = ("--field", "hdr.ethernet.destination=02:00:00:00:00:02", "--dropped", "--port", "1")
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "p4abs_switch", "trace", "--grpc-addr", switch.address),
        *(*fields, "--size", "200B"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert command.stderr is not None
    async with asyncio.timeout(PATIENCE_S):
        begun = (await command.stderr.readline()).decode()  # before any packet comes
        while command.returncode is None:
            send(switch)
            await asyncio.sleep(0)
    assert begun == (
        "tracing dropped packets that arrive at port 1 in which "
        "hdr.ethernet.destination=02:00:00:00:00:02; Ctrl-C or 200B of output ends it\n"
    )
    output, _ = await command.communicate()
    assert (command.returncode, output.decode().splitlines()[-1]) == (0, "the trace ends here")


async def test_a_trace_that_the_switch_refuses_has_not_begun(
    switch: RunningSwitch, primary: Controller
) -> None:
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "p4abs_switch", "trace", "--grpc-addr", switch.address),
        *("--field", "no.such=1"),
        stderr=subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE_S):
        _, errors = await command.communicate()
    assert command.returncode == 2
    assert "no field no.such" in errors.decode().splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--field", "ttl=1"], "must be HEADER.FIELD=VALUE"),
        (["--field", "ipv4.ttl=many"], "'many' must be a number"),
        (["--field", "ipv4.ttl=-1"], "'-1' must be a number"),
        (["--port", "511"], "--port 511: must be 0 to 510"),
        (["--size", "some"], "--size: "),
    ],
)
def test_what_the_command_does_not_understand_is_told_in_a_line(
    arguments: list[str], complaint: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "p4abs_switch", "trace", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "number", "bits"),
    [
        ("64", 64, None),
        ("0x0800", 0x800, None),
        ("02:00:00:00:00:0A", 0x02000000000A, 48),
        ("10.0.0.1", 0xA000001, 32),
        ("::1", 1, 128),
        ("x", None, None),
    ],
)
def test_values_are_numbers_and_addresses(value: str, number: int | None, bits: int | None) -> None:
    assert meant(value) == (number, bits)


async def test_seven_may_look_on_and_places_are_free_again(
    switch: RunningSwitch, primary: Controller
) -> None:
    full = (grpc.StatusCode.FAILED_PRECONDITION, "too many traces already; end another one")
    async with AsyncExitStack() as watching:
        for _ in range(7):
            await watching.enter_async_context(looking_on(switch))
        assert await refusal(switch) == full
    async with asyncio.timeout(PATIENCE_S):
        while not await _may_look_on(switch):
            pass


async def _may_look_on(switch: RunningSwitch) -> bool:
    try:
        async with looking_on(switch) as call:
            send(switch)
            return bool(await lines(call, " is dropped"))
    except grpc.aio.AioRpcError:
        return False
