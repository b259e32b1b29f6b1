"""BMv2's Thrift services beside P4Runtime: where they are served, and for which switch."""

import asyncio
import logging
import socket

from p4abs_switch.server.config import SwitchConfig, ThriftConfig
from p4abs_switch.server.device import Device
from p4abs_switch.server.errors import AddressUnavailable
from p4abs_switch.thrift.protocol.server import Server
from p4abs_switch.thrift.services import services
from p4abs_switch.thrift.target import Outside, Target

_LOG = logging.getLogger(__name__)


def thrift_server(config: SwitchConfig, device: Device) -> Server | None:
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
    return Server(listening, services(_target(config, device, listening.getsockname()[1])))


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


def _target(config: SwitchConfig, device: Device, port: int) -> Target:
    async def add_port(number: int, interface: str, captured: bool) -> None:
        port_config = config.later_ports.port(number, interface)
        if captured:
            config.observation.captures_of(interface)
        await asyncio.to_thread(device.switch.add_port, port_config)

    outside = Outside(
        device_id=config.device_id,
        thrift_port=port,
        run=device.run_without_p4info,
        reset=device.start_again,
        add_port=add_port,
    )
    return Target(device.switch, device.config, outside)
