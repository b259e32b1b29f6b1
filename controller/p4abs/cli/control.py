"""`p4abs control`."""

import asyncio
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from p4abs.cli.control_run import run_control
from p4abs.cli.exit_status import exit_status
from p4abs.cli.options import PATH, options, parse_key_values, seconds
from p4abs.cli.outputs import SAMPLES, SERVED, take_outputs
from p4abs.clock import MonotonicClock
from p4abs.config import PortMode, Settings, Source, load_settings, read_toml
from p4abs.errors import P4absError, UserError, one_line
from p4abs.service import Log, LogFormat
from p4abs.session import Message, check_replicated, parse_replica
from p4abs.targets import Enforcement, TargetKind
from p4abs.telemetry import (
    SORTS,
    PlainView,
    Selection,
    View,
    parse_selection,
)

# Terminals that cannot redraw what they show.
_WITHOUT_CURSOR = ("dumb", "unknown")
_CONNECTION = options(
    click.option(
        "--grpc-addr", metavar="HOST:PORT", help="The switch's P4Runtime server [127.0.0.1:9559]."
    ),
    click.option("--device-id", metavar="NUMBER", help="The switch's device id [1]."),
    click.option(
        "--election-id",
        metavar="NUMBER",
        help="The controller with the highest election id controls the switch [1].",
    ),
    click.option(
        "--role",
        metavar="NAME",
        help="The P4Runtime role [the default role]. Use buffer_control if another controller "
        "writes the forwarding tables.",
    ),
    click.option(
        "--replica",
        metavar="NUMBER/COUNT",
        help="Run as controller NUMBER of COUNT with the same configuration, such as 1/2. One of "
        "them controls a switch, and the others stand by.",
    ),
    click.option(
        "--tls-ca",
        metavar="FILE.pem",
        help="Connect with TLS. The file holds the CA that signed the switch's certificate.",
    ),
    click.option("--tls-certificate", metavar="FILE.pem", help="The controller's certificate."),
    click.option("--tls-key", metavar="FILE.pem", help="The certificate's private key."),
)
_CONTROL = options(
    click.option("--target", metavar="|".join(TargetKind), help="The kind of switch [bmv2]."),
    click.option(
        "--port",
        "ports",
        multiple=True,
        metavar="NUMBER[,capacity=RATE][,KEY=VALUE...]",
        help="An egress port to control, with keys as in [[port]] of the configuration file. "
        "Repeat for several ports.",
    ),
    click.option("--policy", metavar="NAME", help="The sizing policy of all ports [abs]."),
    click.option(
        "--observe",
        is_flag=True,
        help="Decide and show limits, but write none: mode = 'observe' for all ports.",
    ),
    click.option(
        "--interval",
        metavar="DURATION",
        help="How often the controller reads and writes the ports [20ms].",
    ),
    click.option(
        "--push-pipeline",
        metavar="queue|shared_queue|virtual_queue|PATH",
        help="Push this program, unless the switch already runs it. A push empties tables and "
        "registers.",
    ),
    click.option(
        "--register-path",
        metavar="auto|mailbox|register-entry",
        help="Read and write registers by packets (mailbox) or by P4Runtime's RegisterEntry "
        "[auto: the mailbox if it answers].",
    ),
    click.option(
        "--enforcement",
        metavar="|".join(Enforcement),
        help="Tofino only: what drops packets beyond a limit, see "
        "docs/how-to/control-a-tofino.md [virtual].",
    ),
    click.option(
        "--memory",
        metavar="SIZE",
        help="Size of the memory that all queues share. The sum of the limits does not exceed it.",
    ),
)
_RUN = options(
    click.option(
        "--config",
        "config_path",
        type=PATH,
        metavar="FILE.toml",
        help="Configuration file; options override it.",
    ),
    click.option("--duration", metavar="SECONDS", help="Stop after this time [never]."),
    click.option(
        "--sort",
        metavar="KEY",
        help=f"Order of ports in the live view: {', '.join(SORTS)} [worst].",
    ),
    click.option(
        "--filter",
        "words",
        metavar="WORDS",
        help="Show only ports that fit all these words. A word is the port's number, or part of "
        "its state, binding or policy [all ports].",
    ),
    click.option("--quiet", is_flag=True, help="Show messages only, no measurements."),
    click.option(
        "--log",
        metavar="text|json",
        default=LogFormat.TEXT.value,
        show_default=True,
        help="Format of messages on standard error: text, or one JSON object a line.",
    ),
)


class _Control(click.Command):
    """It says of a file, and of a port's keys after a space, where they belong."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Raises click.UsageError, or UserError with a hint."""
        context.allow_extra_args = True
        rest = super().parse_args(context, arguments)
        for word in rest:
            if "=" in word:
                raise UserError(f"{word}: no space may stand before it: --port NUMBER,{word}")
            raise UserError(f"{word}: a configuration file is given by --config {word}")
        return rest


@click.command(cls=_Control, short_help="Set the queue limits that meet the ports' targets.")
@_CONNECTION
@_CONTROL
@SAMPLES
@SERVED
@_RUN
def control(
    ports: tuple[str, ...],
    policy: str | None,
    observe: bool,
    replica: str | None,
    config_path: Path | None,
    duration: str | None,
    sort: str | None,
    words: str | None,
    quiet: bool,
    log: str,
    **flags: Any,
) -> int:
    """Find and set the smallest queue limits that meet the ports' targets, until interrupted.

    Needs --config FILE.toml, or at least one --port. Default values are in brackets. When it ends,
    it sets each controlled port to its safe limit.
    """
    outputs = take_outputs(flags, config_path)
    this_one = None if replica is None else parse_replica(replica)
    of_ports = [_port_flags(port) for port in ports]
    of_switches = {key.replace("_", "-"): flag for key, flag in flags.items() if flag is not None}
    observed = {"mode": PortMode.OBSERVE.value} if observe else {}
    of_all_ports = observed if policy is None else {**observed, "policy": policy}

    def load() -> Settings:
        settings = load_settings(
            Source() if config_path is None else read_toml(config_path),
            of_switches,
            # --observe holds for ports with flags of their own, too.
            [{**each, **observed} for each in of_ports],
            of_all_ports,
        )
        if this_one is not None:
            check_replicated(settings)
        return settings

    duration_s = None if duration is None else seconds("--duration", duration, above_zero=True)
    log_format, selection = _log_format(log), parse_selection(sort, words)
    with closing(Log(log_format)) as log_output:
        view = _view(selection, quiet, log_format, log_output)
        try:
            return asyncio.run(run_control(load, view, outputs, duration_s, this_one))
        except P4absError as error:
            if log_format is LogFormat.TEXT:
                raise
            view.announce(Message(one_line(str(error)), is_trouble=True))
            return exit_status(error)


def _port_flags(text: str) -> dict[str, Any]:
    number, values = parse_key_values("--port", text)
    if "number" in values:
        raise UserError(f"--port {text}: the port's number must come first, without number=")
    flags: dict[str, Any] = {"number": number}
    if "parameters" in values:
        raise UserError(f"--port {text}: parameters is a table; write parameters.NAME=NUMBER")
    for key, value in values.items():
        table, separator, parameter = key.partition(".")
        if separator and table == "parameters":
            flags.setdefault(table, {})[parameter] = value
        else:
            flags[key] = value
    return flags


def _log_format(text: str) -> LogFormat:
    try:
        return LogFormat(text)
    except ValueError:
        raise UserError(f"--log: {text!r}: valid: {', '.join(LogFormat)}") from None


def _view(selection: Selection, quiet: bool, log_format: LogFormat, log: Log) -> View:
    is_terminal = sys.stdout.isatty() and sys.stderr.isatty()
    is_terminal &= os.environ.get("TERM") not in _WITHOUT_CURSOR
    if is_terminal and not quiet and log_format is LogFormat.TEXT:
        from p4abs.telemetry.live import LiveView

        return LiveView(selection=selection)
    return PlainView(MonotonicClock(), log, quiet)
