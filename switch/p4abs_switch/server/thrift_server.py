"""BMv2's Thrift services beside P4Runtime: where they are served, and for which switch."""

import asyncio
import logging
import socket
from collections.abc import Sequence

from p4abs_switch.server.config import SwitchConfig, ThriftConfig
from p4abs_switch.server.device import Device
from p4abs_switch.server.errors import AddressUnavailable
from p4abs_switch.thrift.learning import Learning
from p4abs_switch.thrift.notifications import CannotPublish, Publisher
from p4abs_switch.thrift.protocol.server import Server
from p4abs_switch.thrift.services import services
from p4abs_switch.thrift.target import Outside, Target

_LOG = logging.getLogger(__name__)


class ThriftServer:
    """Thrift's calls, which are served, and messages about digests, which are published."""

    def __init__(
        self, server: Server, learning: Learning, publisher: Publisher | None, port: int
    ) -> None:
        self.port = port
        self._server = server
        self._learning = learning
        self._publisher = publisher

    async def run(self) -> None:
        """Serves until it is cancelled."""
        try:
            await self._server.run()
        finally:
            self._learning.close()
            if self._publisher is not None:
                self._publisher.close()

    def deliver_digests(self, found: Sequence[tuple[str, list[bytes]]]) -> None:
        """Takes digests of the program, for messages to subscribers."""
        if self._publisher is not None:
            self._learning.take(found)


def thrift_server(config: SwitchConfig, device: Device) -> ThriftServer | None:
    """The server, which listens already; None: none is wanted, or not needed and not possible.

    Raises AddressUnavailable.
    """
    if config.thrift is None:
        return None
    try:
        listening = _listen(config.thrift)
    except AddressUnavailable as error:
        if config.thrift.is_needed:
            raise
        _LOG.warning("there is no Thrift server: %s", error)
        return None
    port = listening.getsockname()[1]
    try:
        publisher = _publisher(config.thrift)
    except AddressUnavailable:
        listening.close()
        raise
    target = _target(config, device, port, publisher is not None)
    learning = Learning(target, _nowhere if publisher is None else publisher.publish)
    return ThriftServer(Server(listening, services(target, learning)), learning, publisher, port)


def _nowhere(message: bytes) -> None:
    """Publishes nothing."""


def _listen(thrift: ThriftConfig) -> socket.socket:
    try:
        found = socket.getaddrinfo(
            thrift.host, thrift.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, _, _, _, endpoint = found[0]
        return socket.create_server(endpoint[:2], family=family)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise AddressUnavailable(f"{thrift.host}:{thrift.port}: {reason}") from error


def _publisher(thrift: ThriftConfig) -> Publisher | None:
    if thrift.notifications is None:
        return None
    try:
        return Publisher(thrift.notifications)
    except CannotPublish as error:
        if thrift.notifications_are_needed:
            raise AddressUnavailable(str(error)) from error
        _LOG.warning("nobody is told of digests: %s", error)
        return None


def _target(config: SwitchConfig, device: Device, port: int, is_published: bool) -> Target:
    async def add_port(number: int, interface: str, captured: bool) -> None:
        port_config = config.later_ports.port(number, interface)
        if captured:
            config.observation.captures_of(interface)
        await asyncio.to_thread(device.switch.add_port, port_config)

    assert config.thrift is not None
    outside = Outside(
        device_id=config.device_id,
        thrift_port=port,
        notifications=config.thrift.notifications if is_published else None,
        run=device.run_without_p4info,
        reset=device.start_again,
        add_port=add_port,
    )
    return Target(device.switch, device.config, outside)
