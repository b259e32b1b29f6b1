"""One line per port and second, for output that is no terminal."""

import sys
from collections.abc import Callable

import click

from p4abs import standard_streams
from p4abs.clock import Clock
from p4abs.config import PortSettings
from p4abs.session import Message
from p4abs.telemetry.fleet import Fleet, WatchedSwitch
from p4abs.telemetry.listing import listed
from p4abs.telemetry.summary import Summary
from p4abs.telemetry.texts import figures, notes
from p4abs.telemetry.view import View

INTERVAL_S = 1.0
# The time that a stopped reader has to take the summary.
_PATIENCE_S = 5.0
_FIGURES = (
    *("utilization", "idle", "loss", "marked", "long flows", "round trip without queue", "limit"),
    *("queue delay", "backlog", "capacity", "measured", "binding"),
)


class PlainView(View):
    """Writes to standard output unless quiet, and messages to a log.

    Where the output takes no more, control goes on without it; while it takes nothing, lines are
    left out.
    """

    def __init__(self, clock: Clock, log: Callable[[Message], None], quiet: bool = False) -> None:
        self._clock = clock
        self._log = log
        self._quiet = quiet
        self._next_s = 0.0
        self._fleet: Fleet | None = None
        self._is_stuck = False

    def start(self, fleet: Fleet) -> None:
        """Ready to write."""
        self._fleet = fleet

    def announce(self, message: Message) -> None:
        """One line in the log."""
        self._log(message)

    def tick(self, switch: WatchedSwitch) -> None:
        """Writes the lines of all switches when a second has passed since the last time."""
        if self._quiet or self._fleet is None or self._clock.now_s() < self._next_s:
            return
        self._next_s = self._clock.now_s() + INTERVAL_S
        for each in self._fleet.switches.values():
            for port in each.settings.port:
                self._write(f"{each.name}: {port.label}: {text_line(each, port)}")

    def conclude(self, summary: Summary) -> None:
        """Writes the summary to standard output unless quiet."""
        for line in summary.lines:
            self._write(line, 0.0 if self._is_stuck else _PATIENCE_S)

    def _write(self, line: str, patience_s: float = 0.0) -> None:
        if self._quiet:
            return
        if not standard_streams.accepts_line(sys.stdout, patience_s):
            if not self._is_stuck:
                text = "standard output: nobody reads it, lines are left out"
                self._log(Message(text, is_trouble=True))
            self._is_stuck = True
            return
        self._is_stuck = False
        try:
            click.echo(line)
        except OSError as error:
            self._quiet = True
            text = f"{standard_streams.close_output(error)}: nothing more is written there"
            self._log(Message(text, is_trouble=True))


def text_line(switch: WatchedSwitch, port: PortSettings) -> str:
    """The port's state, figures and agreements, in words."""
    each = listed(port, switch)
    state = f"{each.state.text} ({each.reason})" if each.reason else each.state.text
    if each.meter.last is None:
        return state
    told = figures(each)
    parts = [f"{name} {text}" for name in _FIGURES if (text := told[name])]
    return ", ".join([state, *parts, *notes(switch, port)])
