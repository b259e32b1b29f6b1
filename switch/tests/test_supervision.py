"""A part of a running switch that dies ends the switch, and controllers are told why."""

import asyncio
import os
import queue
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from finsy.proto import p4r, p4r_grpc
from p4abs_switch import Switch
from p4abs_switch._engine import Device, Listening, Server
from p4abs_switch.server.errors import SwitchDied
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config, switch_in_thread

from .controller import PATIENCE_S, connected
from .refusals import RequestError, refusals

WITHIN_S = 10.0  # a second and what a busy machine takes longer

DYING_COMMAND = """
from p4abs_switch.cli.commands import main
from p4abs_switch.server import serve

async def read_log(switch):
    raise RuntimeError("told to die")

serve.read_log = read_log
main(["switch", "--grpc-addr", "127.0.0.1:0"])
"""


class Mortal:
    """Lets one part of the switches that are started die when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._news = os.eventfd(0)
        self._ended: queue.Queue[str | None] = queue.Queue()
        self._tell: Callable[[str], None] = lambda reason: None

    def die(self) -> None:
        os.eventfd_write(self._news, 1)
        self._ended.put("the packet thread has panicked: told to die")
        self._tell("the digest reader has failed: told to die")

    def close(self) -> None:
        os.close(self._news)

    def prepare(self, part: str) -> None:
        """Makes a part mortal, by the name that messages give it."""
        match part:
            case "the digest reader":
                self._patch.setattr("p4abs_switch.server.serve.Server", self._server)
            case "the packet thread":
                self._replace(wait_ended=self._ended.get, stop=lambda: self._ended.put(None))
            case "the log reader":
                self._replace(log_messages=self._take, log_descriptor=self._descriptor)

    def _replace(self, **methods: Callable[..., object]) -> None:
        _replace_engine(self._patch, lambda *arguments: StandIn(Switch(*arguments), methods))

    def _server(
        self, device: Device, listening: Listening, on_death: Callable[[str], None], *others: None
    ) -> Server:
        self._tell = on_death
        return Server(device, listening, on_death, *others)

    def _take(self) -> list[bytes]:
        raise RuntimeError("told to die")

    def _descriptor(self) -> int:
        return self._news


class StandIn:
    """An engine of which some methods are replaced."""

    def __init__(self, engine: Switch, methods: dict[str, Callable[..., object]]) -> None:
        self.engine = engine
        self.__dict__.update(methods)

    def __getattr__(self, name: str) -> object:
        return getattr(self.engine, name)


def _replace_engine(patch: pytest.MonkeyPatch, engine: Callable[..., StandIn]) -> None:
    patch.setattr("p4abs_switch.server.serve.Switch", engine)
    patch.setattr(
        "p4abs_switch.server.serve.Device",
        lambda device_id, stand_in, *others: Device(device_id, stand_in.engine, *others),
    )


PARTS = ("the packet thread", "the digest reader", "the log reader")


@pytest.fixture(params=PARTS)
def part(request: pytest.FixtureRequest) -> str:
    """Each part of a switch in turn."""
    return str(request.param)


@pytest.fixture
def mortal(monkeypatch: pytest.MonkeyPatch, part: str) -> Iterator[Mortal]:
    mortal = Mortal(monkeypatch)
    mortal.prepare(part)
    yield mortal
    mortal.close()


async def test_a_dead_part_ends_the_switch_soon(mortal: Mortal, part: str) -> None:
    loop = asyncio.get_running_loop()
    died_at_s = loop.time()

    async def serve() -> None:
        nonlocal died_at_s
        async with running(config()):
            died_at_s = loop.time()
            mortal.die()
            await asyncio.Event().wait()

    with pytest.raises(SwitchDied, match=f"{part} .*told to die") as caught:
        await asyncio.wait_for(serve(), PATIENCE_S)
    assert loop.time() - died_at_s < WITHIN_S
    assert len(str(caught.value).splitlines()) == 1


async def test_open_streams_end_with_unavailable_and_the_reason(mortal: Mortal, part: str) -> None:
    async with dying_switch() as address, connected(address) as primary, connected(address) as mute:
        await primary.become_primary()
        await mute.stream.wait_for_connection()
        mortal.die()
        async with asyncio.timeout(WITHIN_S):
            for controller in (primary, mute):
                assert await controller.end_code() is grpc.StatusCode.UNAVAILABLE
                assert part in await controller.stream.details()


async def test_later_requests_are_refused_with_unavailable_and_the_reason(
    mortal: Mortal, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """gRPC is stopped last: a request that reaches it then is CANCELLED."""
    begun, over = asyncio.Event(), asyncio.Event()

    async def farewell() -> None:
        begun.set()
        await over.wait()

    monkeypatch.setattr("p4abs_switch.server.serve._farewell", farewell)
    async with dying_switch() as address, connected(address) as controller:
        await controller.become_primary()
        mortal.die()
        await begun.wait()
        with pytest.raises(grpc.aio.AioRpcError, match=part) as caught:
            await controller.stub.Capabilities(p4r.CapabilitiesRequest(), timeout=PATIENCE_S)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        over.set()


@pytest.mark.parametrize(
    "request_of",
    [
        lambda device: device.write(p4r.WriteRequest(device_id=1).SerializeToString()),
        lambda device: device.read(p4r.ReadRequest(device_id=1).SerializeToString()),
        lambda device: device.set_config(
            p4r.SetForwardingPipelineConfigRequest(device_id=1).SerializeToString()
        ),
        lambda device: device.get_config(
            p4r.GetForwardingPipelineConfigRequest(device_id=1).SerializeToString()
        ),
        lambda device: device.capabilities(b""),
        lambda device: device.enter(),
    ],
    ids=["Write", "Read", "Set", "Get", "Capabilities", "StreamChannel"],
)
def test_a_failed_device_refuses_every_request(request_of: Callable[[Device], object]) -> None:
    device = Device(1, Switch((), 510))
    device.fail("told to die")
    device.fail("the second reason")
    with pytest.raises(RequestError, match="told to die") as caught, refusals():
        request_of(device)
    assert caught.value.code is grpc.StatusCode.UNAVAILABLE


def test_a_switch_in_a_thread_tells_of_its_death(mortal: Mortal, part: str) -> None:
    def open_stream() -> None:
        requests: queue.Queue[p4r.StreamMessageRequest | None] = queue.Queue()
        with (
            switch_in_thread(config()) as switch,
            grpc.insecure_channel(switch.address) as channel,
        ):
            stub = p4r_grpc.P4RuntimeStub(channel)
            stream = stub.StreamChannel(iter(requests.get, None), timeout=PATIENCE_S)
            mortal.die()
            assert stream.code() is grpc.StatusCode.UNAVAILABLE
            requests.put(None)

    with pytest.raises(SwitchDied, match=part):
        open_stream()


def test_controllers_need_not_wait_until_packets_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard, stops = threading.Event(), list[bool]()

    def engine(*arguments: Any) -> StandIn:
        real = Switch(*arguments)

        def stop() -> None:
            stops.append(heard.wait(PATIENCE_S))
            real.stop()

        return StandIn(real, {"stop": stop})

    _replace_engine(monkeypatch, engine)
    with switch_in_thread(config()) as switch:
        channel = grpc.insecure_channel(switch.address)
        requests: queue.Queue[p4r.StreamMessageRequest | None] = queue.Queue()
        stream = p4r_grpc.P4RuntimeStub(channel).StreamChannel(iter(requests.get, None))
        stream.add_callback(heard.set)
    requests.put(None)
    channel.close()
    assert all(stops)


def test_the_command_ends_with_one_line_and_status_1() -> None:
    command = [sys.executable, "-c", DYING_COMMAND]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert ended.stderr == ("p4abs-switch: the log reader has failed: RuntimeError: told to die\n")
    assert ended.returncode == 1


def test_the_death_of_a_thread_that_waits_for_files_ends_a_process() -> None:
    """None can wait when the process may have no files: ppoll() says EINVAL. Whichever thread
    notices first is named, also the log reader, which is told EMFILE."""
    told = (
        "the (packet thread|link watch) cannot wait|"
        "the log reader has failed: OSError: Too many open files"
    )
    command = [sys.executable, "-m", "p4abs_switch", "switch", "--grpc-addr", "127.0.0.1:0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            [address] = next(line.split()[2:] for line in lines if line.startswith("listening on"))
            requests: queue.Queue[p4r.StreamMessageRequest | None] = queue.Queue()
            with grpc.insecure_channel(address) as channel:
                stub = p4r_grpc.P4RuntimeStub(channel)
                stream = stub.StreamChannel(iter(requests.get, None), timeout=PATIENCE_S)
                stub.Capabilities(p4r.CapabilitiesRequest(), timeout=PATIENCE_S)
                _, most = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
                resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (0, most))
                _wait_anew(process)
                died_at_s = time.monotonic()
                assert stream.code() is grpc.StatusCode.UNAVAILABLE
                assert time.monotonic() - died_at_s < WITHIN_S
                assert re.search(told, stream.details())
                requests.put(None)
            _, errors = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert errors.startswith("p4abs-switch: ")
    assert re.search(told, errors)
    assert len(errors.splitlines()) == 1
    assert process.returncode == 1


def _wait_anew(process: subprocess.Popen[str]) -> None:
    """Lets all waits of a process begin anew, as they do when it has been stopped."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    process.send_signal(signal.SIGCONT)


@asynccontextmanager
async def dying_switch() -> AsyncIterator[str]:
    """The address of a switch that is to die inside the block, served beside it."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def serve() -> None:
        async with running(config()) as switch:
            address.set_result(switch.address)
            await asyncio.Event().wait()

    server = asyncio.create_task(serve())
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield await address
            with pytest.raises(SwitchDied):
                await server
    finally:
        server.cancel()
