"""One line per port and second, for output that is no terminal."""

import click

from p4abs.clock import Clock
from p4abs.config import PortSettings
from p4abs.telemetry.port_meter import PortMeter
from p4abs.telemetry.summary import Summary
from p4abs.telemetry.texts import (
    backlog_texts,
    capacity_texts,
    duration_text,
    limit_text,
    marked_texts,
    percent_text,
    remark,
)
from p4abs.telemetry.view import Watched

INTERVAL_S = 1.0


class PlainView:
    """Writes to standard output unless quiet, messages to standard error."""

    def __init__(self, clock: Clock, quiet: bool = False) -> None:
        self._clock = clock
        self._quiet = quiet
        self._next_s = 0.0

    def start(self) -> None:
        """Nothing to prepare."""

    def stop(self) -> None:
        """Nothing to clean up."""

    def announce(self, line: str) -> None:
        """One line on standard error."""
        click.echo(line, err=True)

    def update(self, watched: Watched, now: bool = False) -> None:
        """Writes when a second has passed since the last time."""
        if self._quiet or now or self._clock.now_s() < self._next_s:
            return
        self._next_s = self._clock.now_s() + INTERVAL_S
        for port in watched.settings.port:
            click.echo(_line(port, watched.meters[port.number]))

    def conclude(self, summary: Summary) -> None:
        """Writes the summary to standard output unless quiet."""
        if not self._quiet:
            click.echo("\n".join(summary.lines()))


def _line(port: PortSettings, meter: PortMeter) -> str:
    last = meter.last
    if last is None:
        return f"port {port.number}: no traffic yet"
    parts = [
        f"utilization {percent_text(meter.utilization)}",
        f"idle {percent_text(meter.idle_share)}",
        f"loss {meter.loss:.2%}",
        *(f"marked {text}" for text in marked_texts(port, meter)),
        f"limit {limit_text(last.decided_limit_bytes)}",
        f"queue delay {duration_text(last.queue_delay_s)}",
        f"backlog {' to '.join(backlog_texts(last))}",
        f"capacity {', measured '.join(capacity_texts(port, last))}",
        f"binding {last.binding}",
        remark(port, meter),
    ]
    return f"port {port.number}: {', '.join(part for part in parts if part)}"
