"""`p4abs control`."""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import closing
from os.path import realpath
from pathlib import Path
from typing import Any

import click

from p4abs.cli.control_run import Outputs, run_control
from p4abs.cli.exit_status import exit_status
from p4abs.cli.key_values import parse_key_values
from p4abs.cli.options import options, seconds
from p4abs.clock import MonotonicClock
from p4abs.config import Settings, Source, load_settings, read_toml
from p4abs.errors import P4absError, UserError, one_line
from p4abs.service import Log, LogFormat
from p4abs.session import Message, check_replicated, parse_replica
from p4abs.targets import Enforcement, TargetKind
from p4abs.telemetry import (
    SORTS,
    LiveView,
    PlainView,
    Selection,
    View,
    parse_metrics_address,
    parse_selection,
    web_access,
)

_PATH = click.Path(path_type=Path, dir_okay=False)

_CONNECTION = options(
    click.option(
        "--grpc-addr", metavar="HOST:PORT", help="The switch's P4Runtime server [127.0.0.1:9559]."
    ),
    click.option("--device-id", metavar="NUMBER", help="The switch's device id [1]."),
    click.option(
        "--election-id", metavar="NUMBER", help="The highest one controls the switch [1]."
    ),
    click.option(
        "--replica",
        metavar="NUMBER/COUNT",
        help="Which of several controllers with this configuration this one is, such as 1/2.",
    ),
    click.option("--tls-ca", metavar="FILE.pem", help="Connect with TLS: the CA of the switch."),
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
        help="An egress port to control; keys as in [[port]] of the configuration file.",
    ),
    click.option("--policy", metavar="NAME", help="The sizing policy of all ports [abs]."),
    click.option("--interval", metavar="DURATION", help="The control interval [20ms]."),
    click.option(
        "--push-pipeline",
        metavar="queue|shared_queue|virtual_queue|PATH",
        help="Push this program unless the switch runs it already.",
    ),
    click.option(
        "--register-path",
        metavar="auto|mailbox|register-entry",
        help="How to read and write registers [auto].",
    ),
    click.option(
        "--enforcement",
        metavar="|".join(Enforcement),
        help="How a Tofino's queues are held to their limits (docs/tofino.md) [virtual].",
    ),
    click.option("--memory", metavar="SIZE", help="What all queue limits together may not exceed."),
)
_WEB = options(
    click.option(
        "--web", metavar="127.0.0.1:PORT|[::1]:PORT", help="Serve a page there, for browsers."
    ),
    click.option(
        "--web-token", type=_PATH, metavar="FILE", help="Ask who wants the page for what it holds."
    ),
    click.option(
        "--web-certificate", type=_PATH, metavar="FILE.pem", help="Serve the page by TLS."
    ),
    click.option("--web-key", type=_PATH, metavar="FILE.pem", help="The certificate's key."),
)
_RUN = options(
    click.option(
        "--config",
        "config_path",
        type=_PATH,
        metavar="FILE.toml",
        help="Settings; flags override them.",
    ),
    click.option(
        "--samples",
        type=_PATH,
        metavar="FILE",
        help="Write every sample there, to a FILE.csv, FILE.jsonl or FILE.parquet.",
    ),
    click.option(
        "--summary", type=_PATH, metavar="FILE.json", help="Write the closing summary there."
    ),
    click.option(
        "--metrics",
        metavar="127.0.0.1:PORT|[::1]:PORT",
        help="Serve metrics there, for Prometheus.",
    ),
    click.option("--duration", metavar="SECONDS", help="Stop after this time [never]."),
    click.option("--sort", metavar="KEY", help=f"Order of the live view: {', '.join(SORTS)}."),
    click.option(
        "--filter",
        "words",
        metavar="WORDS",
        help="Ports of the live view: number, state, binding, policy; all words have to fit.",
    ),
    click.option("--quiet", is_flag=True, help="Show nothing but messages."),
    click.option(
        "--log",
        metavar="text|json",
        default=LogFormat.TEXT.value,
        show_default=True,
        help="How messages are written; json: a line of JSON each.",
    ),
)


@click.command()
@_CONNECTION
@_CONTROL
@_WEB
@_RUN
def control(
    ports: tuple[str, ...],
    policy: str | None,
    replica: str | None,
    config_path: Path | None,
    samples: Path | None,
    summary: Path | None,
    metrics: str | None,
    web: str | None,
    web_token: Path | None,
    web_certificate: Path | None,
    web_key: Path | None,
    duration: str | None,
    sort: str | None,
    words: str | None,
    quiet: bool,
    log: str,
    **switch_flags: str | None,
) -> int:
    """Size the buffers of switches' ports to their targets until interrupted."""
    given = {key: value for key, value in switch_flags.items() if value is not None}

    this_one = None if replica is None else parse_replica(replica)

    def load() -> Settings:
        settings = load_settings(
            Source() if config_path is None else read_toml(config_path),
            {key.replace("_", "-"): value for key, value in given.items()},
            [_port_flags(port) for port in ports],
            policy,
        )
        if this_one is not None:
            check_replicated(settings)
        return settings

    duration_s = None if duration is None else seconds("--duration", duration, above_zero=True)
    page = {"--web-token": web_token, "--web-certificate": web_certificate, "--web-key": web_key}
    _check_distinct({"--samples": samples, "--summary": summary}, {"--config": config_path, **page})
    outputs = Outputs(
        samples=samples,
        summary=summary,
        metrics=None if metrics is None else parse_metrics_address(metrics),
        web=web_access(web, web_token, web_certificate, web_key),
    )
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
        raise UserError(f"--port {text}: the port's number is what stands first")
    flags: dict[str, Any] = {"number": number}
    if "parameters" in values:
        raise UserError(f"--port {text}: parameters is a table: write parameters.NAME=NUMBER")
    for key, value in values.items():
        table, separator, parameter = key.partition(".")
        if separator and table == "parameters":
            flags.setdefault(table, {})[parameter] = value
        else:
            flags[key] = value
    return flags


def _check_distinct(written: Mapping[str, Path | None], read: Mapping[str, Path | None]) -> None:
    """A file that is read must not be written to, nor one for two purposes. Raises UserError."""
    options = {realpath(path): option for option, path in read.items() if path is not None}
    for option, path in written.items():
        if path is not None and (other := options.setdefault(realpath(path), option)) != option:
            raise UserError(f"{other} and {option} are the same file: {path}")


def _log_format(text: str) -> LogFormat:
    try:
        return LogFormat(text)
    except ValueError:
        raise UserError(f"--log: {text!r}: valid: {', '.join(LogFormat)}") from None


def _view(selection: Selection, quiet: bool, log_format: LogFormat, log: Log) -> View:
    is_terminal = sys.stdout.isatty() and sys.stderr.isatty()
    if is_terminal and not quiet and log_format is LogFormat.TEXT:
        return LiveView(selection=selection)
    return PlainView(MonotonicClock(), log, quiet)
