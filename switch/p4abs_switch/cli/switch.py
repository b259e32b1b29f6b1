"""`p4abs switch`."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TypedDict

import click
from p4abs.cli.key_values import parse_key_values
from p4abs.errors import P4absError, UserError
from p4abs.units import UnitError, parse_duration, parse_rate, parse_size

from p4abs_switch import EngineError, PortConfig
from p4abs_switch.server.config import SwitchConfig
from p4abs_switch.server.errors import SwitchDied, SwitchError
from p4abs_switch.server.observation import Observation
from p4abs_switch.server.tls import TlsFiles


def _parse_count(value: object) -> float:
    if not (isinstance(value, str) and value.isascii() and value.isdigit()):
        raise UnitError(f"{value!r} is no whole number")
    return int(value)


_PORT_KEYS: Mapping[str, Callable[[object], float]] = {
    "rate": parse_rate,
    "delay": parse_duration,
    "memory": parse_size,
    "queues": _parse_count,
}
_NS_PER_S = 1e9
_PATH = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option(
    "--grpc-addr",
    default="127.0.0.1:9559",
    show_default=True,
    metavar="HOST:PORT",
    help="Where to serve P4Runtime; port 0 takes any free one.",
)
@click.option("--device-id", default=1, show_default=True, help="The P4Runtime device id.")
@click.option("--cpu-port", default=510, show_default=True, help="The controller's port.")
@click.option(
    "-i",
    "--interface",
    "interfaces",
    multiple=True,
    metavar="PORT@INTERFACE",
    help="A Linux interface and its port number.",
)
@click.option(
    "--port",
    "links",
    multiple=True,
    metavar="PORT[,rate=RATE][,delay=DURATION][,memory=SIZE][,queues=N]",
    help="A port's link: capacity, propagation delay, memory and number of its priority queues.",
)
@click.option(
    "--tls-certificate",
    type=_PATH,
    metavar="FILE.pem",
    help="Serve with TLS: the server's certificate, then those that lead to its CA.",
)
@click.option("--tls-key", type=_PATH, metavar="FILE.pem", help="The certificate's private key.")
@click.option(
    "--tls-client-ca",
    type=_PATH,
    metavar="FILE.pem",
    help="Let in only clients with a certificate of this CA (mutual TLS).",
)
@click.option(
    "--trace",
    metavar="FILE|-",
    help="Write what every packet goes through: parser, tables, registers, queues.",
)
@click.option(
    "--trace-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text to read, or a JSON object per line.",
)
@click.option(
    "--trace-port",
    "trace_ports",
    type=int,
    multiple=True,
    help="Trace packets from this port only.",
)
@click.option("--trace-packets", type=click.IntRange(0), help="Trace only so many packets.")
@click.option(
    "--pcap",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Capture frames: DIR/port<N>_in.pcap and port<N>_out.pcap.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="The least important messages that are shown.",
)
@click.argument("program", required=False, metavar="[queue|virtual_queue|PROGRAM.json]")
def switch(
    grpc_addr: str,
    device_id: int,
    cpu_port: int,
    interfaces: tuple[str, ...],
    links: tuple[str, ...],
    tls_certificate: Path | None,
    tls_key: Path | None,
    tls_client_ca: Path | None,
    trace: str | None,
    trace_format: Literal["text", "json"],
    trace_ports: tuple[int, ...],
    trace_packets: int | None,
    pcap: Path | None,
    log_level: str,
    program: str | None,
) -> int:
    """Run the embedded P4 target until interrupted."""
    if (tls_certificate is None) != (tls_key is None) or (tls_client_ca and not tls_key):
        raise UserError("--tls-certificate and --tls-key go together; --tls-client-ca needs both")
    from p4abs.access.program import program_path

    from p4abs_switch.server.serve import serve

    logging.basicConfig(level=log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    names = _interfaces(interfaces)
    settings = dict(_link(text) for text in links)
    try:
        ports = tuple(
            PortConfig(port, interface=names.get(port), **_port_options(settings.get(port, {})))
            for port in sorted(names.keys() | settings.keys())
        )
        path = None if program is None else program_path(program)
        tls = None
        if tls_certificate is not None and tls_key is not None:
            tls = TlsFiles(tls_certificate, tls_key, tls_client_ca)
        observation = Observation(trace, trace_format, trace_ports or None, trace_packets, pcap)
        serve(SwitchConfig(grpc_addr, device_id, cpu_port, ports, path, tls, observation), _ready)
    except SwitchDied as error:
        raise P4absError(str(error)) from None
    except (EngineError, SwitchError) as error:
        raise UserError(str(error)) from None
    return 0


def _ready(address: str) -> None:
    click.echo(f"listening on {address}")


def _interfaces(texts: tuple[str, ...]) -> dict[int, str]:
    names: dict[int, str] = {}
    for text in texts:
        number, _, name = text.partition("@")
        if not (number.isascii() and number.isdigit()) or not name:
            raise UserError(f"-i {text}: must be PORT@INTERFACE, such as 1@veth0")
        if int(number) in names:
            raise UserError(f"-i {text}: port {number} has an interface already")
        names[int(number)] = name
    return names


def _link(text: str) -> tuple[int, dict[str, float]]:
    number, values = parse_key_values("--port", text)
    parsed: dict[str, float] = {}
    for key, value in values.items():
        if key not in _PORT_KEYS:
            raise UserError(f"--port {text}: unknown key {key}; valid: {', '.join(_PORT_KEYS)}")
        try:
            parsed[key] = _PORT_KEYS[key](value)
        except UnitError as error:
            raise UserError(f"--port {text}: {key}: {error}") from None
    return int(number), parsed


class _PortOptions(TypedDict, total=False):
    rate_bps: int
    delay_ns: int
    memory_bytes: int
    queues: int


def _port_options(settings: Mapping[str, float]) -> _PortOptions:
    """What is set, in the engine's units; it has defaults for the rest."""
    options = _PortOptions()
    if "rate" in settings:
        options["rate_bps"] = round(settings["rate"])
    if "delay" in settings:
        options["delay_ns"] = round(settings["delay"] * _NS_PER_S)
    if "memory" in settings:
        options["memory_bytes"] = round(settings["memory"])
    if "queues" in settings:
        options["queues"] = round(settings["queues"])
    return options
