"""One port with its curves, as JSON."""

import json
from collections.abc import Iterator
from typing import Any

from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.policies import Binding
from p4abs.states import PortState
from p4abs.telemetry.fleet import WatchedSwitch
from p4abs.telemetry.unhurried import unhurried
from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.history import Point


def port_json(
    board: Board, name: str, number: int, since_s: float, can_release: bool = False
) -> bytes:
    """A switch's port: its settings, how it stands, its points after `since_s`. Raises KeyError.

    `can_release`: this viewer may return it to its safe limit.
    """
    switch, records = board.switches[name]
    meter, history = switch.meters[number], records.history
    port = next(port for port in switch.settings.port if port.number == number)
    heading = {**_heading(switch, port, meter.last), "can_release": can_release}
    return "".join(_pieces(heading, history.since(meter.position, since_s))).encode()


def _pieces(heading: dict[str, Any], points: Iterator[Point]) -> Iterator[str]:
    yield json.dumps(heading)[:-1] + ', "points": ['
    for index, point in enumerate(unhurried(points)):
        yield ("" if index == 0 else ",") + _row(point)
    yield "]}"


def _row(point: Point) -> str:
    # Single precision has seven digits; nan is what is not known.
    values = ",".join(f"{value:.7g}" for value in point[1:])
    return f"[{point.time_s:.3f},{values.replace('nan', 'null')}]"


def _notice(switch: WatchedSwitch, port: PortSettings) -> str:
    """Why a port is not as it should be; empty: it is."""
    state, reason = switch.state(port.number), switch.reason(port.number)
    return f"{state.text}: {reason}" if reason and state <= PortState.NOT_MEASURED else ""


def _heading(switch: WatchedSwitch, port: PortSettings, sample: Sample | None) -> dict[str, Any]:
    meter = switch.meters[port.number]
    return {
        "switch": switch.name,
        "port": port.number,
        "name": port.name,
        "decided_limit_bytes": None if sample is None else sample.decided_limit_bytes,
        "control_state": str(switch.controller.releases.state(port)),
        "columns": Point._fields,
        "bindings": [binding.value for binding in Binding],
        "policy": port.policy,
        "capacity_bps": port.capacity,
        "utilization": port.utilization,
        "loss": port.loss,
        "max_delay_s": port.max_delay,
        "min_limit_bytes": port.min_limit,
        "ecn_marking": port.ecn_marking,
        "gains": {} if sample is None else dict(sample.gains),
        "state": switch.state(port.number),
        "states": [state.text for state in PortState],
        "notice": _notice(switch, port),
        "agreements": [
            {
                "name": terms.name,
                "terms": terms.text,
                "is_broken": standing.is_broken,
                "compliance": standing.compliance,
                "error_budget": standing.error_budget,
                "burn_rate": standing.burn_rate,
                "judged": standing.judged,
                "failed": standing.failed,
                "breaches": standing.breaches,
                "reason": standing.reason,
            }
            for terms, standing in meter.agreements.standings()
        ],
    }
