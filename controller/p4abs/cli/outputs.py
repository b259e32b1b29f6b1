"""What a run of `p4abs control` writes and serves besides its view, and the options for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os.path import realpath
from pathlib import Path
from typing import Any

import click

from p4abs.cli.options import PATH, options, seconds
from p4abs.errors import UserError
from p4abs.telemetry import Access, Rotation, metrics_access, web_access
from p4abs.units import UnitError, parse_size

_NAMES = (
    *("samples", "samples_max_size", "samples_rotate", "samples_keep", "summary"),
    *("metrics", "metrics_token", "metrics_certificate", "metrics_key"),
    *("web", "web_token", "web_certificate", "web_key"),
)
_READ = tuple(
    f"{served}_{file}" for served in ("metrics", "web") for file in ("token", "certificate", "key")
)

_MIN_SIZE_BYTES = 2**20
_MIN_PERIOD_S = 60.0

SAMPLES = options(
    click.option(
        "--samples",
        type=PATH,
        metavar="FILE",
        help="Write a row for each port and interval: to FILE.csv, FILE.jsonl or FILE.parquet.",
    ),
    click.option(
        "--samples-max-size",
        metavar="SIZE",
        help="Start a new file of samples at this size, such as 1GB [never].",
    ),
    click.option(
        "--samples-rotate",
        metavar="DURATION",
        help="Start a new file of samples at each multiple of this time since midnight UTC, such "
        "as 1h or 1d [never].",
    ),
    click.option(
        "--samples-keep",
        metavar="NUMBER",
        help="How many older files of samples to keep [all].",
    ),
    click.option(
        "--summary",
        type=PATH,
        metavar="FILE.json",
        help="Write means and totals of each port at the end.",
    ),
)


def _served(name: str, what: str, whom: str, client: str) -> tuple[Callable[..., Any], ...]:
    """The options of what is served at an address."""
    address = f"Serve {what}{whom} at this address."
    token = f"File with the token that {client} must present."
    pem: dict[str, Any] = {"metavar": "FILE.pem", "type": PATH}
    return (
        click.option(f"--{name}", metavar="ADDRESS:PORT", help=address),
        click.option(f"--{name}-token", type=PATH, metavar="FILE", help=token),
        click.option(f"--{name}-certificate", help=f"Serve {what} with TLS.", **pem),
        click.option(f"--{name}-key", help="The certificate's key.", **pem),
    )


SERVED = options(
    *_served("metrics", "metrics", " for Prometheus", "Prometheus"),
    *_served("web", "the web page", "", "browsers"),
)


@dataclass(frozen=True)
class Outputs:
    """Where a run writes and serves what it measures, besides its view; None: nowhere."""

    samples: Path | None = None
    rotation: Rotation = field(default_factory=Rotation)
    summary: Path | None = None
    metrics: Access | None = None
    web: Access | None = None


def take_outputs(flags: dict[str, Any], config: Path | None) -> Outputs:
    """Takes the options above out of the command's. Raises UserError."""
    given = {name: flags.pop(name) for name in _NAMES}
    written = {name: given[name] for name in ("samples", "summary")}
    for_metrics, for_web = _READ[:3], _READ[3:]
    _check_distinct(written, {"config": config, **{name: given[name] for name in _READ}})
    return Outputs(
        samples=given["samples"],
        rotation=_rotation(given),
        summary=given["summary"],
        metrics=metrics_access(given["metrics"], *(given[name] for name in for_metrics)),
        web=web_access(given["web"], *(given[name] for name in for_web)),
    )


def _rotation(given: Mapping[str, str | None]) -> Rotation:
    size, period, keep = (given[f"samples_{name}"] for name in ("max_size", "rotate", "keep"))
    if given["samples"] is None and (size or period or keep):
        raise UserError("--samples-max-size, --samples-rotate and --samples-keep need --samples")
    if keep is not None and size is None and period is None:
        raise UserError("--samples-keep needs --samples-max-size or --samples-rotate")
    return Rotation(
        max_size_bytes=None if size is None else _max_size_bytes(size),
        period_s=None if period is None else _period_s(period),
        keep=None if keep is None else _number_to_keep(keep),
    )


def _max_size_bytes(text: str) -> int:
    try:
        size_bytes = parse_size(text)
    except UnitError as error:
        raise UserError(f"--samples-max-size: {error}") from None
    if size_bytes < _MIN_SIZE_BYTES:
        raise UserError(f"--samples-max-size: {text}: the minimum is 1MiB")
    return size_bytes


def _period_s(text: str) -> float:
    period_s = seconds("--samples-rotate", text, above_zero=True)
    if period_s < _MIN_PERIOD_S:
        raise UserError(f"--samples-rotate: {text}: the minimum is 1min")
    return period_s


def _number_to_keep(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 6 and int(text) > 0):
        raise UserError(f"--samples-keep: {text!r}: valid: 1 to 999999")
    return int(text)


def _check_distinct(written: Mapping[str, Path | None], read: Mapping[str, Path | None]) -> None:
    """No output may be a file that is read, or the file of another output. Raises UserError."""
    names = {realpath(path): name for name, path in read.items() if path is not None}
    for name, path in written.items():
        if path is not None and (other := names.setdefault(realpath(path), name)) != name:
            raise UserError(
                f"{_option(other)} and {_option(name)} are the same file, {path}; give another one"
            )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
