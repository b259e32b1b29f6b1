"""All switches and ports at a glance, as JSON that every viewer gets the same copy of."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from p4abs.agreements import Standing
from p4abs.config import PortSettings
from p4abs.policies import Binding
from p4abs.states import PortState
from p4abs.telemetry.fleet import WatchedSwitch
from p4abs.telemetry.summary import percentile
from p4abs.telemetry.unhurried import unhurried
from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.history import Point, known

# How old the copy may be that another viewer gets.
FRESH_S = 0.9
COLUMNS = (
    "port",
    "state",
    "reason",
    "offered_bps",
    "utilization",
    "utilization_target",
    "loss",
    "loss_target",
    "limit_bytes",
    "greatest_backlog_bytes",
    "queue_delay_s",
    "capacity_bps",
    "binding",
    "policy",
    "excess",
    "error_budget",
    "burn_rate",
    "name",
)


class FleetJson:
    """Made about once a second for all who ask, in pieces that let the loop run."""

    def __init__(self, board: Board, monotonic_s: Callable[[], float]) -> None:
        self._board = board
        self._monotonic_s = monotonic_s
        self._made_s = float("-inf")
        self._made = b""

    def get(self) -> bytes:
        """The present state."""
        if self._monotonic_s() - self._made_s >= FRESH_S:
            self._made = "".join(self._pieces()).encode()
            self._made_s = self._monotonic_s()
        return self._made

    def _pieces(self) -> Iterator[str]:
        now_s = self._board.now_s()
        heading = {
            "time_s": now_s,
            "columns": COLUMNS,
            "states": [state.text for state in PortState],
            "bindings": [binding.value for binding in Binding],
            "events": list(self._board.events),
        }
        yield json.dumps(heading)[:-1] + ', "switches": ['
        for index, (switch, records) in enumerate(self._board.switches.values()):
            yield ("" if index == 0 else ",") + json.dumps(_heading(switch))[:-1] + ', "ports": ['
            for number, port in enumerate(unhurried(switch.settings.port)):
                last = records.history.last(switch.meters[port.index].position)
                row = _row(switch, port, last)
                yield ("" if number == 0 else ",") + json.dumps(row)
            yield "]}"
        yield "]}"


def _heading(switch: WatchedSwitch) -> dict[str, Any]:
    controller, loop = switch.controller, switch.controller.loop
    heading: dict[str, Any] = {
        "name": switch.name,
        "state": str(controller.state),
        "is_in_control": switch.is_in_control,
        "register_path": controller.register_path,
        "reconnections": controller.reconnections,
    }
    if loop is not None:
        heading |= {
            "intervals": loop.statistics.ticks,
            "missed_deadlines": loop.statistics.missed_deadlines,
            "lost_exchanges": loop.statistics.lost_exchanges,
            "exchange_s": percentile(loop.statistics.recent_exchanges_s(), 50),
        }
    return heading


def _row(switch: WatchedSwitch, port: PortSettings, last: Point | None) -> list[Any]:
    """One port, in the order of COLUMNS."""
    meter = switch.meters[port.index]
    worst = meter.agreements.worst
    told = [port_key(port), switch.state(port.index), switch.reason(port.index)]
    if last is None:
        unknown = [None, None, port.utilization, None, port.loss, None, None, None]
        return [*told, *unknown, port.capacity, None, port.policy, 0, *_budget(worst), port.name]
    return [
        *told,
        _short(last.offered_bps),
        _short(last.utilization),
        port.utilization,
        _short(last.loss),
        port.loss,
        int(last.limit_bytes),
        known(last.greatest_backlog_bytes),
        _short(last.queue_delay_s),
        known(last.capacity_bps) or port.capacity,
        int(last.binding),
        port.policy,
        _short(switch.states.excess(meter.position)),
        *_budget(worst),
        port.name,
    ]


def port_key(port: PortSettings) -> int | str:
    """By which the page tells ports apart: the number, of one of several queues such as `2.7`."""
    return port.number if port.queue is None else port.words[0]


def _budget(worst: Standing | None) -> tuple[float | None, float | None]:
    """Error budget and burn rate."""
    return (None, None) if worst is None else (_short(worst.error_budget), _short(worst.burn_rate))


def _short(value: float) -> float | None:
    """With so many digits as a page shows."""
    value_or_none = known(value)
    return None if value_or_none is None else float(f"{value_or_none:.4g}")
