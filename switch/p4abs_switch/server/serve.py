"""Starts and ends a switch with its P4Runtime server."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING

import grpc

from p4abs_switch._engine import (
    EngineError,
    Switch,
    give_up_file_rights,
    give_up_privileges,
)
from p4abs_switch.command_line import standard_streams
from p4abs_switch.controllers import idle_entries
from p4abs_switch.server.bound_socket import bound_socket
from p4abs_switch.server.config import SwitchConfig, split_address
from p4abs_switch.server.device import Device
from p4abs_switch.server.engine_reader import read_engine
from p4abs_switch.server.errors import (
    AddressUnavailable,
    ObservationUnavailable,
    PortsUnavailable,
    SwitchDied,
    TooFewDescriptors,
)
from p4abs_switch.server.observation import Observation
from p4abs_switch.server.ports.service import PortsService
from p4abs_switch.server.program_files import load
from p4abs_switch.server.service import P4RuntimeService
from p4abs_switch.server.start_line import start_line
from p4abs_switch.server.supervision import Part, supervised
from p4abs_switch.server.threads import in_thread
from p4abs_switch.server.tls import TlsContents

if TYPE_CHECKING:
    from p4abs_switch.server.thrift_server import ThriftServer

_LOG = logging.getLogger(__name__)
PROGRAM_LOG = logging.getLogger("p4abs_switch.program")
"""What the P4 program says."""

# Without ports; gRPC ends the process where it gets none.
_LEAST_DESCRIPTORS = 64
# How long a server that has failed still answers, with the reason, and ending streams may take.
_FAREWELL_S = 0.3
# What a reader or a disk gets to take what is left of traces and captures.
_COMPLETION_S = 10.0

_GRPC_OPTIONS = (
    ("grpc.so_reuseport", 0),  # a port in use is an error, not a shared port
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 10_000),  # a controller that vanished loses its stream
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 1_000),  # what controllers may do likewise
)


@dataclass(frozen=True, slots=True)
class RunningSwitch:
    """A switch that is being served at `address` (HOST:PORT), and over Thrift if it has a port.

    summary: its program, ports and entries, and where it is served, in one line for the user.
    """

    address: str
    device_id: int
    engine: Switch
    thrift_port: int | None = None
    summary: str = ""


def serve(config: SwitchConfig, on_ready: Callable[[RunningSwitch], None]) -> None:
    """Runs a switch until SIGTERM or SIGINT; calls `on_ready` when it serves.

    The process keeps only the privileges that a switch uses. Must be called in the main thread,
    before others are started. Raises SwitchError when the switch cannot be started, and SwitchDied
    when a part of it dies.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < _LEAST_DESCRIPTORS:
        raise TooFewDescriptors(
            f"{most} file descriptors are too few, a switch needs {_LEAST_DESCRIPTORS} and up to "
            "three for each port: raise the limit (ulimit -n)"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a port takes up to three
    give_up_privileges()
    # What is there by now stays: to look through it for garbage would keep answers, and the end,
    # waiting for some tenths of a second on a busy machine.
    gc.freeze()
    asyncio.run(_serve(config, on_ready))


@asynccontextmanager
async def running(
    config: SwitchConfig, *, live: bool = True, on_files_open: Callable[[], None] | None = None
) -> AsyncIterator[RunningSwitch]:
    """A switch that is served inside the `async with`, by the running event loop.

    If not `live`, its time is virtual and its ports are driven by the engine's inject() and
    run_until(). `on_files_open` is called once all files of `config` are open, before threads are
    started that stay. Raises SwitchError when the switch cannot be started, and, cancelling the
    block, SwitchDied when a part of it dies.
    """
    _check_free(config.grpc_address)
    switch = _engine(config)
    device = Device(config.device_id, switch)
    p4info = load(device, config)
    tls = None if config.tls is None else config.tls.read()
    async with AsyncExitStack() as ending:
        ending.callback(_complete_observation, switch)
        _observe(switch, config.observation)
        make_thrift = _thrift(config)
        if on_files_open is not None:
            on_files_open()
        server = _server(device, config)
        address = _listen(server, config.grpc_address, tls)
        thrift = make_thrift(device, address)
        if thrift is not None:
            ending.callback(thrift.close)
        if live:
            _start(switch, config)
            ending.callback(_stop, switch)
        await server.start()
        ending.push_async_callback(server.stop, _FAREWELL_S)
        # A stream that gRPC has to cancel is a traceback on its log.
        ending.callback(device.fail, "the switch has been ended")
        try:
            if thrift is not None:
                await thrift.listen()
            parts = _parts(device, thrift, live)
            async with supervised(parts, lambda error: device.fail(str(error))):
                port = None if thrift is None else thrift.port
                summary = start_line(config, device, p4info, address, port)
                yield RunningSwitch(address, config.device_id, switch, port, summary)
        except SwitchDied:
            await _farewell()
            raise


def _thrift(config: SwitchConfig) -> Callable[[Device, str], ThriftServer | None]:
    """What makes the Thrift server, if there is to be one. Few want it, and its import takes long;
    later there may be no right to read its files."""
    if config.thrift is None:
        return lambda _device, _address: None
    from p4abs_switch.server.thrift_server import thrift_server

    return lambda device, address: thrift_server(config, device, address)


def _parts(device: Device, thrift: ThriftServer | None, live: bool) -> dict[str, Part]:
    """What must go on for as long as the switch is served, by the names that messages give it."""
    switch = device.switch

    def deliver_digests(found: list[tuple[str, list[bytes]]]) -> None:
        device.deliver_digests(found)
        if thrift is not None:
            thrift.deliver_digests(found)

    parts: dict[str, Part] = {
        "the scan for idle entries": lambda: idle_entries.scan(device.report_idle),
        "the packet-in reader": lambda: read_engine(
            switch.packet_in_descriptor(), switch.packet_in, device.deliver
        ),
        "the digest reader": lambda: read_engine(
            switch.digests_descriptor(), switch.digests, deliver_digests
        ),
        "the log reader": lambda: read_engine(switch.log_descriptor(), switch.log_messages, _log),
    }
    if thrift is not None:
        parts["the Thrift server"] = thrift.run
    if thrift is not None and thrift.notices is not None:
        device.on_idle = thrift.notices.tell_idle
        parts["the port watch"] = thrift.notices.watch_ports
    if live:
        parts["the packet thread"] = lambda: _packets(switch)
    return parts


async def _packets(switch: Switch) -> None:
    """Waits while packets are processed. Raises SwitchDied with what ended that."""
    reason = await in_thread("packets", switch.wait_ended, switch.stop)
    if reason is not None:
        raise SwitchDied(reason)


def _stop(switch: Switch) -> None:
    switch.stop()
    report_losses(switch)


def _complete_observation(switch: Switch) -> None:
    """Writes what is left of traces and captures, unless nobody takes it."""
    # What waits for a pipe or a disk cannot be ended; it ends with the process.
    completing = Thread(target=switch.end_observation, daemon=True)
    completing.start()
    completing.join(_COMPLETION_S)
    if completing.is_alive():
        _LOG.warning("nobody takes the trace or the capture: what was left of it is lost")


async def _farewell() -> None:
    """Lets controllers hear why: what reaches gRPC while it stops is CANCELLED without a reason."""
    await asyncio.sleep(_FAREWELL_S)


def report_losses(switch: Switch) -> None:
    """Says on the log what did not get through for reasons that are not the program's."""
    for port, _ in switch.ports():
        statistics = switch.port_statistics(port.port)
        if statistics.receive_lost_packets:
            _LOG.warning(
                "port %d: %d received frames were lost before the program, "
                "because they came too fast, were too long or could not be split",
                port.port,
                statistics.receive_lost_packets,
            )
        if statistics.send_lost_packets:
            _LOG.warning(
                "port %d: the interface refused %d frames, or was down",
                port.port,
                statistics.send_lost_packets,
            )
    for what, lost in switch.untaken():
        if lost:
            _LOG.warning("%d %s were lost: they came faster than they were taken", lost, what)


def _log(lines: list[str]) -> None:
    for line in lines:
        PROGRAM_LOG.info("%s", line)


async def _serve(config: SwitchConfig, on_ready: Callable[[RunningSwitch], None]) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with running(config, on_files_open=give_up_file_rights) as switch:
        _tell(on_ready, switch)
        await ended.wait()


def _tell(on_ready: Callable[[RunningSwitch], None], switch: RunningSwitch) -> None:
    """Calls it. That nobody takes what it writes is no reason to end a switch that serves."""
    try:
        on_ready(switch)
    except OSError as error:
        _LOG.warning("%s: nothing is written there", standard_streams.give_up(error))


def _engine(config: SwitchConfig) -> Switch:
    try:
        switch = Switch(config.ports, config.cpu_port)
        if config.queue_depth_packets is not None:
            switch.set_queue_depth(config.queue_depth_packets)
    except EngineError as error:
        raise PortsUnavailable(str(error)) from error
    return switch


def _observe(switch: Switch, observation: Observation) -> None:
    try:
        observation.start(switch)
    except OSError as error:
        raise ObservationUnavailable(str(error)) from error


def _start(switch: Switch, config: SwitchConfig) -> None:
    try:
        switch.start(wait_for_interfaces=config.wait_for_interfaces)
    except EngineError as error:
        raise PortsUnavailable(str(error)) from error


def _server(device: Device, config: SwitchConfig) -> grpc.aio.Server:
    server = grpc.aio.server(options=_GRPC_OPTIONS)
    ports = PortsService(device, config.later_ports, config.observation)
    server.add_generic_rpc_handlers((P4RuntimeService(device).handler(), ports.handler()))
    return server


def _check_free(address: str) -> None:
    """gRPC would not say why it cannot listen, but write lines of its own."""
    host, port = split_address(address)
    try:
        bound_socket(host, port).close()
    except OSError as error:
        raise AddressUnavailable(f"{address}: {error.strerror}") from error
    except UnicodeError as error:
        raise AddressUnavailable(f"{address}: {error}") from error


def _listen(server: grpc.aio.Server, address: str, tls: TlsContents | None) -> str:
    try:
        if tls is None:
            bound = server.add_insecure_port(address)
        else:
            bound = server.add_secure_port(address, tls.server_credentials())
    except RuntimeError as error:
        raise AddressUnavailable(f"{address}: {error}") from error
    return f"{address.rpartition(':')[0]}:{bound}"
