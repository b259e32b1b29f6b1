"""BMv2's Thrift services beside P4Runtime: where they are served, and for which switch."""

import asyncio
import logging
import socket

from p4abs_switch._engine import Device, Switch
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
    """Thrift's calls, which are served at an address, and messages, which are published.

    notices: tells subscribers of entries and ports; news: tells them of digests and idle entries;
    None: nobody can subscribe. Raises AddressUnavailable.
    """

    def __init__(
        self,
        thrift: ThriftConfig,
        config: SwitchConfig,
        switch: Switch,
        device: Device,
        grpc_address: str,
    ) -> None:
        bound = _bound(thrift)
        self.port: int = bound.getsockname()[1]
        try:
            self._publisher = _publisher(thrift)
        except AddressUnavailable:
            bound.close()
            raise
        publish = None if self._publisher is None else self._publisher.publish
        outside = Outside(
            device_id=config.device_id,
            thrift_port=self.port,
            notifications=None if self._publisher is None else thrift.notifications,
            p4runtime=P4RuntimeServer(grpc_address, config.device_id, config.tls is not None),
            run=lambda json: run_without_p4info(device, json),
            reset=device.start_again,
            # The kernel takes its time to open interfaces; other calls need not wait for it.
            add_port=lambda *port: asyncio.to_thread(device.add_port, *port),
        )
        target = Target(switch, device, outside)
        self._learning = Learning(target, publish or (lambda _message: None))
        self.notices = None if publish is None else Notices(target, publish)
        self.news = None if self.notices is None else News(self._learning, self.notices)
        self._server = Server(bound, services(target, self._learning))
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


def _bound(thrift: ThriftConfig) -> socket.socket:
    """A socket at the address, which does not listen yet. Raises AddressUnavailable."""
    bound = None
    try:
        found = socket.getaddrinfo(
            thrift.host, thrift.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, endpoint = found[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(endpoint)
    except (OSError, UnicodeError) as error:
        if bound is not None:
            bound.close()
        reason = error.strerror if isinstance(error, OSError) else error
        raise AddressUnavailable.at(f"{thrift.host}:{thrift.port}", reason) from error
    return bound


def _publisher(thrift: ThriftConfig) -> Publisher | None:
    if thrift.notifications is None:
        return None
    try:
        return Publisher(thrift.notifications)
    except CannotPublish as error:
        if thrift.notifications_are_needed:
            raise AddressUnavailable(str(error)) from error
        _LOG.warning("no digests are published by nanomsg: %s", error)
        return None
