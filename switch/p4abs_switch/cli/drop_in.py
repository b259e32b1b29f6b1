"""The embedded switch behind the command lines of BMv2's simple_switch_grpc and simple_switch.

Labs that start BMv2 start this instead, with the same arguments. An option that is not served is
named on standard error. It is refused only if ignoring it would change what packets do. In the
place of simple_switch, P4Runtime is served at --grpc-server-addr or, without this option, at a free
port of the loopback interface.
"""

import argparse
import logging
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

from p4abs_switch import EngineError
from p4abs_switch._engine import MAX_QUEUES, PORT_LIMIT
from p4abs_switch.cli.links import port_configs
from p4abs_switch.command_line.log_handler import LogHandler
from p4abs_switch.command_line.options import is_integer
from p4abs_switch.errors import Failure, UserError, one_line
from p4abs_switch.files import create_binary
from p4abs_switch.server.config import LaterPorts, SwitchConfig, ThriftConfig
from p4abs_switch.server.errors import SwitchDied, SwitchError
from p4abs_switch.server.log_reader import PROGRAM_LOG
from p4abs_switch.server.observation import Observation
from p4abs_switch.server.serve import RunningSwitch, serve
from p4abs_switch.server.tls import TlsFiles

WITH_P4RUNTIME = "p4abs-simple-switch-grpc"
WITHOUT_P4RUNTIME = "p4abs-simple-switch"
_GRPC_ADDRESSES = {WITH_P4RUNTIME: "127.0.0.1:9559", WITHOUT_P4RUNTIME: "127.0.0.1:0"}
BMV2_DROP_PORT = 511
_THRIFT_PORT = 9090
_THRIFT_ADDRESS = "127.0.0.1"
_NOTIFICATIONS = "ipc:///tmp/bmv2-{}-notifications.ipc"
JSON_VERSION = "2.23"
"""The newest format of programs that is known; BMv2 writes it so."""

# BMv2 sends through the kernel's queueing discipline, and keeps up to 64 packets while the kernel
# has no room.
_QUEUE_DEPTH_PACKETS = 64


@dataclass(frozen=True)
class Unserved:
    """Why an option is not served, or what there is instead; and what it looks like.

    `of_target`: it stands after `--`. `is_flag`: it takes no value.
    """

    reason: str
    of_target: bool = False
    is_flag: bool = False


_NO_DEBUGGER = "there is no debugger; --log-console shows each step of each packet"
_ONE_LOG = "the log is one file, of 1 GB at most"
_NO_BOUND = "the switch has no such bound"

NOT_SERVED = {
    "nanolog": Unserved("--log-console shows each step of each packet"),
    "debugger": Unserved(_NO_DEBUGGER, is_flag=True),
    "debugger-addr": Unserved(_NO_DEBUGGER),
    "dump-packet-data": Unserved("--pcap writes whole frames"),
    "log-file-max-size": Unserved(_ONE_LOG),
    "log-file-max-files": Unserved(_ONE_LOG),
    "max-port-count": Unserved("ports 0 to 510 are always possible"),
    "disable-swap": Unserved(
        "controllers may always push another program", of_target=True, is_flag=True
    ),
    "max-mc-groups": Unserved(_NO_BOUND, of_target=True),
    "max-l1-entries": Unserved(_NO_BOUND, of_target=True),
    "max-l2-entries": Unserved(_NO_BOUND, of_target=True),
}
"""Options that do not change how packets are forwarded."""

REFUSED = {
    "use-files": Unserved("packets come from interfaces; `p4abs stf` runs packets from a file"),
    "packet-in": Unserved("packets come from interfaces"),
    "restore-state": Unserved("the switch saves no state; write it over P4Runtime"),
    "dp-grpc-server-addr": Unserved("packets come from interfaces", of_target=True),
    "load-modules": Unserved("the switch has v1model's externs only", of_target=True),
}
"""Options that change which packets come and go, if they are ignored."""

_OF_TLS = (
    "grpc-server-cacert",
    "grpc-server-cert",
    "grpc-server-key",
    "grpc-server-with-client-auth",
)

# argparse drops such a value and passes on an empty list.
_DASHES_AS_VALUE = re.compile("(--[^=]+=|-[A-Za-z])--")

_TRACING = {"trace", "debug"}
_LOG_LEVELS = {
    "trace": logging.INFO,
    "debug": logging.INFO,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "error": logging.ERROR,
    "off": logging.CRITICAL,
}


def run(name: str, arguments: Sequence[str]) -> int:
    """Runs the switch until it is interrupted; returns the exit status: 1 failed, 2 refused.

    name: WITH_P4RUNTIME or WITHOUT_P4RUNTIME.
    """
    try:
        settings, remarks = understand(name, arguments)
        for remark in remarks:
            _say(name, remark)
        serve(settings, partial(_ready, name))
    except SwitchDied as error:
        _say(name, str(error))
        return Failure.exit_code
    except (EngineError, SwitchError, UserError) as error:
        _say(name, str(error))
        return UserError.exit_code
    return 0


def understand(name: str, arguments: Sequence[str]) -> tuple[SwitchConfig, list[str]]:
    """The switch that BMv2's arguments ask for, and what of them is not served.

    Raises UserError, EngineError for impossible ports, and InvalidConfig.
    """
    options = _read(name, arguments)
    logging.basicConfig(
        level=_LOG_LEVELS[options.log_level],
        format="%(levelname)s %(name)s: %(message)s",
        handlers=[*_log_handlers(options)],
    )
    for option, refused in REFUSED.items():
        if _given(options, option) is not None:
            raise UserError(f"--{option}: {refused.reason}")
    if options.drop_port != BMV2_DROP_PORT:
        raise UserError(f"--drop-port {options.drop_port}: must be {BMV2_DROP_PORT}")
    if options.priority_queues < 1:
        raise UserError(f"--priority-queues {options.priority_queues}: must be at least 1")
    if options.cpu_port == 0:
        raise UserError(f"--cpu-port 0: must be 1 to {PORT_LIMIT - 1}")
    interfaces = tuple(options.interface)
    queues = min(options.priority_queues, MAX_QUEUES)
    link = f"queues={queues},qdisc=yes"
    links = tuple(f"{name.partition('@')[0]},{link}" for name in interfaces)
    settings = SwitchConfig(
        options.grpc_server_addr,
        options.device_id,
        options.cpu_port,
        port_configs(interfaces, links),
        None if options.no_p4 else options.program,
        tls=_tls(options),
        observation=_observation(options),
        as_bmv2=True,
        wait_for_interfaces=True,
        later_ports=LaterPorts(queues, through_qdisc=True),
        queue_depth_packets=_QUEUE_DEPTH_PACKETS,
        thrift=_thrift(name, options),
    )
    return settings, [*_remarks(options)]


def _thrift(name: str, options: argparse.Namespace) -> ThriftConfig | None:
    """Without a given port, BMv2's own. With TLS there is none, because Thrift would bypass TLS."""
    is_asked_for = options.thrift_port is not None or name == WITHOUT_P4RUNTIME
    notifications = options.notifications_addr
    if options.grpc_server_ssl and not is_asked_for:
        if notifications is not None:
            raise UserError("--notifications-addr with --grpc-server-ssl needs --thrift-port")
        return None
    return ThriftConfig(
        options.thrift_addr,
        _THRIFT_PORT if options.thrift_port is None else options.thrift_port,
        is_needed=is_asked_for or notifications is not None,
        notifications=notifications or _NOTIFICATIONS.format(options.device_id),
        notifications_are_needed=notifications is not None,
    )


def _remarks(options: argparse.Namespace) -> Iterator[str]:
    """The options that are ignored."""
    if options.no_p4 and options.program is not None:
        yield f"{options.program} is not loaded, because of --no-p4"
    if options.priority_queues > MAX_QUEUES:
        yield f"--priority-queues {options.priority_queues}: {MAX_QUEUES} serve all priorities"
    for name, option in NOT_SERVED.items():
        if _given(options, name) is not None:
            yield f"--{name} is ignored: {option.reason}"


def _integer(text: str) -> int:
    if not is_integer(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


class _Parser(argparse.ArgumentParser):
    """Refuses in one line."""

    def option(self, names: str, help: str, metavar: str | None = None, **more: Any) -> None:
        """An option, or an argument. names: with blanks between them."""
        shown: dict[str, Any] = {} if metavar is None else {"metavar": metavar}
        self.add_argument(*names.split(), help=help, **shown, **more)

    def error(self, message: str) -> NoReturn:
        raise UserError(message)


def _read(name: str, arguments: Sequence[str]) -> argparse.Namespace:
    words = list(arguments)
    for word in filter(_DASHES_AS_VALUE.fullmatch, words):
        raise UserError(f"argument {word}: -- is not a value")
    split = words.index("--") if "--" in words else len(words)
    options, unknown = bmv2_parser(name).parse_known_args(words[:split])
    _refuse(name, unknown)
    further = words[split + 1 :]
    if options.program is None and further and not further[0].startswith("-"):
        options.program = Path(further.pop(0))
    target_parser(name).parse_args(further, options)
    if options.program is None and options.pcap is not None and options.pcap.suffix == ".json":
        options.program, options.pcap = options.pcap, Path()
    if options.program is None and not options.no_p4:
        raise UserError("give PROGRAM.json, or --no-p4")
    return options


def _refuse(name: str, unknown: Sequence[str]) -> None:
    """Raises UserError for what is no option, or not before `--`."""
    if not unknown:
        return
    option = unknown[0].partition("=")[0]
    if option.startswith("--") and f"[{option}" in target_parser(name).format_usage():
        raise UserError(
            f"{option} must stand after --, as in: {name} ... PROGRAM.json -- {option} ..."
        )
    raise UserError(f"unrecognized arguments: {' '.join(unknown)}")


def is_option_of_bmv2(option: str) -> bool:
    """Whether BMv2 has an option that begins with two dashes."""
    parsers = (bmv2_parser(WITH_P4RUNTIME), target_parser(WITH_P4RUNTIME))
    return any(f"[{option}" in parser.format_usage() for parser in parsers)


def bmv2_parser(name: str) -> argparse.ArgumentParser:
    """What stands before `--`: the options of every BMv2 target."""
    parser = _Parser(
        name, description=__doc__, allow_abbrev=False, epilog=target_parser(name).format_usage()
    )
    add = parser.option
    add("program", "program compiled by p4c", "PROGRAM.json", nargs="?", type=Path)
    add(
        "-i --interface",
        "a Linux interface and its port number; repeat for several ports",
        "PORT@INTERFACE",
        action="append",
        default=[],
    )
    captures = "capture the frames of all ports in this folder"
    add("--pcap", captures, "DIR", nargs="?", type=Path, const=Path())
    add("--device-id", "P4Runtime device id [0]", "NUMBER", type=_integer, default=0)
    add("--no-p4", "start without a program", action="store_true")
    add("--log-console", "print what packets go through", action="store_true")
    add("--log-file", "write what packets go through to FILE.txt", "FILE")
    levels = "show messages of this level and above; only trace and debug show packets [trace]"
    add("-L --log-level", levels, choices=[*_LOG_LEVELS], default="trace")
    add("--log-flush", "no effect: each line is always written at once", action="store_true")
    version = f"{name} {metadata.version('p4abs-switch')}"
    add("-v --version", "print the version of this program", action="version", version=version)
    add(
        "--thrift-port",
        f"port of the Thrift server [{_THRIFT_PORT} if it is free]",
        "PORT",
        type=_integer,
    )
    add(
        "--thrift-addr",
        f"address of the Thrift server; 0.0.0.0: all addresses, as BMv2 [{_THRIFT_ADDRESS}]",
        "HOST",
        default=_THRIFT_ADDRESS,
    )
    add("--notifications-addr", "nanomsg address at which digests are published", "ADDRESS")
    newest = "print the newest version of BMv2's JSON that this program knows"
    add("--json-version", newest, action="version", version=JSON_VERSION)
    _add_unserved(parser, of_target=False)
    return parser


def target_parser(name: str) -> argparse.ArgumentParser:
    """What stands after `--`: the options of simple_switch_grpc, which are also simple_switch's."""
    parser = _Parser(f"{name} ... --", allow_abbrev=False)
    add, address = parser.option, _GRPC_ADDRESSES[name]
    add(
        "--grpc-server-addr",
        f"address of the P4Runtime server [{address}]",
        "HOST:PORT",
        default=address,
    )
    add("--grpc-server-ssl", "serve P4Runtime with TLS", action="store_true")
    client_ca = "the CA of clients' certificates, with --grpc-server-with-client-auth"
    add("--grpc-server-cacert", client_ca, "FILE.pem", type=Path)
    certificate = "the server's certificate and its chain to the CA"
    add("--grpc-server-cert", certificate, "FILE.pem", type=Path)
    add("--grpc-server-key", "the certificate's private key", "FILE.pem", type=Path)
    mutual = "accept only clients with a certificate (mutual TLS)"
    add("--grpc-server-with-client-auth", mutual, action="store_true")
    cpu_port = "the controller's port; without it no packets go to and from the controller"
    add("--cpu-port", cpu_port, "PORT", type=_integer)
    drop_port = f"only {BMV2_DROP_PORT} is possible"
    add("--drop-port", drop_port, "PORT", type=_integer, default=BMV2_DROP_PORT)
    queues = "number of priority queues of each port [1]"
    add("--priority-queues", queues, "NUMBER", type=_integer, default=1)
    swap = "no effect: controllers may always push another program"
    add("--enable-swap", swap, action="store_true")
    _add_unserved(parser, of_target=True)
    return parser


def _add_unserved(parser: "_Parser", *, of_target: bool) -> None:
    for name, option in (NOT_SERVED | REFUSED).items():
        about = f"{'refused' if name in REFUSED else 'ignored'}: {option.reason}"
        if option.of_target == of_target and option.is_flag:
            parser.option(f"--{name}", about, action="store_const", const=True)
        elif option.of_target == of_target:
            parser.option(f"--{name}", about, "VALUE")


def _given(options: argparse.Namespace, name: str) -> Any:
    """The value of an option; None where it is not given."""
    return getattr(options, name.replace("-", "_"))


def _tls(options: argparse.Namespace) -> TlsFiles | None:
    if not options.grpc_server_ssl:
        for name in _OF_TLS:
            if _given(options, name):
                raise UserError(f"--{name} needs --grpc-server-ssl: nothing would be encrypted")
        return None
    certificate, key = options.grpc_server_cert, options.grpc_server_key
    if certificate is None or key is None:
        raise UserError("--grpc-server-ssl needs --grpc-server-cert and --grpc-server-key")
    asks_clients = options.grpc_server_with_client_auth
    if asks_clients and options.grpc_server_cacert is None:
        raise UserError("--grpc-server-with-client-auth needs --grpc-server-cacert")
    return TlsFiles(certificate, key, options.grpc_server_cacert if asks_clients else None)


def _observation(options: argparse.Namespace) -> Observation:
    if options.log_console and options.log_file is not None:
        raise UserError("--log-console and --log-file exclude each other")
    trace = None
    if options.log_level in _TRACING:
        trace = "-" if options.log_console else options.log_file and f"{options.log_file}.txt"
    return Observation(trace, captures=options.pcap, captures_of_interfaces_only=True)


def _log_handlers(options: argparse.Namespace) -> Iterator[LogHandler]:
    """As in BMv2, messages of the program are shown only with a log. A log file without a trace
    has all messages."""
    has_log = options.log_console or options.log_file is not None
    handler = LogHandler()
    handler.addFilter(lambda record: has_log or record.name != PROGRAM_LOG.name)
    yield handler
    if options.log_file is not None and options.log_level not in _TRACING:
        path = f"{options.log_file}.txt"
        try:
            yield LogHandler(create_binary(Path(path)))
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}") from None


def _ready(name: str, switch: RunningSwitch) -> None:
    """The last line is BMv2's, for which labs wait."""
    sys.stdout.write(f"{name}: {switch.summary}\nServer listening on {switch.address}\n")
    sys.stdout.flush()


def _say(name: str, text: str) -> None:
    print(f"{name}: {one_line(text)}", file=sys.stderr)
