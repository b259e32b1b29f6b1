"""The live table in the terminal."""

import asyncio
import atexit
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from queue import Empty, SimpleQueue
from select import select
from threading import Thread

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from p4abs.config import PortSettings
from p4abs.session import Message, PortControlState
from p4abs.telemetry.compact import compact_lines, switch_lines
from p4abs.telemetry.fleet import Fleet, WatchedSwitch
from p4abs.telemetry.keys import HELP, Asked, Keyboard
from p4abs.telemetry.listing import EVERYTHING, Listed, Selection, listed
from p4abs.telemetry.plain import text_line
from p4abs.telemetry.summary import Summary, percentile
from p4abs.telemetry.texts import figures, notes
from p4abs.telemetry.view import View
from p4abs.telemetry.web.releasing import Asked as Wanted
from p4abs.telemetry.web.releasing import Releasing
from p4abs.units import format_duration

INTERVAL_S = 0.25
_PAUSES_A_REDRAW = 9
_LINES_A_PORT = 3
# The time that a terminal that takes nothing has at the end.
_PATIENCE_S = 5.0
# Title, heading, frame, caption.
_OTHER_LINES = 9
# A narrower table would cut figures, and half a number would be a wrong number.
_MIN_TABLE_WIDTH = 120
# A title, a heading, a port, and what is left.
_MIN_LINES = 4
_COLUMNS = {
    "port\nstate": ("port", "name", "state"),
    "capacity\nmeasured": ("capacity", "measured"),
    "policy\nlong flows\nof all": ("policy", "long flows"),
    "utilization\ntarget\nidle": ("utilization", "utilization target", "idle"),
    "loss\ntarget\nmarked": ("loss", "loss target", "marked"),
    "limit\ndrain time": ("limit", "drain time"),
    "backlog\nmin\nmax": ("min backlog", "max backlog"),
    "queue delay\nRTT": ("queue delay", "round trip without queue"),
    "gains": ("gains",),
    "binding": ("binding",),
}
"""The figures that a cell has below each other, by the column's title."""


def _interrupt() -> None:
    """As Ctrl-C does."""
    os.kill(os.getpid(), signal.SIGINT)


class LiveView(View):
    """Redraws in a thread of its own, at most four times a second and a tenth of the time.

    A redraw takes about a millisecond a port, which no control loop should wait for. At the end, a
    terminal that takes nothing for `patience_s` is waited for no longer. Where `keyboard` is a
    terminal (None: standard input), keys choose what is shown; `end` is called where they ask for
    the end of control.
    """

    def __init__(
        self,
        console: Console | None = None,
        selection: Selection = EVERYTHING,
        patience_s: float = _PATIENCE_S,
        keyboard: Keyboard | None = None,
        end: Callable[[], None] = _interrupt,
    ) -> None:
        self._asked = Asked(selection)
        self._patience_s = patience_s
        self._keyboard = keyboard or Keyboard()
        self._end = end
        # Standard output is left alone: it may go to a file while the terminal shows tables.
        self._live = Live(console=console or _console(), auto_refresh=False, redirect_stdout=False)
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._said = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread: Thread | None = None
        self._running: asyncio.AbstractEventLoop | None = None

    def start(self, fleet: Fleet) -> None:
        with contextlib.suppress(RuntimeError):
            self._running = asyncio.get_running_loop()
        atexit.register(self._keyboard.give_back)
        self._thread = Thread(target=self._draw, args=(fleet,), name="view", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Gives the terminal back, the last tables stay, unless it takes nothing."""
        if self._thread is not None:
            self._put(None)
            self._thread.join(self._patience_s)
            self._keyboard.give_back()
            if not self._thread.is_alive():
                self._thread = None

    def announce(self, message: Message) -> None:
        """One line above the tables, which are redrawn: something has happened."""
        if self._thread is None or not self._thread.is_alive():
            self._print(str(message))
        else:
            self._put(str(message))

    def conclude(self, summary: Summary) -> None:
        """Writes the summary below the last tables."""
        if self._thread is None:
            for line in summary.lines:
                self._print(line)

    def _put(self, line: str | None) -> None:
        self._lines.put(line)
        os.eventfd_write(self._said, 1)

    def _draw(self, fleet: Fleet) -> None:
        try:
            # A terminal that is gone ends the view and nothing else.
            with contextlib.suppress(OSError), self._live:
                self._draw_until_stopped(fleet)
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            self._print(f"the live view has ended ({told}); control goes on")
        finally:
            self._keyboard.give_back()
            for line in filter(None, self._waiting_lines()):
                self._print(line)

    def _draw_until_stopped(self, fleet: Fleet) -> None:
        rest_s, ended = 0.0, False
        while not ended:
            self._wait(rest_s)
            for line in self._waiting_lines():
                if line is None:
                    ended = True
                else:
                    self._print(line)
            for key in self._keys():
                self._asked = self._asked.press(key)
                self._carry_out(fleet)
            begun_s = time.monotonic()
            size = self._live.console.size
            has_keys = bool(self._keyboard.descriptors()) and not ended
            shown = render(fleet, self._asked, size.height, size.width, has_keys)
            self._live.update(shown, refresh=True)
            rest_s = _PAUSES_A_REDRAW * (time.monotonic() - begun_s)

    def _carry_out(self, fleet: Fleet) -> None:
        """Carries out what the user has confirmed by keys."""
        order, self._asked = self._asked.order, replace(self._asked, order=None)
        if order == "end":
            self._end()
        elif order == "release":
            self._release(fleet)

    def _release(self, fleet: Fleet) -> None:
        """Releases the port that is shown, or takes it back; the switch itself says so."""
        called = self._asked.port or ""
        found = ports_called(called, fleet.switches.values())
        if self._running is None or len(found) != 1:
            which = "no switch has it" if not found else "press p and type SWITCH PORT"
            self._asked = replace(self._asked, remark=f"port {called}: {which}")
            return
        [(switch, port)] = found
        is_released = switch.controller.releases.state(port) is PortControlState.RELEASED
        wanted = Wanted(switch.name, port.words[0], is_released, "a key of the live view")
        doing = Releasing(fleet, self._running).carry_out(wanted)
        asyncio.run_coroutine_threadsafe(doing, self._running).add_done_callback(self._refused)

    def _refused(self, done: Future[str]) -> None:
        error = None if done.cancelled() else done.exception()
        if error is not None:
            self._put(str(error))

    def _wait(self, rest_s: float) -> None:
        """Waits for a line, for a key after `rest_s`, or for the end of the interval."""
        if select([self._said], [], [], rest_s)[0]:
            return
        select([self._said, *self._keyboard.descriptors()], [], [], max(0.0, INTERVAL_S - rest_s))

    def _keys(self) -> list[str]:
        return (
            self._keyboard.pressed() if select(self._keyboard.descriptors(), [], [], 0)[0] else []
        )

    def _waiting_lines(self) -> list[str | None]:
        """All that there are; None: no more will come."""
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._said)
        lines: list[str | None] = []
        with contextlib.suppress(Empty):
            while True:
                lines.append(self._lines.get_nowait())
        return lines

    def _print(self, line: str) -> None:
        with contextlib.suppress(OSError):
            self._live.console.print(line, markup=False, highlight=False)


def _console() -> Console:
    """Standard error, by a stream of its own: with Python's stream, the process would abort at its
    end if a thread waits in it.
    """
    error = sys.stderr
    return Console(
        file=os.fdopen(
            error.fileno(), "w", encoding=error.encoding, errors=error.errors, closefd=False
        )
    )


def render(
    fleet: Fleet, asked: Asked, height: int, width: int, has_keys: bool = False
) -> RenderableType:
    """What is asked for as of this moment, above a line that tells the keys where there are any."""
    if not has_keys:
        return _tables(fleet, asked, height, width)
    line = Text(asked.line, style="reverse", no_wrap=True, overflow="crop")
    if asked.shows_help:
        return Group(Text("\n".join(HELP), no_wrap=True, overflow="crop"), line)
    return Group(_tables(fleet, asked, height - 1, width), line)


def _tables(fleet: Fleet, asked: Asked, height: int, width: int) -> RenderableType:
    """A table for each switch.

    Where they do not fit into `width`, a port has a line. Where they do not fit into `height`, each
    switch has an equal share besides; with many switches, these have a line each.
    """
    switches = [*fleet.switches.values()]
    ports = {
        switch.name: [listed(port, switch) for port in switch.settings.port] for switch in switches
    }
    if asked.port is not None:
        return _one_port(asked.port, [(switch, ports[switch.name]) for switch in switches], width)
    needed = sum(_LINES_A_PORT * len(own) + _OTHER_LINES for own in ports.values())
    if needed <= height:
        shown = (asked.selection.of(ports[switch.name], "port") for switch in switches)
        if width >= _MIN_TABLE_WIDTH:
            return Group(*map(_table, switches, shown))
        return Group(*(_lines(*each, width) for each in zip(switches, shown, strict=True)))
    room = max(1, height - 1)
    share = room // len(switches)
    wanted = [(switch, asked.selection.of(ports[switch.name], "worst")) for switch in switches]
    if share < _MIN_LINES:
        lines = switch_lines([(_title(switch), own) for switch, own in wanted], room)
    else:
        folds = not (asked.shows_idle or asked.selection.words)
        lines = [
            line for switch, own in wanted for line in _compact(switch, own, folds, share, width)
        ]
    return Group(Text("\n".join(lines), no_wrap=True, overflow="crop"))


def _one_port(
    called: str, ports: Sequence[tuple[WatchedSwitch, Sequence[Listed]]], width: int
) -> RenderableType:
    """The port that is called so, of each switch that has it."""
    found = ports_called(called, [switch for switch, _ in ports])
    if found and width < _MIN_TABLE_WIDTH:
        texts = (
            f"{_title(switch)}\n{port.label}: {text_line(switch, port)}" for switch, port in found
        )
        return Text("\n".join(texts))
    wanted = {(switch.name, port.index) for switch, port in found}
    tables = [
        _table(switch, [each])
        for switch, own in ports
        for each in own
        if (switch.name, each.port.index) in wanted
    ]
    return Group(*tables) if tables else Text(f"port {called}: no switch has it; press p or Esc")


def _lines(switch: WatchedSwitch, shown: Sequence[Listed], width: int) -> RenderableType:
    """A line for each port, and below them what there is to say of some."""
    ports = _compact(switch, shown, False, len(shown) + 2, width)
    return Group(
        Text("\n".join(ports), no_wrap=True, overflow="crop"), *map(Text, _remarks(switch, shown))
    )


def _compact(
    switch: WatchedSwitch, ports: Sequence[Listed], folds: bool, height: int, width: int
) -> list[str]:
    """A title with how the loop is, as far as there is room for it, and the ports.

    folds: whether those without traffic share a line where not all have one of their own.
    """
    title = _title(switch)
    for text in _loop_texts(switch):
        if len(title) + len(text) + 2 <= width:
            title += f", {text}"
    folds = folds and len(ports) + 2 > height
    idle = [each for each in ports if folds and each.is_idle]
    busy = [each for each in ports if not (folds and each.is_idle)]
    return [title, *compact_lines(busy, idle, height - 1, width)]


def _table(switch: WatchedSwitch, shown: Sequence[Listed]) -> Table:
    # As they are: in brackets are addresses, and no styles.
    title = Text(_title(switch), "table.title")
    table = Table(*_COLUMNS, title=title, caption=Text(_caption(switch, shown), "table.caption"))
    for each in shown:
        table.add_row(*_row(each))
    return table


def _title(switch: WatchedSwitch) -> str:
    controller = switch.controller
    path = f", {controller.register_path}" if controller.register_path else ""
    return f"{switch.name}: {controller.state}{path}"


def _caption(switch: WatchedSwitch, shown: Sequence[Listed]) -> str:
    return "\n".join([*_remarks(switch, shown), ", ".join(_loop_texts(switch))]).rstrip("\n")


def _remarks(switch: WatchedSwitch, shown: Sequence[Listed]) -> list[str]:
    return [
        f"{each.port.label}: {text}"
        for each in shown
        for text in (*notes(switch, each.port), each.remark)
        if text
    ]


def _loop_texts(switch: WatchedSwitch) -> list[str]:
    loop = switch.controller.loop
    if loop is None:
        return []
    exchange_s = percentile(loop.statistics.recent_exchanges_s(), 50)
    shown = "unknown" if exchange_s is None else format_duration(exchange_s)
    return [
        f"missed intervals {loop.statistics.missed_deadlines}",
        f"lost exchanges {loop.statistics.lost_exchanges}",
        f"exchange {shown}",
    ]


def _row(each: Listed) -> list[str]:
    told = figures(each)
    return [
        "\n".join(text for name in names if (text := told.get(name))) for names in _COLUMNS.values()
    ]


def ports_called(
    text: str, switches: Iterable[WatchedSwitch]
) -> list[tuple[WatchedSwitch, PortSettings]]:
    """Those whose number or name it is, `2` or `Ethernet4`; of one switch alone: `leaf-1 2`; of one
    queue alone: `2.7`."""
    name, _, called = text.strip().rpartition(" ")
    return [
        (switch, port)
        for switch in switches
        if name.strip() in ("", switch.name)
        for port in switch.settings.port
        if called in (str(port.number), port.name, *port.words)
    ]
