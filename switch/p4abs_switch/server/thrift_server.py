"""BMv2's Thrift services beside P4Runtime: where they are served, and for which switch."""

import asyncio
import logging
import socket

from p4abs_switch._engine import Device, Switch
from p4abs_switch.server.bound_socket import bound_socket
from p4abs_switch.server.config import SwitchConfig, ThriftConfig
from p4abs_switch.server.errors import AddressUnavailable
from p4abs_switch.server.program_files import run_without_p4info
from p4abs_switch.thrift.learning import Learning
from p4abs_switch.thrift.news import News
from p4abs_switch.thrift.notices import Notices
from p4abs_switch.thrift.notifications import CannotPublish, Publisher
from p4abs_switch.thrift.protocol.server import Server
from p4abs_switch.thrift.services import services
from p4abs_switch.thrift.structures import P4RuntimeServer
from p4abs_switch.thrift.target import Outside, Target

_LOG = logging.getLogger(__name__)


class ThriftServer:
    """Thrift's calls, which are served, and messages, which are published.

    notices: tells subscribers of entries and ports; None: nobody can subscribe.
    """

    def __init__(
        self,
        server: Server,
        learning: Learning,
        publisher: Publisher | None,
        notices: Notices | None,
        port: int,
    ) -> None:
        self.port = port
        self.notices = notices
        self.news = None if publisher is None or notices is None else News(learning, notices)
        self._server = server
        self._learning = learning
        self._publisher = publisher
        self._listening: asyncio.Server | None = None

    async def listen(self) -> None:
        """Clients can connect from now on: labs take a switch that listens for ready. Raises
        AddressUnavailable."""
        try:
            self._listening = await self._server.listen()
        except OSError as error:
            raise AddressUnavailable(f"Thrift port {self.port}: {error.strerror}") from error

    async def run(self) -> None:
        """Serves until it is cancelled; it listens already."""
        assert self._listening is not None
        await self._server.run(self._listening)

    def close(self) -> None:
        """Lets go of the addresses, whether it has served or not."""
        self._learning.close()
        if self.news is not None:
            self.news.report_losses()
        if self._publisher is not None:
            self._publisher.close()
        self._server.close()

    async def publish(self) -> None:
        """Tells subscribers of a program's news, until it is cancelled."""
        assert self.news is not None
        await self.news.publish()


def thrift_server(
    config: SwitchConfig, switch: Switch, device: Device, grpc_address: str
) -> ThriftServer | None:
    """The server, at its address; None: none is wanted, or not needed and not possible.

    grpc_address: where the device is served over P4Runtime.

    Raises AddressUnavailable.
    """
    if config.thrift is None:
        return None
    try:
        bound = _bound(config.thrift)
    except AddressUnavailable as error:
        if config.thrift.is_needed:
            raise
        _LOG.warning("the Thrift server has not started: %s", error)
        return None
    port = bound.getsockname()[1]
    try:
        publisher = _publisher(config.thrift)
    except AddressUnavailable:
        bound.close()
        raise
    p4runtime = P4RuntimeServer(grpc_address, config.device_id, config.tls is not None)
    target = _target(config, switch, device, port, p4runtime, publisher is not None)
    learning = Learning(target, _nowhere if publisher is None else publisher.publish)
    notices = None if publisher is None else Notices(target, publisher.publish)
    server = Server(bound, services(target, learning))
    return ThriftServer(server, learning, publisher, notices, port)


def _nowhere(message: bytes) -> None:
    """Publishes nothing."""


def _bound(thrift: ThriftConfig) -> socket.socket:
    try:
        return bound_socket(thrift.host, thrift.port)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise AddressUnavailable.at(f"{thrift.host}:{thrift.port}", reason) from error


def _publisher(thrift: ThriftConfig) -> Publisher | None:
    if thrift.notifications is None:
        return None
    try:
        return Publisher(thrift.notifications)
    except CannotPublish as error:
        if thrift.notifications_are_needed:
            raise AddressUnavailable(str(error)) from error
        _LOG.warning("digests are not published: %s", error)
        return None


def _target(
    config: SwitchConfig,
    switch: Switch,
    device: Device,
    port: int,
    p4runtime: P4RuntimeServer,
    is_published: bool,
) -> Target:
    async def add_port(number: int, interface: str, captured: bool) -> None:
        # The kernel takes its time to open interfaces; other calls need not wait for it.
        await asyncio.to_thread(device.add_port, number, interface, captured)

    assert config.thrift is not None
    outside = Outside(
        device_id=config.device_id,
        thrift_port=port,
        notifications=config.thrift.notifications if is_published else None,
        p4runtime=p4runtime,
        run=lambda json: run_without_p4info(device, json),
        reset=device.start_again,
        add_port=add_port,
    )
    return Target(switch, device, outside)
