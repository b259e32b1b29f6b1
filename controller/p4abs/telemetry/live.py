"""The live table in the terminal."""

from rich.console import Console, RenderableType
from rich.live import Live
from rich.table import Table

from p4abs.clock import Clock
from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.telemetry.port_meter import PortMeter
from p4abs.telemetry.summary import Summary, percentile
from p4abs.telemetry.texts import (
    UNKNOWN,
    backlog_texts,
    capacity_texts,
    duration_text,
    limit_text,
    marked_texts,
    percent_text,
    remark,
)
from p4abs.telemetry.view import Watched
from p4abs.units import format_duration

INTERVAL_S = 0.25
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


class LiveView:
    """Redraws four times a second, right after a control interval's work, never during it."""

    def __init__(self, clock: Clock, console: Console | None = None) -> None:
        self._clock = clock
        self._live = Live(console=console or Console(stderr=True), auto_refresh=False)
        self._next_s = 0.0

    def start(self) -> None:
        """Takes the terminal."""
        self._live.start()

    def stop(self) -> None:
        """Gives the terminal back, the last table stays."""
        self._live.stop()

    def announce(self, line: str) -> None:
        """One line above the table."""
        self._live.console.print(line, markup=False, highlight=False)

    def update(self, watched: Watched, now: bool = False) -> None:
        """Redraws when a quarter of a second has passed since the last time, or `now`."""
        if self._clock.now_s() < self._next_s and not now:
            return
        self._next_s = self._clock.now_s() + INTERVAL_S
        self._live.update(render(watched), refresh=True)

    def conclude(self, summary: Summary) -> None:
        """Writes the summary below the last table."""
        for line in summary.lines():
            self.announce(line)


def render(watched: Watched) -> RenderableType:
    """The table of one moment."""
    table = Table(*_COLUMNS, title=_title(watched), caption=_caption(watched))
    for port in watched.settings.port:
        table.add_row(*_row(port, watched.meters[port.number]))
    return table


def _title(watched: Watched) -> str:
    controller = watched.controller
    path = f", {controller.register_path}" if controller.register_path else ""
    return f"{watched.settings.switch.grpc_addr}: {controller.state}{path}"


def _caption(watched: Watched) -> str:
    remarks = (
        (port.number, remark(port, watched.meters[port.number])) for port in watched.settings.port
    )
    lines = [f"port {number}: {text}" for number, text in remarks if text]
    return "\n".join([*lines, *_loop_texts(watched)])


def _loop_texts(watched: Watched) -> list[str]:
    loop = watched.controller.loop
    if loop is None:
        return []
    exchange_s = percentile(loop.statistics.recent_exchanges_s(), 50)
    shown = "unknown" if exchange_s is None else format_duration(exchange_s)
    return [
        f"missed deadlines {loop.statistics.missed_deadlines}, "
        f"lost exchanges {loop.statistics.lost_exchanges}, exchange {shown}"
    ]


def _row(port: PortSettings, meter: PortMeter) -> tuple[str, ...]:
    last = meter.last
    loss = UNKNOWN if last is None else f"{meter.loss:.2%}"
    measured = (
        str(port.number),
        _lines(*capacity_texts(port, last)),
        port.policy,
        _lines(
            percent_text(meter.utilization),
            f"{port.utilization:.1%}",
            percent_text(meter.idle_share),
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
