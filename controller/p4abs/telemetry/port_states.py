"""The states of a switch's ports, judged once a second; what is said when they change."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import ByPort, Floats, Positions
from p4abs.config import PortSettings
from p4abs.control import Samples
from p4abs.policies import Binding
from p4abs.policies.policy import BINDINGS, number_of
from p4abs.queues import ranges_of
from p4abs.session import Message
from p4abs.states import Judgement, PortState, Second, Wanted
from p4abs.telemetry.other_queues import OtherQueues
from p4abs.telemetry.port_meter import SwitchMeter
from p4abs.telemetry.sums import Sums, no_sums
from p4abs.units import format_rate

ABOVE = 1.1
"""A rate above the capacity by this share is not explained by clocks or by a frame at an interval's
end."""

LONG_ENOUGH_S = 10.0

PERIOD_S = 1.0
_SAID_BY_OTHERS = (PortState.AGREEMENT_BROKEN, PortState.HELD_BY_SAFE_LIMIT)
_NOBODY = np.zeros(0, np.intp)
_STATES = tuple(PortState)
# Time without control does not count for ports.
_LONGEST_S = 2.0
MAX_LINES = 4
"""Up to this many ports that enter the same state at once get a line each; more share one line."""
_MISSED = (
    PortState.LOSS_ABOVE_TARGET,
    PortState.UTILIZATION_BELOW_TARGET,
    PortState.HELD_BY_MEMORY,
    PortState.HELD_BY_MAX_DELAY,
    PortState.HELD_BY_MAX_LIMIT,
    PortState.HELD_BY_OTHER_QUEUES,
    PortState.UNREACHABLE,
)


class Overdriven(ByPort):
    """Says it once of each port. Where idle time is measured, no utilization is above 1."""

    _by_port = ("_above_s", "_is_said")

    def __init__(self, ports: int) -> None:
        self._above_s = np.zeros(ports)
        self._is_said = np.zeros(ports, np.bool_)

    def begin(self, ports: Positions) -> None:
        """Forgets what is known of these ports."""
        self._above_s[ports], self._is_said[ports] = 0.0, False

    def after(self, known_s: Floats, busy_s: Floats, ports: Sequence[PortSettings]) -> list[str]:
        """Lines after about a second, in which links were busy for so much of the known time."""
        is_above = busy_s > ABOVE * known_s
        self._above_s = np.where(is_above, self._above_s + known_s, 0.0)
        is_news = (self._above_s >= LONG_ENOUGH_S) & ~self._is_said
        self._is_said |= is_news
        return [
            f"{ports[position].label}: utilization {busy_s[position] / known_s[position]:.0%} of "
            f"the capacity {format_rate(ports[position].capacity or 0)}: the link carries more "
            "than was declared; correct capacity"
            for position in np.flatnonzero(is_news).tolist()
        ]


class Change(NamedTuple):
    """A port has come from one state into another."""

    port: int
    label: str
    before: PortState
    state: PortState
    reason: str


class SwitchStates(ByPort):
    """Follows a switch's meter in the control loop's thread; others may read.

    `ports` have the positions that they have there. Nothing is said of those that have left.
    """

    _by_port = ("_judgement", "_overdriven", "_others", "_begun", "_held", "states", "_wanted")

    def __init__(self, ports: Sequence[PortSettings], meter: SwitchMeter) -> None:
        count = len(ports)
        self._meter = meter
        self._judgement = Judgement().over(count)
        self._overdriven = Overdriven(count)
        self._others = OtherQueues(ports)
        self._lines: list[str] = []
        self._begun = no_sums(count)
        self._held = np.zeros((len(BINDINGS), count), np.bool_)
        self._unreachable: dict[int, str] = {}
        self._last: Samples | None = None
        self._judged_s = float("-inf")
        self.states: NDArray[np.int64] = np.full(count, PortState.NO_TRAFFIC)
        """Of all ports while they are under control, as of the last second; replaced, never
        changed."""
        self._settings = tuple(ports)
        self._wanted = _wanted(self._settings)
        self._here: Collection[int] = {port.index for port in ports}

    def adopt(self, ports: Sequence[PortSettings], begun: Positions = _NOBODY) -> None:
        """These are the ports and the targets from now on; the meter has adopted them.

        Ports that have `begun`, and those for which targets are others, are judged anew.
        """
        known = {port.index for port in self._settings}
        new = [port for port in ports if port.index not in known]
        if new:
            self.join(SwitchStates(new, self._meter))
        settings = {port.index: port for port in ports}
        self._here = settings.keys()
        every = (*self._settings, *new)
        self._settings = tuple(settings.get(port.index, port) for port in every)
        self._others.adopt(self._settings)
        before, self._wanted = self._wanted, _wanted(self._settings)
        is_other = self._wanted.utilization != before.utilization
        is_other |= self._wanted.loss != before.loss
        self._judgement = self._judgement.changed(is_other, Judgement.begun_anew)
        if len(begun):
            self._begin(begun)

    def _begin(self, ports: Positions) -> None:
        self._judgement = self._judgement.put(ports, Judgement().over(len(ports)))
        self._overdriven.begin(ports)
        self._others.begin(ports)
        self._begun[:, ports], self._held[:, ports] = 0.0, False
        for position in ports.tolist():
            self._unreachable.pop(position, None)
        self.states = self.states.copy()
        self.states[ports] = PortState.NO_TRAFFIC

    def add(self, samples: Samples) -> None:
        """Takes samples that the meter has taken."""
        self._held[samples.steps.decisions.binding, self._meter.positions(samples)] = True
        self._last = samples

    def judge(self, now_s: float, released: Collection[int] = ()) -> list[Change]:
        """Judges the ports when a second has passed; returns lines about changes that are not
        reported elsewhere.

        `released` are the numbers of those that somebody has returned to their safe limits.
        """
        passed_s = now_s - self._judged_s
        if passed_s < PERIOD_S:
            return []
        self._judged_s = now_s
        self._judgement = self._judgement.after(self._second(passed_s), self._wanted)
        before, self.states = self.states, self._overlaid(released)
        changed = np.flatnonzero(self.states != before).tolist()
        return [
            Change(
                self._settings[position].index,
                self._settings[position].label,
                _STATES[before[position]],
                self.state(position),
                self.reason(position),
            )
            for position in changed
            if self._settings[position].index in self._here
            and self.state(position) not in _SAID_BY_OTHERS
        ]

    def take_lines(self) -> list[str]:
        """Further messages since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def state(self, position: int) -> PortState:
        """A port's while it is under control, by its position in the meter."""
        return _STATES[int(self.states[position])]

    def _overlaid(self, released: Collection[int]) -> NDArray[np.int64]:
        """The judged state, unless a more urgent one applies."""
        states: NDArray[np.int64] = self._judgement.state
        if released:
            held = [
                position for position, port in enumerate(self._settings) if port.index in released
            ]
            states = states.copy()
            states[held] = PortState.HELD_BY_SAFE_LIMIT
        is_broken = self._meter.agreement_figures[:, 0] > 0
        return np.where(is_broken, PortState.AGREEMENT_BROKEN, states)

    def reason(self, position: int) -> str:
        """By how much a port misses a target, and what else is known of why it is in its state;
        empty: nothing."""
        state, port, judged = self.state(position), self._settings[position], self._judgement
        loss, utilization = judged.loss[position].item(), judged.utilization[position].item()
        if state is PortState.NOT_MEASURED:
            last = self._meter.last(position)
            is_given = port.capacity or (last and last.measured_capacity_bps)
            if utilization != utilization and not is_given:
                return "capacity not yet measured: the limit stays as it is"
            return "not measured long enough yet"
        if state is PortState.NOT_CONGESTED:
            return f"the link is busy for {utilization:.0%} of the time"
        if state is PortState.UNREACHABLE and (words := self._unreachable.get(position)):
            return words
        if state is not PortState.ON_TARGET and state not in _MISSED:
            return ""
        measured = f"loss {loss:.2%}, target {_percent(port.loss)}"
        if utilization < port.utilization or state is PortState.ON_TARGET:
            measured += f"; utilization {utilization:.1%}, target {_percent(port.utilization)}"
        if state is PortState.ON_TARGET:
            is_missed = max(judged.loses.score[position], judged.idles.score[position]) > 0
            return measured + "; the state changes only if this lasts" * bool(is_missed)
        by_memory = self._meter.held_by(position) if state is PortState.HELD_BY_MEMORY else ""
        return "; ".join(filter(None, (by_memory, self._others.text(position), measured)))

    def excess(self, position: int) -> float:
        """How many times as much as allowed was lost in the last window; 0: not known."""
        loss: float = self._judgement.loss[position].item()
        return 0.0 if loss != loss else loss / self._wanted.loss[position].item()

    def _second(self, passed_s: float) -> Second:
        self._take_unreachable()
        totals = self._meter.totals.copy()
        done, self._begun = Sums.of([*(totals - self._begun)]), totals
        self._lines += self._overdriven.after(done.known_s, done.busy_s, self._settings)
        held, self._held = self._held, np.zeros_like(self._held)
        is_unreachable = np.zeros(len(self._settings), np.bool_)
        is_unreachable[[*self._unreachable]] = True
        self._others.follow(done)
        by_max_limit = held[number_of(Binding.MAX_LIMIT)]
        is_bound = by_max_limit | is_unreachable
        by_others = self._others.send_what_is_lost(self._wanted.loss, is_bound)
        return Second(
            np.full(len(self._settings), min(passed_s, _LONGEST_S)),
            done.duration_s,
            done.known_s,
            np.maximum(done.known_s - done.busy_s, 0.0),
            done.offered_bytes,
            done.dropped_bytes,
            held[number_of(Binding.MEMORY)],
            held[number_of(Binding.MAX_DELAY)],
            by_max_limit,
            by_others,
            is_unreachable,
        )

    def _take_unreachable(self) -> None:
        """Notes the targets that the policies found unreachable last."""
        samples, self._last = self._last, None
        if samples is None:
            return
        said = samples.steps.decisions.unreachable
        for row, position in enumerate(self._meter.positions(samples).tolist()):
            if words := said(row):
                self._unreachable[position] = words
            else:
                self._unreachable.pop(position, None)


def _wanted(ports: Sequence[PortSettings]) -> Wanted:
    utilization, loss = zip(*((port.utilization, port.loss) for port in ports), strict=True)
    return Wanted(np.array(utilization), np.array(loss))


def messages(switch: str, changes: Iterable[Change]) -> Iterator[Message]:
    """A line for each port with the reason, or for many that have come into one state."""
    by_state: dict[PortState, list[Change]] = defaultdict(list)
    for change in changes:
        by_state[change.state].append(change)
    for state, same in by_state.items():
        for line in _lines(state, same):
            yield Message(line, switch, is_trouble=state.is_trouble)


def _lines(state: PortState, changes: Sequence[Change]) -> Iterator[str]:
    if len(changes) > MAX_LINES:
        yield f"ports {', '.join(ranges_of([change.port for change in changes]))}: {state.text}"
        return
    for change in changes:
        why = f" ({change.reason})" if change.reason else ""
        yield f"{change.label}: {state.text}{why}, after {change.before.text}"


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"
