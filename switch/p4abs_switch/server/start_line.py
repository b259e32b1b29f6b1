"""What a switch says of itself when it serves."""

from pathlib import Path

from p4abs_switch._engine import Device, PortConfig
from p4abs_switch.server.config import SwitchConfig

_MAX_PORTS = 8


def start_line(
    config: SwitchConfig, device: Device, p4info: Path | None, address: str, thrift: int | None
) -> str:
    """Program, ports, entries and addresses, in one line.

    p4info: the file of the program's P4Info; None: it is made of the JSON. address: of P4Runtime,
    HOST:PORT. thrift: the port of Thrift; None: it is not served.
    """
    parts = [
        _program(config.program, device, p4info),
        _ports(config),
        _entries(device),
        f"P4Runtime at {address} as device {config.device_id}",
    ]
    if thrift is not None and config.thrift is not None:
        parts.append(f"Thrift at {config.thrift.host}:{thrift}")
    return "; ".join(part for part in parts if part)


def _program(program: Path | None, device: Device, p4info: Path | None) -> str:
    if program is None:
        return "no program: packets are dropped until a controller pushes one"
    if p4info is not None:
        return f"{program} with {p4info}"
    if not device.is_running:
        return f"{program} without P4Info"
    return f"{program} with a P4Info derived from it"


def _ports(config: SwitchConfig) -> str:
    linked = [_port(port) for port in config.ports]
    if not linked:
        told = "no ports"
    elif len(linked) <= _MAX_PORTS:
        told = f"port{'s' if len(linked) > 1 else ''} {', '.join(linked)}"
    else:
        told = f"{len(linked)} ports, {linked[0]} to {linked[-1]}"
    return told if config.cpu_port is None else f"{told}, controller's port {config.cpu_port}"


def _port(port: PortConfig) -> str:
    return str(port.port) if port.interface is None else f"{port.port}@{port.interface}"


def _entries(device: Device) -> str:
    """How many the program has brought; nothing where no table can be named."""
    if not device.is_running:
        return ""
    # A switch without a program has no use for these messages, whose import takes long.
    from p4abs_switch.protobuf import p4r

    every_entry = p4r.Entity(table_entry=p4r.TableEntry())
    request = p4r.ReadRequest(device_id=device.device_id, entities=[every_entry])
    found, _ = device.read(request.SerializeToString())
    count = sum(len(p4r.ReadResponse.FromString(message).entities) for message in found)
    return f"{count or 'no'} table entr{'y' if count == 1 else 'ies'}"
