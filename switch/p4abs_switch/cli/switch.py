"""`p4abs switch`."""

import logging
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from p4abs_switch import EngineError, PortConfig
from p4abs_switch._engine import PORT_LIMIT
from p4abs_switch.cli.links import port_configs
from p4abs_switch.command_line.log_handler import LogHandler
from p4abs_switch.command_line.options import FILE, FOLDER, INTEGER, IntegerRange, option, options
from p4abs_switch.command_line.units import UnitError, parse_size
from p4abs_switch.errors import Failure, UserError
from p4abs_switch.server.config import SwitchConfig
from p4abs_switch.server.errors import AddressUnavailable, SwitchDied, SwitchError
from p4abs_switch.server.observation import MAX_TRACE_BYTES, Observation
from p4abs_switch.server.tls import TlsFiles

if TYPE_CHECKING:
    from p4abs_switch.server.serve import RunningSwitch

_SERVER = options(
    option(
        "--grpc-addr",
        "Address of the P4Runtime server; port 0 takes a free one.",
        "HOST:PORT",
        default="127.0.0.1:9559",
    ),
    option("--device-id", "The P4Runtime device id.", type=INTEGER, default=1),
    option("--cpu-port", "The port of packet-ins and packet-outs.", type=INTEGER, default=510),
    option(
        "--p4info",
        "The program's P4Info in text form.  [default: the file beside PROGRAM.json that is called "
        "PROGRAM.p4info or PROGRAM.p4.p4info, with .txtpb or .txt; else derived from the JSON]",
        "FILE",
        type=FILE,
    ),
)
_LINKS = options(
    option(
        "-i --interface interfaces",
        "A Linux interface and its port number. Repeat for several ports.",
        "PORT@INTERFACE",
        multiple=True,
    ),
    option(
        "--port links",
        "The link of a port. rate: sending rate (default: no bound). delay: propagation delay "
        "(default: 0). memory: size of the memory for waiting packets (default: 16MB, or 250ms at "
        "the rate if that is more). queues: number of queues (default: 8). weights: one weight for "
        "each queue, from queue 0 on (default: strict priority, the highest queue first). qdisc: "
        "whether frames pass the interface's queueing discipline (default: no). ring: size of the "
        "memory for received frames (default: 1 to 3 MiB).",
        "PORT[,rate=RATE][,delay=DURATION][,memory=SIZE][,queues=N][,weights=W:W...]"
        "[,qdisc=yes][,ring=SIZE]",
        multiple=True,
    ),
    option(
        "--wait-for-interfaces",
        "Start even if interfaces are missing. A port works once its interface appears.",
        is_flag=True,
    ),
)
_CERTIFICATE = "Serve with TLS: the server's certificate and its chain to the CA."
_CLIENT_CA = "Accept only clients with a certificate of this CA (mutual TLS)."
_TLS = options(
    option("--tls-certificate", _CERTIFICATE, "FILE.pem", type=FILE),
    option("--tls-key", "The certificate's private key.", "FILE.pem", type=FILE),
    option("--tls-client-ca", _CLIENT_CA, "FILE.pem", type=FILE),
)
_TRACE = (
    "Write every packet's path through parser, tables, registers and queues. -: to standard output."
)
_PCAP = "Capture frames: DIR/INTERFACE_in.pcap and INTERFACE_out.pcap."
_FORMATS = click.Choice(["text", "json"])
_LEVELS = click.Choice(["debug", "info", "warning", "error"])
_OBSERVATION = options(
    option("--trace", _TRACE, "FILE|-"),
    option("--trace-format", "Text, or one JSON object a line.", type=_FORMATS, default="text"),
    option(
        "--trace-port trace_ports",
        "Trace only packets that arrive at this port. Repeat for several ports.",
        type=INTEGER,
        multiple=True,
    ),
    option("--trace-packets", "Trace no more than this many packets.", type=IntegerRange(0)),
    option("--trace-size", "End the trace at this size.  [default: 1GB]", "SIZE"),
    option("--pcap", _PCAP, "DIR", type=FOLDER),
    option(
        "--log-level", "Show messages of this level and above.", type=_LEVELS, default="warning"
    ),
)


class _Switch(click.Command):
    """It says of BMv2's options, and of a link's keys after a space, where they belong."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Raises click.UsageError, or UserError with a hint."""
        context.allow_extra_args = True
        try:
            rest = super().parse_args(context, arguments)
        except click.NoSuchOption as error:
            from p4abs_switch.cli.drop_in import WITH_P4RUNTIME, is_option_of_bmv2

            if not is_option_of_bmv2(error.option_name):
                raise
            raise UserError(
                f"{error.option_name}: an option of BMv2, which {WITH_P4RUNTIME} has"
            ) from None
        if rest:
            words = [context.params["program"], *rest]
            for word in words:
                if "=" in word:
                    raise UserError(f"{word}: no space may stand before it: --port PORT,{word}")
            raise UserError(f"only one program can run: {' or '.join(words)}?")
        return rest


@click.command(cls=_Switch)
@_SERVER
@_LINKS
@_TLS
@_OBSERVATION
@click.argument("program", required=False, metavar="[PROGRAM.json|NAME]")
def switch(
    grpc_addr: str,
    device_id: int,
    cpu_port: int,
    p4info: Path | None,
    interfaces: tuple[str, ...],
    links: tuple[str, ...],
    wait_for_interfaces: bool,
    tls_certificate: Path | None,
    tls_key: Path | None,
    tls_client_ca: Path | None,
    trace: str | None,
    trace_format: Literal["text", "json"],
    trace_ports: tuple[int, ...],
    trace_packets: int | None,
    trace_size: str | None,
    pcap: Path | None,
    log_level: str,
    program: str | None,
) -> int:
    """Run the software switch until interrupted.

    PROGRAM.json is a program compiled by p4c. NAME is an installed program, such as queue,
    shared_queue or virtual_queue of p4abs. Without a program, the switch drops all packets until a
    P4Runtime client pushes one.
    """
    tls = _tls(tls_certificate, tls_key, tls_client_ca)
    from p4abs_switch.installed_programs import program_path
    from p4abs_switch.server.serve import serve

    _log(log_level)
    try:
        ports = port_configs(interfaces, links)
        path = None if program is None else program_path(program)
        most_bytes = _trace_bytes(trace, trace_size)
        observation = Observation(
            trace, trace_format, trace_ports or None, trace_packets, most_bytes, pcap
        )
        _check_trace(observation)
        config = SwitchConfig(
            grpc_addr,
            device_id,
            cpu_port,
            ports,
            path,
            p4info,
            tls,
            observation,
            wait_for_interfaces=wait_for_interfaces,
        )
        serve(config, partial(_ready, ports))
    except (AddressUnavailable, SwitchDied) as error:
        # A retry may succeed: a service manager tries again.
        raise Failure(str(error)) from None
    except (EngineError, SwitchError) as error:
        raise UserError(str(error)) from None
    return 0


def _tls(certificate: Path | None, key: Path | None, client_ca: Path | None) -> TlsFiles | None:
    if (certificate is None) != (key is None) or (client_ca and not key):
        raise UserError(
            "--tls-certificate and --tls-key go together, and --tls-client-ca needs both"
        )
    return None if certificate is None or key is None else TlsFiles(certificate, key, client_ca)


def _log(level: str) -> None:
    logging.basicConfig(
        level=level.upper(),
        format="%(levelname)s %(name)s: %(message)s",
        handlers=[LogHandler()],
    )


def _trace_bytes(trace: str | None, size: str | None) -> int:
    """Raises UserError."""
    if size is None:
        return MAX_TRACE_BYTES
    if trace is None:
        raise UserError("--trace-size needs --trace")
    try:
        return parse_size(size)
    except UnitError as error:
        raise UserError(f"--trace-size: {error}") from None


def _check_trace(asked: Observation) -> None:
    """Raises UserError for options that no trace can have."""
    is_narrowed = asked.trace_ports or asked.trace_packets is not None
    if asked.trace is None and (is_narrowed or asked.trace_format != "text"):
        raise UserError("--trace-format, --trace-port and --trace-packets need --trace")
    if asked.trace is not None and Path(asked.trace).is_dir():
        raise UserError(f"--trace {asked.trace}: is a folder; name a file in it")
    if asked.trace is not None and _is_program(Path(asked.trace)):
        raise UserError(
            f"--trace {asked.trace}: is a program, which the trace would overwrite; name another "
            "file, or - for standard output"
        )
    if asked.trace_packets is not None and asked.trace_packets >= 1 << 64:
        raise UserError(f"--trace-packets {asked.trace_packets}: must be 0 to 2^64 - 1")
    for port in asked.trace_ports or ():
        if not 0 <= port < PORT_LIMIT:
            raise UserError(f"--trace-port {port}: must be 0 to {PORT_LIMIT - 1}")


def _is_program(path: Path) -> bool:
    """Whether a file that is there holds P4 source, P4Info or BMv2 JSON, and not another trace."""
    if not path.is_file():
        return False
    from p4abs_switch.files import read_bytes
    from p4abs_switch.not_programs import is_json_with

    try:
        content = read_bytes(path)
    except OSError:  # larger than any program, for example
        return False
    return path.suffix in (".p4", ".txtpb") or is_json_with({"__meta__"}, content)


def _ready(ports: Iterable[PortConfig], switch: "RunningSwitch") -> None:
    click.echo(f"{switch.summary}\nlistening on {switch.address}")
    for port in ports:
        if port.interface is None:
            # Probably a typing error, which leaves another port without its link.
            logging.getLogger(__name__).warning(
                "--port %d: the port has no interface, so its packets are lost; give -i %d@NAME",
                port.port,
                port.port,
            )
