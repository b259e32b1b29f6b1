"""The policy `p4bs`: the limit that minimizes loss and queueing delay, by Bayesian optimization.

Kfoury et al., "P4BS: Leveraging passive measurements from P4 switches to dynamically modify a
router's buffer size", IEEE TNSM, February 2024. This project knows only its abstract, and not its
objective and weights. Abstract and slides say what is measured: the number of long flows, their
round-trip times, loss and queueing delay. Bayesian optimization with Gaussian processes searches
for the buffer that minimizes loss and delay together. All numbers, and the algorithm below, are
from the first author's published code (github.com/ekfoury/p4bs-bo, 2023). None of that code is
copied.

    F(b) = w p / 5 % + (1 - w) d / 200 ms,    w = 0.5,    p the loss, d the queueing delay

    the link is not full (98 %):   b := 20 ms of drain time
    it is full, or F has changed:  search again, over candidates 1.5 ms apart
      p <= 0.25 %                    from S = R C / sqrt(N) to R C
      p >= 3 %                       from R C to 100 ms
      otherwise                      from S to the first of 2 R C, 4 R C, ... with p <= 0.25 %
      the first trial is the smallest candidate; each further trial is the candidate with the
      largest expected improvement; a trial settles for 1 to 3.5 s, longer if b is larger, and
      is then measured for 0.5 s;
      the search ends after four trials, or when the expected improvement is below 0.001
    then b := the best trial

The rest is this project's choice. N and R are parameters. Loss is counted, not estimated from
retransmissions. d follows from the mean of minimum and maximum backlog. If these are not measured,
d is that of a full queue. The length scale of the Gaussian process stays at 7 ms; scikit-learn
would fit it. The rule computes F and utilization every second. All trials stay within the port's
bounds. The rule has no targets.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from p4abs.measurements import Interval
from p4abs.policies.bounds import Bounds
from p4abs.policies.policy import Binding, Decision, Targets
from p4abs.policies.port_by_port import AlonePolicy
from p4abs.policies.ranges import require_at_least_one, require_fraction, require_positive

from p4abs_experiments.p4bs.measurement import Measurement, Recent
from p4abs_experiments.p4bs.search import Search, Trial

FULL_LINK = 0.98
LITTLE_LOSS, MUCH_LOSS = 0.0025, 0.03

_DEFAULT_SHARE = 0.1
"""Of the longest limit: 20 ms of 200 ms."""
_MUCH_LOSS_SHARE = 0.5

_LOOK_S = 1.0
_WIDENING_SETTLE_S = 0.5
_TRIAL_S = 0.5
_SHORTEST_SETTLE_S, _LONGEST_SETTLE_S = 1.0, 3.5
_SHORTEST_SETTLE_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Waiting:
    """For a full link."""


@dataclass(frozen=True, slots=True)
class Widening:
    """The range that a search will have, until little is lost."""


@dataclass(frozen=True, slots=True)
class Trying:
    """A trial under way."""

    search: Search


@dataclass(frozen=True, slots=True)
class Keeping:
    """The best trial, until the traffic changes."""

    recent: Recent


Phase = Waiting | Widening | Trying | Keeping


@dataclass(frozen=True, slots=True)
class P4bsState:
    """The limit in bytes, the share of the longest that is wanted, why, and what is measured."""

    limit_bytes: int
    wanted_share: float
    phase: Phase
    measurement: Measurement


@dataclass(frozen=True, slots=True)
class P4bs(AlonePolicy[P4bsState]):
    """`n_flows` is N, `mean_rtt_s` is R, `loss_weight` is w, `most_trials` bounds the trials of a
    search.

    `highest_loss` replaces the 5 % in F, and `longest_delay_s` replaces the 200 ms. No limit with a
    longer delay is tried. All other drain times above scale with `longest_delay_s`.
    """

    name: ClassVar[str] = "p4bs"

    capacity_bps: float
    targets: Targets
    n_flows: float
    mean_rtt_s: float
    loss_weight: float = 0.5
    highest_loss: float = 0.05
    longest_delay_s: float = 0.2
    most_trials: float = 4

    def __post_init__(self) -> None:
        Bounds.of(self.capacity_bps, self.targets)
        require_at_least_one(self, "n_flows", "most_trials")
        require_positive(self, "mean_rtt_s", "highest_loss", "longest_delay_s")
        require_fraction(self, "loss_weight")

    def objective(self, loss: float, delay_s: float) -> float:
        delay = delay_s / self.longest_delay_s
        return self.loss_weight * loss / self.highest_loss + (1 - self.loss_weight) * delay

    def start(self, limit_bytes: int) -> P4bsState:
        """The present limit, which the first step moves to the default's."""
        limit = Bounds.of(self.capacity_bps, self.targets).begun(limit_bytes)
        return P4bsState(limit, _DEFAULT_SHARE, Waiting(), Measurement(settle_s=0.0))

    def step(
        self, state: P4bsState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[P4bsState, Decision]:
        """Adds the interval to what is measured; at its end comes the next phase."""
        measurement = state.measurement.extended(interval, self.capacity_bps, state.limit_bytes)
        phase, share = state.phase, state.wanted_share
        if measurement.lasted(_LOOK_S if isinstance(phase, Waiting | Keeping) else _TRIAL_S):
            phase, share = self._next(state, measurement)
            measurement = Measurement(_settle_s(phase, share))
        bounds = Bounds.of(self.capacity_bps, self.targets).tightened(
            state.limit_bytes, memory_left_bytes
        )
        limit_bytes, binding = bounds.applied(share * self._longest_bytes, Binding.FIXED)
        after = P4bsState(limit_bytes, share, phase, measurement)
        return after, Decision(limit_bytes, binding, {})

    @property
    def _longest_bytes(self) -> float:
        return self.capacity_bps / 8 * self.longest_delay_s

    @property
    def _pipe_share(self) -> float:
        return min(1.0, self.mean_rtt_s / self.longest_delay_s)

    def _next(self, state: P4bsState, measured: Measurement) -> tuple[Phase, float]:
        """The phase after a measurement, and the share that it wants."""
        share = state.wanted_share
        objective = self.objective(measured.loss, 8 * measured.backlog_bytes / self.capacity_bps)
        match state.phase:
            case Waiting():
                if measured.utilization <= FULL_LINK:
                    return state.phase, share
                return self._begun(measured.loss)
            case Widening():
                if measured.loss > LITTLE_LOSS and share < 1:
                    return state.phase, min(1.0, 2 * share)
                return self._searching(self._min_share, share)
            case Trying(search):
                trial = Trial(state.limit_bytes / self._longest_bytes, objective)
                return self._tried(search.after(trial))
            case Keeping(recent):
                if measured.utilization <= FULL_LINK:
                    return Waiting(), _DEFAULT_SHARE
                later = recent.after(objective)
                if recent.is_left_by(later):
                    return self._begun(measured.loss)
                return Keeping(later), share

    @property
    def _min_share(self) -> float:
        return self._pipe_share / math.sqrt(self.n_flows)

    def _begun(self, loss: float) -> tuple[Phase, float]:
        """A search, or the widening of its range before it, by the present loss."""
        if loss <= LITTLE_LOSS:
            return self._searching(self._min_share, self._pipe_share)
        if loss >= MUCH_LOSS:
            return self._searching(self._pipe_share, _MUCH_LOSS_SHARE)
        return Widening(), min(1.0, 2 * self._pipe_share)

    def _searching(self, minimum: float, maximum: float) -> tuple[Phase, float]:
        """A search between shares, within the port's bounds."""
        bounds = Bounds.of(self.capacity_bps, self.targets)
        lower, upper = (
            bounds.clamp(share * self._longest_bytes) / self._longest_bytes
            for share in (minimum, maximum)
        )
        search = Search.between(lower, upper)
        return Trying(search), search.candidates[0]

    def _tried(self, search: Search) -> tuple[Phase, float]:
        """The next trial, or the best one when the search has ended."""
        share = search.next_share() if len(search.trials) < self.most_trials else None
        if share is None:
            return Keeping(Recent()), search.best.share
        return Trying(search), share


def _settle_s(phase: Phase, share: float) -> float:
    """For how long nothing is measured."""
    match phase:
        case Widening():
            return _WIDENING_SETTLE_S
        case Trying():
            past = (share - _SHORTEST_SETTLE_SHARE) / (1 - _SHORTEST_SETTLE_SHARE)
            longer_s = _LONGEST_SETTLE_S - _SHORTEST_SETTLE_S
            return _SHORTEST_SETTLE_S + longer_s * min(max(past, 0.0), 1.0)
        case _:
            return 0.0
