"""The live table in the terminal."""

from rich.console import Console, RenderableType
from rich.live import Live
from rich.table import Table

from p4abs.clock import Clock
from p4abs.config import PortSettings
from p4abs.telemetry.port_meter import PortMeter
from p4abs.telemetry.summary import Summary, percentile
from p4abs.telemetry.view import Watched
from p4abs.units import format_duration, format_rate, format_size

INTERVAL_S = 0.25
_COLUMNS = (
    "port",
    "capacity",
    "policy",
    "utilization (target)",
    "loss (target)",
    "limit",
    "drain time",
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
    loop = watched.controller.loop
    if loop is None:
        return ""
    exchange_s = percentile(loop.statistics.recent_exchanges_s(), 50)
    shown = "unknown" if exchange_s is None else format_duration(exchange_s)
    return (
        f"missed deadlines {loop.statistics.missed_deadlines}, "
        f"lost exchanges {loop.statistics.lost_exchanges}, exchange {shown}"
    )


def _row(port: PortSettings, meter: PortMeter) -> tuple[str, ...]:
    head = (str(port.number), format_rate(port.capacity), port.policy)
    last = meter.last
    if last is None:
        return (*head, f"- ({port.utilization:.1%})", f"- ({port.loss:.2%})", *["-"] * 5)
    limit_bytes = last.decided_limit_bytes
    return (
        *head,
        f"{meter.utilization:.1%} ({port.utilization:.1%})",
        f"{meter.loss:.2%} ({port.loss:.2%})",
        format_size(limit_bytes),
        format_duration(8 * limit_bytes / port.capacity),
        format_duration(last.queue_delay_s),
        " ".join(f"{gain:.3g}" for gain in last.gains.values()),
        str(last.binding),
    )
