"""The live table in the terminal."""

import contextlib
import os
import sys
import time
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from threading import Thread

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.session import Message, limit_text
from p4abs.telemetry.compact import compact_lines, switch_lines
from p4abs.telemetry.fleet import Fleet, WatchedSwitch
from p4abs.telemetry.listing import EVERYTHING, Listed, Selection, listed
from p4abs.telemetry.port_meter import PortMeter
from p4abs.telemetry.summary import Summary, percentile
from p4abs.telemetry.texts import (
    UNKNOWN,
    backlog_texts,
    capacity_texts,
    duration_text,
    marked_texts,
    notes,
    percent_text,
)
from p4abs.telemetry.view import View
from p4abs.units import format_duration

INTERVAL_S = 0.25
_PAUSES_A_REDRAW = 9
_LINES_A_PORT = 3
# What a terminal that takes nothing gets at the end.
_PATIENCE_S = 5.0
# Title, heading, frame, caption.
_OTHER_LINES = 9
# A title, a heading, a port, and what is left.
_LEAST_LINES = 4
_COLUMNS = (
    "port",
    "capacity\nmeasured",
    "policy",
    "utilization\ntarget\nidle",
    "loss\ntarget\nmarked",
    "limit\ndrain time",
    "least\ngreatest\nbacklog",
    "queue delay",
    "gains",
    "binding",
)


class LiveView(View):
    """Redraws in a thread of its own, at most four times a second and a tenth of the time.

    A redraw takes about a millisecond a port, which no control loop should wait for. At the end, a
    terminal that takes nothing for `patience_s` is waited for no longer.
    """

    def __init__(
        self,
        console: Console | None = None,
        selection: Selection = EVERYTHING,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        self._selection = selection
        self._patience_s = patience_s
        # Standard output belongs to others: a file may take it while the terminal shows tables.
        self._live = Live(console=console or _console(), auto_refresh=False, redirect_stdout=False)
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._thread: Thread | None = None

    def start(self, fleet: Fleet) -> None:
        """Takes the terminal."""
        self._thread = Thread(target=self._draw, args=(fleet,), name="view", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Gives the terminal back, the last tables stay, unless it takes nothing."""
        if self._thread is not None:
            self._lines.put(None)
            self._thread.join(self._patience_s)
            if not self._thread.is_alive():
                self._thread = None

    def announce(self, message: Message) -> None:
        """One line above the tables, which are redrawn: something has happened."""
        if self._thread is None:
            self._print(str(message))
        else:
            self._lines.put(str(message))

    def conclude(self, summary: Summary) -> None:
        """Writes the summary below the last tables."""
        if self._thread is None:
            for line in summary.lines():
                self._print(line)

    def _draw(self, fleet: Fleet) -> None:
        # A terminal that is gone ends the view and nothing else.
        with contextlib.suppress(OSError), self._live:
            self._draw_until_stopped(fleet)

    def _draw_until_stopped(self, fleet: Fleet) -> None:
        pause_s, ended = 0.0, False
        while not ended:
            for line in self._waiting_lines(pause_s):
                if line is None:
                    ended = True
                else:
                    self._print(line)
            begun_s = time.monotonic()
            size = self._live.console.size
            shown = render(fleet, self._selection, size.height, size.width)
            self._live.update(shown, refresh=True)
            pause_s = max(INTERVAL_S, _PAUSES_A_REDRAW * (time.monotonic() - begun_s))

    def _waiting_lines(self, wait_s: float) -> list[str | None]:
        """All that there are, after waiting for the first; None: no more will come."""
        lines: list[str | None] = []
        with contextlib.suppress(Empty):
            lines.append(self._lines.get(timeout=wait_s))
            while True:
                lines.append(self._lines.get_nowait())
        return lines

    def _print(self, line: str) -> None:
        with contextlib.suppress(OSError):
            self._live.console.print(line, markup=False, highlight=False)


def _console() -> Console:
    """Standard error, by a stream of its own.

    A thread that waits within Python's makes the process abort at its end.
    """
    error = sys.stderr
    return Console(
        file=os.fdopen(
            error.fileno(), "w", encoding=error.encoding, errors=error.errors, closefd=False
        )
    )


def render(fleet: Fleet, selection: Selection, height: int, width: int) -> RenderableType:
    """The tables of this moment, one for each switch.

    Where all of them do not fit into `height`, a port has a line, and each switch an equal share;
    with many switches, these have a line each.
    """
    switches, now_s = [*fleet.switches.values()], fleet.now_s()
    ports = {
        switch.name: [listed(port, switch, now_s) for port in switch.settings.port]
        for switch in switches
    }
    needed = sum(_LINES_A_PORT * len(own) + _OTHER_LINES for own in ports.values())
    if needed <= height:
        shown = (selection.of(ports[switch.name], "port") for switch in switches)
        return Group(*map(_table, switches, shown))
    room = max(1, height - 1)
    share = room // len(switches)
    wanted = [(switch, selection.of(ports[switch.name], "worst")) for switch in switches]
    if share < _LEAST_LINES:
        lines = switch_lines([(_title(switch), own) for switch, own in wanted], room)
    else:
        lines = [line for switch, own in wanted for line in _compact(switch, own, share, width)]
    return Group(Text("\n".join(lines), no_wrap=True, overflow="crop"))


def _compact(switch: WatchedSwitch, ports: Sequence[Listed], height: int, width: int) -> list[str]:
    """A title with how the loop is, as far as there is room for it, and the ports."""
    title = _title(switch)
    for text in _loop_texts(switch):
        if len(title) + len(text) + 2 <= width:
            title += f", {text}"
    return [title, *compact_lines(ports, height - 1, width)]


def _table(switch: WatchedSwitch, shown: Sequence[Listed]) -> Table:
    # As they are: in brackets are addresses, and no styles.
    title = Text(_title(switch), "table.title")
    table = Table(*_COLUMNS, title=title, caption=Text(_caption(switch, shown), "table.caption"))
    for each in shown:
        table.add_row(*_row(each.port, each.meter))
    return table


def _title(switch: WatchedSwitch) -> str:
    controller = switch.controller
    path = f", {controller.register_path}" if controller.register_path else ""
    return f"{switch.name}: {controller.state}{path}"


def _caption(switch: WatchedSwitch, shown: Sequence[Listed]) -> str:
    lines = [
        f"port {each.port.number}: {text}"
        for each in shown
        for text in notes(each.port, each.meter)
    ]
    return "\n".join([*lines, ", ".join(_loop_texts(switch))]).rstrip("\n")


def _loop_texts(switch: WatchedSwitch) -> list[str]:
    loop = switch.controller.loop
    if loop is None:
        return []
    exchange_s = percentile(loop.statistics.recent_exchanges_s(), 50)
    shown = "unknown" if exchange_s is None else format_duration(exchange_s)
    return [
        f"missed deadlines {loop.statistics.missed_deadlines}",
        f"lost exchanges {loop.statistics.lost_exchanges}",
        f"exchange {shown}",
    ]


def _row(port: PortSettings, meter: PortMeter) -> tuple[str, ...]:
    last = meter.last
    loss = UNKNOWN if last is None else f"{meter.recent.loss:.2%}"
    measured = (
        str(port.number),
        _lines(*capacity_texts(port, last)),
        port.policy,
        _lines(
            percent_text(meter.recent.utilization),
            f"{port.utilization:.1%}",
            percent_text(meter.recent.idle_share),
        ),
        _lines(loss, f"{port.loss:.2%}", *marked_texts(port, meter)),
    )
    if last is None:
        return (*measured, *[UNKNOWN] * 5)
    return (
        *measured,
        _lines(limit_text(last.decided_limit_bytes), duration_text(_drain_time_s(port, last))),
        _lines(*backlog_texts(last)),
        duration_text(last.queue_delay_s),
        " ".join(f"{gain:.3g}" for gain in last.gains.values()),
        str(last.binding),
    )


def _lines(*texts: str) -> str:
    return "\n".join(texts)


def _drain_time_s(port: PortSettings, last: Sample) -> float | None:
    """How long a queue that fills the limit takes to drain."""
    capacity_bps = last.measured_capacity_bps or port.capacity
    return None if capacity_bps is None else 8 * last.decided_limit_bytes / capacity_bps
