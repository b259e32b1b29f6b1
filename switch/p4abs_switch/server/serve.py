"""Starts and ends a switch with its P4Runtime server."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from p4abs_switch._engine import (
    Device,
    EngineError,
    InvalidArgument,
    Listening,
    Server,
    Switch,
    give_up_file_rights,
    give_up_privileges,
)
from p4abs_switch.command_line import standard_streams
from p4abs_switch.server.config import SwitchConfig, split_address
from p4abs_switch.server.errors import (
    AddressUnavailable,
    InvalidConfig,
    ObservationUnavailable,
    PortsUnavailable,
    SwitchDied,
    SwitchError,
    TooFewDescriptors,
)
from p4abs_switch.server.log_reader import read_log
from p4abs_switch.server.program_files import load
from p4abs_switch.server.start_line import start_line
from p4abs_switch.server.supervision import Part, supervised
from p4abs_switch.server.threads import in_thread
from p4abs_switch.server.tls import TlsContents

if TYPE_CHECKING:
    from p4abs_switch.server.thrift_server import ThriftServer

_LOG = logging.getLogger(__name__)

# Without ports.
_MIN_DESCRIPTORS = 64
# How long a failed server still answers requests with the reason.
_FAREWELL_S = 0.3
# The time that a reader or a disk has to take the rest of traces and captures.
_COMPLETION_S = 10.0


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
    if most < _MIN_DESCRIPTORS:
        raise TooFewDescriptors(
            f"only {most} file descriptors; a switch needs {_MIN_DESCRIPTORS} and up to three "
            "for each port: raise the limit (ulimit -n)"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a port takes up to three
    give_up_privileges()
    # The present objects stay. Searching them for garbage would delay answers, and the end, by some
    # tenths of a second on a busy machine.
    gc.freeze()
    asyncio.run(_serve(config, on_ready))


@asynccontextmanager
async def running(
    config: SwitchConfig, *, live: bool = True, on_files_open: Callable[[], None] | None = None
) -> AsyncIterator[RunningSwitch]:
    """A switch that is served inside the `async with`, by the running event loop.

    If not `live`, its time is virtual and its ports are driven by the engine's inject() and
    run_until(). `on_files_open` is called once all files of `config` are open, before threads are
    started that stay. Raises SwitchError when the switch cannot be started, and, canceling the
    block, SwitchDied when a part of it dies.
    """
    listening = _listening(config.grpc_address)
    switch = _engine(config)
    device = _device(config, switch)
    p4info = load(device, config)
    tls = None if config.tls is None else config.tls.read()
    async with AsyncExitStack() as ending:
        ending.callback(listening.close)
        ending.callback(_complete_observation, switch)
        with _as(ObservationUnavailable, OSError):
            config.observation.start(switch)
        make_thrift = _thrift(config)
        if on_files_open is not None:
            on_files_open()
        address = f"{config.grpc_address.rpartition(':')[0]}:{listening.port}"
        thrift = make_thrift(switch, device, address)
        if thrift is not None:
            ending.callback(thrift.close)
        if live:
            _start(switch, config)
            ending.callback(_stop, switch)
        server, death = _server(device, listening, tls, thrift)
        stop = partial(server.stop, "the switch has been ended")
        ending.callback(stop)
        if thrift is not None:
            await thrift.listen()
        parts = _parts(switch, death, stop, thrift, live)
        async with supervised(parts, partial(_tell_controllers, device)):
            port = None if thrift is None else thrift.port
            summary = start_line(config, device, p4info, address, port)
            yield RunningSwitch(address, config.device_id, switch, port, summary)


def _thrift(config: SwitchConfig) -> Callable[[Switch, Device, str], ThriftServer | None]:
    """What makes the Thrift server, if there is to be one. Few want it, and its import takes long;
    later there may be no right to read its files."""
    thrift = config.thrift
    if thrift is None:
        return lambda _switch, _device, _address: None
    from p4abs_switch.server.thrift_server import ThriftServer

    def make(switch: Switch, device: Device, address: str) -> ThriftServer | None:
        try:
            return ThriftServer(thrift, config, switch, device, address)
        except AddressUnavailable as error:
            if thrift.is_needed:
                raise
            _LOG.warning("the Thrift server has not started: %s", error)
            return None

    return make


def _parts(
    switch: Switch,
    death: asyncio.Future[str],
    stop_server: Callable[[], None],
    thrift: ThriftServer | None,
    live: bool,
) -> dict[str, Part]:
    """What must go on for as long as the switch is served, by the names that messages give it."""
    parts: dict[str, Part] = {
        "the P4Runtime server": lambda: _served(death, stop_server),
        "the log reader": lambda: read_log(switch),
    }
    if thrift is not None:
        parts["the Thrift server"] = thrift.run
    if thrift is not None and thrift.notices is not None and thrift.news is not None:
        parts["the reader of news"] = thrift.news.publish
        parts["the port watch"] = thrift.notices.watch_ports
    if live:
        parts["the packet thread"] = lambda: _packets(switch)
    return parts


async def _packets(switch: Switch) -> None:
    """Waits while packets are processed. Raises SwitchDied with what ended that."""
    reason = await in_thread("packets", switch.wait_ended, switch.stop)
    if reason is not None:
        raise SwitchDied(reason)


async def _served(death: asyncio.Future[str], stop: Callable[[], None]) -> None:
    """Waits while controllers are served. Raises SwitchDied with what ended that. When canceled, it
    stops the server in a thread, so that packets can end at the same time."""
    try:
        reason = await asyncio.shield(death)
    except asyncio.CancelledError:
        await in_thread("ending", stop, lambda: None)
        raise
    raise SwitchDied(reason)


def _stop(switch: Switch) -> None:
    switch.stop()
    report_losses(switch)


def _complete_observation(switch: Switch) -> None:
    """Writes the rest of traces and captures, unless nobody takes it."""
    # A thread that waits for a pipe or a disk cannot be ended; it ends with the process.
    completing = Thread(target=switch.end_observation, daemon=True)
    completing.start()
    completing.join(_COMPLETION_S)
    if completing.is_alive():
        _LOG.warning("nobody reads the trace or the capture; its rest is lost")


async def _tell_controllers(device: Device, reason: SwitchDied) -> None:
    """Tells controllers why the switch has died, and lets the server answer for a while: a call
    that reaches it while it stops gets CANCELLED without a reason."""
    device.fail(str(reason))
    await _farewell()


async def _farewell() -> None:
    await asyncio.sleep(_FAREWELL_S)


def report_losses(switch: Switch) -> None:
    """Logs frames that were lost for reasons other than the program."""
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
                "port %d: %d frames were not sent: the interface was down or refused them",
                port.port,
                statistics.send_lost_packets,
            )
    for what, lost in switch.untaken():
        if lost:
            _LOG.warning(
                "%d %s were lost, because they came faster than they were read", lost, what
            )


async def _serve(config: SwitchConfig, on_ready: Callable[[RunningSwitch], None]) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with running(config, on_files_open=give_up_file_rights) as switch:
        _tell(on_ready, switch)
        await ended.wait()


def _tell(on_ready: Callable[[RunningSwitch], None], switch: RunningSwitch) -> None:
    """Calls it. The switch goes on even if nobody takes what it writes."""
    try:
        on_ready(switch)
    except OSError as error:
        _LOG.warning("%s: output is discarded", standard_streams.give_up(error))


@contextmanager
def _as(kind: type[SwitchError], *errors: type[Exception]) -> Iterator[None]:
    """Errors inside the `with` are raised as a kind of SwitchError."""
    try:
        yield
    except errors as error:
        raise kind(str(error)) from error


def _engine(config: SwitchConfig) -> Switch:
    with _as(PortsUnavailable, EngineError):
        switch = Switch(config.ports, config.cpu_port)
        if config.queue_depth_packets is not None:
            switch.set_queue_depth(config.queue_depth_packets)
        return switch


def _start(switch: Switch, config: SwitchConfig) -> None:
    with _as(PortsUnavailable, EngineError):
        switch.start(wait_for_interfaces=config.wait_for_interfaces)


def _device(config: SwitchConfig, switch: Switch) -> Device:
    later, captures = config.later_ports, config.observation.captures
    folder = None if captures is None else captures.absolute()
    return Device(config.device_id, switch, later.queues, later.through_qdisc, folder)


def _server(
    device: Device, listening: Listening, tls: TlsContents | None, thrift: ThriftServer | None
) -> tuple[Server, asyncio.Future[str]]:
    """A server, and a future that has the reason when it dies."""
    loop = asyncio.get_running_loop()
    death: asyncio.Future[str] = loop.create_future()

    def die(reason: str) -> None:
        loop.call_soon_threadsafe(death.set_result, reason)

    files = None if tls is None else (tls.chain, tls.key, tls.roots)
    listener = None if thrift is None else thrift.news
    try:
        return Server(device, listening, die, files, listener), death
    except InvalidArgument as error:
        raise InvalidConfig(f"{'' if tls is None else tls.names}: {error}") from error


def _listening(address: str) -> Listening:
    host, port = split_address(address)
    try:
        return Listening(host, port)
    except (OSError, UnicodeError) as error:
        raise AddressUnavailable.at(address, error) from error
