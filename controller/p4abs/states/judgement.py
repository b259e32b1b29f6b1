"""In which state ports are, second by second."""

import math
from dataclasses import dataclass, field, replace

from p4abs.columns import Columns, Flags, Floats, Ints, choose, exp, is_known, without
from p4abs.states.hysteresis import Miss, Often, Tolerance
from p4abs.states.second import Second
from p4abs.states.state import PortState
from p4abs.states.window import QUIET_S, Window

ACTIVITY_S = 5.0
"""Seconds with traffic fade with this time constant."""

USED_ABOVE, UNUSED_BELOW = 2.0, 0.5
"""Three seconds of traffic one after the other begin it, twelve without end it; a frame every few
seconds, as neighbors send, is none."""

HELD_S = 10.0
HELD = 0.5, 0.2
"""A bound counts as holding the limit from the first share of these seconds on, until it falls
below the second."""

UNREACHABLE_S = 120.0
UNREACHABLE = 0.2, 0.03
"""The same for targets that the policy calls unreachable. The policy retries again and again."""

FIRST_S = 5.0
"""A port may be on target after this time. To miss its target takes a window."""

FAINT = 0.1, 0.2
"""Shares of the loss allowed, below and above which a link begins and ceases to be uncongested."""

IDLING = 2.0, 1.2
"""How many times the allowed idle time such a link has."""

BUSY = 0.75
"""A lone flow loses little. Without any buffer its halved window still fills so much of the link
(Appenzeller et al. 2004, section 2): what drops anything beyond may lack a buffer."""

LOSS = Tolerance(minimum=0.2, most=3.0)
IDLE_TIME = Tolerance(minimum=0.5, most=2.0)
"""Idle time comes in lumps, sawtooth by sawtooth: no single window tells of too much of it."""

DWELL_S = 60.0
"""The time before a state may come back after it was left."""


@dataclass(frozen=True, slots=True, eq=False)
class Wanted(Columns):
    """The targets: a utilization and a loss rate."""

    utilization: Floats
    loss: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Judgement(Columns):
    """`state` is a `PortState` and `before` the one that it followed `age_s` ago.

    `loss` and `utilization` are of the last window; NaN: not known. `loses` and `idles`: the
    targets are missed; `is_calm`: nearly nothing is lost and the sources leave the link idle.
    """

    state: Ints = PortState.NO_TRAFFIC
    before: Ints = PortState.NO_TRAFFIC
    age_s: Floats = math.inf
    activity: Floats = 0.0
    window: Window = field(default_factory=Window)
    is_judged: Flags = False
    loss: Floats = math.nan
    utilization: Floats = math.nan
    loses: Miss = field(default_factory=Miss)
    idles: Miss = field(default_factory=Miss)
    is_calm: Flags = False
    by_memory: Often = field(default_factory=Often)
    by_max_delay: Often = field(default_factory=Often)
    by_max_limit: Often = field(default_factory=Often)
    by_others: Often = field(default_factory=Often)
    unreachable: Often = field(default_factory=Often)

    @property
    def is_used(self) -> Flags:
        """Whether there is traffic."""
        return self.state != PortState.NO_TRAFFIC

    def after(self, second: Second, wanted: Wanted) -> "Judgement":
        had_traffic = choose(second.offered_bytes > 0, 1.0, 0.0)
        activity = self.activity * exp(-second.passed_s / ACTIVITY_S) + had_traffic
        is_used = (activity > USED_ABOVE) | (self.is_used & (activity > UNUSED_BELOW))
        weight = 1 - exp(-second.length_s / HELD_S)
        slowly = 1 - exp(-second.length_s / UNREACHABLE_S)
        now = replace(
            self,
            age_s=self.age_s + second.passed_s,
            activity=activity,
            window=self.window.plus(second),
            by_memory=self.by_memory.after(second.by_memory, weight, HELD),
            by_max_delay=self.by_max_delay.after(second.by_max_delay, weight, HELD),
            by_max_limit=self.by_max_limit.after(second.by_max_limit, weight, HELD),
            by_others=self.by_others.after(second.by_others, weight, HELD),
            unreachable=self.unreachable.after(second.is_unreachable, slowly, UNREACHABLE),
        )
        now = now.changed(without(is_used, self.is_used), Judgement.begun_anew)
        now = now.changed(now.window.has_ended, Judgement._judged, wanted)
        is_early = without(now.window.length_s >= FIRST_S, now.is_judged)
        now = now.changed(is_early, Judgement._judged_early, wanted)
        return now._moved(choose(is_used, now._cause(), PortState.NO_TRAFFIC))

    def begun_anew(self) -> "Judgement":
        """Without what was judged before: traffic begins, or other targets are in force."""
        nothing = 0.0 * self.activity
        none = nothing > 0
        sums = nothing, nothing, nothing, nothing, nothing, nothing
        window = Window(*sums, nothing + QUIET_S)
        miss = Miss(nothing, none)
        return replace(self, window=window, is_judged=none, loses=miss, idles=miss, is_calm=none)

    def _judged(self, wanted: Wanted) -> "Judgement":
        """At the end of a window."""
        window = self.window
        loss, idle = window.loss / wanted.loss, window.idle_share / (1 - wanted.utilization)
        # A link without drops is not held back by its buffer, however much it idles.
        idle_by_buffer = choose(_is_congested(window, wanted, FAINT[0]), idle, 0.0)
        begins = without(idle > IDLING[0], _is_congested(window, wanted, FAINT[0]))
        idles_on = self.is_calm & (idle > IDLING[1])
        goes_on = without(idles_on, _is_congested(window, wanted, FAINT[1]))
        return replace(
            self,
            window=window.next(),
            is_judged=window.length_s > 0,
            loss=window.loss,
            utilization=_utilization(window),
            loses=self.loses.after(loss, window.events, LOSS),
            idles=self.idles.after(idle_by_buffer, window.events, IDLE_TIME),
            is_calm=begins | goes_on,
        )

    def _judged_early(self, wanted: Wanted) -> "Judgement":
        """Some seconds after traffic began: on target, as far as is known."""
        window = self.window
        loss, idle = window.loss / wanted.loss, window.idle_share / (1 - wanted.utilization)
        is_calm = without(idle > IDLING[0], _is_congested(window, wanted, FAINT[0]))
        is_met = (loss <= 1) & ((idle <= 1) | is_calm)
        return replace(
            self,
            is_judged=is_met,
            loss=window.loss,
            utilization=_utilization(window),
            is_calm=is_calm,
        )

    def _cause(self) -> Ints:
        """The states of ports with traffic."""
        held: Ints = choose(
            self.loses.is_set,
            PortState.LOSS_ABOVE_TARGET,
            choose(
                self.unreachable.is_set,
                PortState.UNREACHABLE,
                PortState.UTILIZATION_BELOW_TARGET,
            ),
        )
        held = choose(self.by_max_limit.is_set, PortState.HELD_BY_MAX_LIMIT, held)
        held = choose(self.by_others.is_set, PortState.HELD_BY_OTHER_QUEUES, held)
        held = choose(self.by_max_delay.is_set, PortState.HELD_BY_MAX_DELAY, held)
        held = choose(self.by_memory.is_set, PortState.HELD_BY_MEMORY, held)
        met = choose(self.is_calm, PortState.NOT_CONGESTED, PortState.ON_TARGET)
        met = choose(self.loses.is_suspected | self.idles.is_suspected, self.state, met)
        cause = choose(self.loses.is_set | self.idles.is_set, held, met)
        is_measured = self.is_judged & is_known(self.utilization)
        is_measured &= cause != PortState.NO_TRAFFIC
        return choose(is_measured, cause, PortState.NOT_MEASURED)

    def _moved(self, state: Ints) -> "Judgement":
        """Moves ports to their state, except those that have left it less than a minute ago."""
        may = (state != self.before) | (self.age_s >= DWELL_S) | ~self.is_used
        return self.changed(may & (state != self.state), Judgement._in_state, state)

    def _in_state(self, state: Ints) -> "Judgement":
        return replace(self, state=state, before=self.state, age_s=0.0 * self.activity)


def _is_congested(window: Window, wanted: Wanted, share: float) -> Flags:
    """Whether at least this share of the allowed loss is lost, or anything on a busy link."""
    loses_anything = (window.events > 0) & (window.idle_share <= 1 - BUSY)
    return loses_anything | (window.loss >= share * wanted.loss)


def _utilization(window: Window) -> Floats:
    return choose(window.known_s > 0, 1 - window.idle_share, math.nan)
