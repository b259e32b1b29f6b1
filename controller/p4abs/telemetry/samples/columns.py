"""The columns of sample files: names, units and values, the same in all formats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Positions
from p4abs.config import PortSettings
from p4abs.control import Samples
from p4abs.measurements import COUNTERS, EXTREMES, UNKNOWN_BYTES, Measurement
from p4abs.p4_constants import PORT_COUNT
from p4abs.policies.policy import BINDINGS
from p4abs.states import PortState


class Told(NamedTuple):
    """A switch's samples of a control interval, with how the agreements stood after them.

    `positions` are the ports' rows in `agreements`, see `PortAgreements.figures`, and in `states`,
    which are numbers of `PortState`. `ports` are those of the switch, in any order.
    """

    switch: str
    samples: Samples
    positions: Positions
    agreements: NDArray[np.float64]
    states: NDArray[np.int64]
    ports: Sequence[PortSettings] = ()


class Kind(Enum):
    """What a column holds."""

    TEXT = "words"
    WHOLE = "whole numbers; UNKNOWN_BYTES or NaN: not known"
    NUMBER = "numbers; NaN: not known"


@dataclass(frozen=True)
class Column:
    """A value of each sample: an array, or a list of words; `decimals` are enough for people."""

    name: str
    kind: Kind
    about: str
    of: Callable[[Told], Any]
    decimals: int | None = None

    def known(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of the column's numbers are known."""
        is_known: NDArray[np.bool_]
        is_known = values != UNKNOWN_BYTES if values.dtype.kind == "i" else values == values
        return is_known


def _number(
    name: str, about: str, of: Callable[[Told], Any], decimals: int | None = None
) -> Column:
    return Column(name, Kind.NUMBER, about, lambda told: _each(told, of(told)), decimals)


def _whole(name: str, about: str, of: Callable[[Told], Any]) -> Column:
    return Column(name, Kind.WHOLE, about, lambda told: _each(told, of(told)))


def _text(name: str, about: str, of: Callable[[Told], Sequence[str]]) -> Column:
    return Column(name, Kind.TEXT, about, of)


# The next three take what samples, steps and intervals have under the column's name.


def _sampled(name: str, about: str) -> Column:
    return _number(name, about, lambda told: getattr(told.samples, name), 6)


def _stepped(name: str, about: str) -> Column:
    return _whole(name, about, lambda told: getattr(told.samples.steps, name))


def _measured(each: Measurement) -> Column:
    assert each.metric is not None
    about, name = each.metric.help, each.name
    return _whole(name, about, lambda told: getattr(told.samples.steps.intervals, name))


def _each(told: Told, values: Any) -> NDArray[Any]:
    """A value for each sample, also where one is of all."""
    return values if isinstance(values, np.ndarray) else np.full(len(told.samples), values)


def _gain(name: str, target: str, about: str) -> Column:
    return _number(name, about, lambda told: _decisions(told).gains.get(target, np.nan))


def _agreement(name: str, figure: int, about: str) -> Column:
    return _number(name, about, lambda told: told.agreements[told.positions, figure], 6)


def _decisions(told: Told) -> Any:
    return told.samples.steps.decisions


def _index(told: Told) -> NDArray[np.int64]:
    return np.array(told.samples.numbers)[told.samples.steps.ports]


def _setting(told: Told, of: Callable[[PortSettings], str]) -> list[str]:
    by_number = {port.index: of(port) for port in told.ports}
    numbers = told.samples.numbers
    return [by_number.get(numbers[port], "") for port in told.samples.steps.ports.tolist()]


_STATES = tuple(state.text for state in PortState)

COLUMNS = (
    _sampled(
        "time_s", "End of the interval by the controller's clock, in seconds since the Unix epoch."
    ),
    _text("switch", "The switch's name.", lambda told: [told.switch] * len(told.samples)),
    _whole("port", "The egress port.", lambda told: _index(told) % PORT_COUNT),
    _number(
        "interval_s",
        "Length of the interval by the switch's clock.",
        lambda told: told.samples.steps.intervals.duration_s,
    ),
    *map(_measured, COUNTERS),
    _number(
        "idle_s",
        "Time in which the link had nothing to send.",
        lambda told: told.samples.steps.intervals.idle_s,
        6,
    ),
    *map(_measured, EXTREMES),
    _stepped("measured_capacity_bps", "The link's capacity as measured."),
    _sampled(
        "utilization",
        "1 - idle_s / interval_s. If idle time is not measured: 8 departed_bytes / (capacity in "
        "bit/s * interval_s).",
    ),
    _sampled("loss", "dropped_bytes / (admitted_bytes + dropped_bytes); 0 when nothing arrived."),
    _stepped("limit_bytes", "The queue limit in force during the interval."),
    _stepped("occupancy_bytes", "Bytes in the queue at the end of the interval."),
    _sampled("queue_delay_s", "Time that the bytes in occupancy_bytes take to drain."),
    _whole(
        "decided_limit_bytes",
        "The limit that the policy decided at the end of the interval. While the port is "
        "observed or released, the switch does not get it.",
        lambda told: _decisions(told).limit_bytes,
    ),
    _text(
        "binding",
        "The target or bound that determined the decided limit.",
        lambda told: [BINDINGS[number].value for number in _decisions(told).binding.tolist()],
    ),
    _text(
        "state",
        "The port's state when it was last judged.",
        lambda told: [_STATES[number] for number in told.states[told.positions].tolist()],
    ),
    _text(
        "unreachable",
        "The target that no limit can meet, and why; empty if there is none.",
        lambda told: [*map(_decisions(told).unreachable, range(len(told.samples)))],
    ),
    _gain(
        "gain_utilization",
        "utilization",
        "How strongly the policy reacts to errors of utilization. Only policies with gains have "
        "it.",
    ),
    _gain("gain_loss", "loss", "The same for errors of loss."),
    _whole(
        "agreements_broken",
        "How many of the port's agreements are broken.",
        lambda told: told.agreements[told.positions, 0],
    ),
    _agreement(
        "agreement_compliance",
        1,
        "Share of the windows of the last period in which the agreement was kept. Windows that "
        "were not judged do not count.",
    ),
    _agreement(
        "agreement_error_budget",
        2,
        "Share of the error budget that is left. Below 0: more windows have failed than allowed.",
    ),
    _agreement(
        "agreement_burn_rate",
        3,
        "How fast the error budget is used; at 1 it lasts for exactly one period.",
    ),
    _sampled("lateness_s", "How late the control loop began the interval."),
    _sampled(
        "exchange_s",
        "Duration of the exchange that measured the row. It is the same for all ports of a switch.",
    ),
    _text(
        "name",
        "The port's name on the front panel; empty if it has none.",
        lambda told: _setting(told, lambda port: port.name or ""),
    ),
    _text(
        "mode",
        "`control`, or `observe` if nothing is written for the port.",
        lambda told: _setting(told, lambda port: port.mode),
    ),
    _whole(
        "queue",
        "The queue of the port; 0 if the port has only one.",
        lambda told: _index(told) // PORT_COUNT,
    ),
)
ABOUT = {column.name: column.about for column in COLUMNS}
NAMES = tuple(ABOUT)
