"""Whether idle time depends on the limit at all: only then can a larger buffer prevent it.

Two observations show that it does not:

* Quiet: the link idles without a drop for much longer than its sawteeth last. So its buffer does
  not hold it back.
* A trial: the limit has doubled, but idle time has not clearly fallen. So it was raised in vain.

Neither counts if idle time lies early between two drops. Windows that were cut leave the link idle
first and then grow to fill it. Sources that idle by themselves know nothing of the drop.

A trial's finding holds for eight drop events, and for twice as many each time that it returns. It
ends at once when the target comes within reach. A finding of quiet holds for eight drop events at
most, however often it returns. The reason: among short flows drops happen by chance, and a limit
that has just been raised prevents them, long before a long flow that lost packets has grown to fill
the link again.
"""

import math
from dataclasses import dataclass, field, replace

from p4abs.columns import Columns, Flags, Floats, choose, maximum, minimum, without

QUIET_SAWTEETH = 3.0
"""An idling link is no bottleneck after this many lengths of a long sawtooth without a drop."""

LARGEST_GROWTH = 6.0
"""A sawtooth counts as at most this many times the longest one known: a night without traffic, or
the time before the first drop, is no sawtooth."""

FADING = 0.9
"""A long sawtooth is remembered as this share of itself after the next one."""

TRIAL_EVENTS = 8
"""Drop events over which idle time is measured."""

TRIAL_GROWTH = math.log(2)
"""How much the logarithm of the limit must have grown before its effect is judged."""

CLEAR_FALL = 0.8
"""Idle time has clearly fallen if the link idles, per busy time, for less than this share of the
time before. Per busy time, because a fifth less idle time would need much more than a fifth more
traffic on a link that idles most of the time, and a buffer that is far too small does not give that
at once."""

EARLY = 0.9
"""Idle time lies early if its centroid is below this share of half the sawtooth. The share is about
2/3 for windows that grow evenly, and 1 for idle time that does not depend on the drop."""

EARLY_SO_FAR = 0.97
"""The same for a sawtooth that goes on: windows that grow evenly may have grown by a sixth of their
way."""

RECOVERING = 2 / 9
"""Windows that grow evenly and have left the link idle until a time t after their drop reach a
buffer that would have spared it no sooner than 3 t after the drop. The centroid of the idle time,
t / 3, is then at this share of half the sawtooth."""

EXCUSED_TRIALS = 3
"""So many trials in a row are excused if idle time lies early: when the buffer is far smaller than
the window of a single source, the first doublings prevent little."""

WITHIN_REACH = 2.0
"""Idle time up to this many times what the target allows is no reason to give up."""

SHORTEST_HOLD_EVENTS, LONGEST_HOLD_EVENTS = 8.0, 1024.0


@dataclass(frozen=True, slots=True, eq=False)
class IdleTime(Columns):
    """Idle time in a stretch of time, and the part of it that lay early between drops."""

    length_s: Floats = 0.0
    idle_s: Floats = 0.0
    early_s: Floats = 0.0
    events: Floats = 0.0

    @property
    def share(self) -> Floats:
        return self.idle_s / self.length_s

    @property
    def is_early(self) -> Flags:
        """Most of it lay early."""
        return 2 * self.early_s > self.idle_s


@dataclass(frozen=True, slots=True, eq=False)
class Dependence(Columns):
    """What is known so far.

    `length_s`, `idle_s` and `idle_moment_s2` (idle time, multiplied by when it was) are of the
    sawtooth that goes on; `sawtooth_s` is the length of a long sawtooth. `trial` is the idle time
    of the drop events since the last judgement. That judgement found the idle share
    `reference_share` at a limit with the logarithm `reference_level`; `excused` trials in a row
    were excused. `is_quiet`: drops have ended. A finding holds for `hold_events` more drop events,
    the next one for `next_hold_events`.
    """

    length_s: Floats = 0.0
    idle_s: Floats = 0.0
    idle_moment_s2: Floats = 0.0
    sawtooth_s: Floats = 0.0
    trial: IdleTime = field(default_factory=IdleTime)
    reference_level: Floats = math.inf
    reference_share: Floats = 0.0
    excused: Floats = 0.0
    is_quiet: Flags = False
    hold_events: Floats = 0.0
    next_hold_events: Floats = 0.0

    @property
    def is_own(self) -> Flags:
        """The idle time is the sources' own."""
        return self.is_quiet | (self.hold_events > 0)

    @property
    def idle_share(self) -> Floats:
        """The share of the time in which the sources idle; it has a meaning only where `is_own`."""
        length_s = choose(self.is_quiet, self.length_s, 1.0)
        return choose(self.is_quiet, self.idle_s / length_s, self.reference_share)

    def lowest_level(self, level: Floats, duration_s: Floats) -> Floats:
        """The lowest logarithm of the limit after `duration_s` more of quiet; otherwise -inf.

        The limit falls by no larger share than that by which the quiet time grows: windows may
        still recover, and nobody knows beforehand how long they take.
        """
        recovers = self.is_quiet & self.follows_a_drop
        length_s = choose(recovers, self.length_s, 1.0)
        return choose(recovers, level - duration_s / length_s, -math.inf)

    def recovers(self, allowed: Floats) -> Flags:
        """Whether windows that were cut may still grow, so that the limit cannot be called too
        large yet, however long the sawtooth has lasted; `allowed` as in `after`."""
        idles = self.idle_s > allowed * self.length_s
        has_grown = self._is_early(RECOVERING) | self.is_own
        return without(idles & self.follows_a_drop, has_grown)

    @property
    def follows_a_drop(self) -> Flags:
        """Windows that were never cut have nothing to recover from."""
        return self.sawtooth_s > 0

    def _is_early(self, share: Floats) -> Flags:
        return self.idle_moment_s2 < share * self.idle_s * self.length_s / 2

    def after(
        self, duration_s: Floats, idle_s: Floats, allowed: Floats, shortest_s: Floats
    ) -> "Dependence":
        """After an interval; `dropped` follows where a drop event began in it.

        `allowed` is the idle share that the target allows, `shortest_s` the shortest sawtooth.
        """
        middle_s = self.length_s + duration_s / 2
        now = replace(
            self,
            length_s=self.length_s + duration_s,
            idle_s=self.idle_s + idle_s,
            idle_moment_s2=self.idle_moment_s2 + idle_s * middle_s,
        )
        sawteeth = now.length_s / maximum(now.sawtooth_s, shortest_s)
        idles = now.idle_s > allowed * now.length_s
        is_early = now._is_early(EARLY_SO_FAR) & now.follows_a_drop
        is_quiet = without((sawteeth > QUIET_SAWTEETH) & idles, is_early)
        return now.changed(is_quiet != self.is_quiet, Dependence._with_quiet, is_quiet)

    def expecting(self, sawtooth_s: Floats) -> "Dependence":
        """Forgets everything but how long a sawtooth may take. An idling link is no bottleneck
        after so long without a drop, or at once if nothing was ever dropped."""
        nothing = 0.0 * sawtooth_s
        return replace(
            self,
            length_s=nothing,
            idle_s=nothing,
            idle_moment_s2=nothing,
            sawtooth_s=choose(self.follows_a_drop, sawtooth_s / QUIET_SAWTEETH, 0.0),
            trial=IdleTime(nothing, nothing, nothing, nothing),
            reference_level=nothing + math.inf,
            reference_share=nothing,
            excused=nothing,
            is_quiet=self.is_quiet & False,
            hold_events=nothing,
            next_hold_events=nothing,
        )

    def _with_quiet(self, is_quiet: Flags) -> "Dependence":
        return replace(self, is_quiet=is_quiet)

    def dropped(
        self, allowed: Floats, level: Floats, shortest_s: Floats, shares_link: Flags = False
    ) -> "Dependence":
        """After a drop event has begun. Of a queue that `shares_link` what a time without drops
        tells holds for longer each time that it returns, see `light_queue`."""
        nothing = 0.0 * self.length_s
        longest_s = LARGEST_GROWTH * maximum(self.sawtooth_s, shortest_s)
        now = replace(
            self,
            length_s=nothing,
            idle_s=nothing,
            idle_moment_s2=nothing,
            sawtooth_s=maximum(minimum(self.length_s, longest_s), FADING * self.sawtooth_s),
            trial=IdleTime(
                self.trial.length_s + self.length_s,
                self.trial.idle_s + self.idle_s,
                self.trial.early_s + choose(self._is_early(EARLY), self.idle_s, 0.0),
                # While a link stands still, no time counts, and drops say nothing.
                self.trial.events + choose(self.length_s > 0, 1.0, 0.0),
            ),
            is_quiet=self.is_quiet & False,
            hold_events=maximum(self.hold_events - 1, 0.0),
        )
        now = now.changed(now.trial.events >= TRIAL_EVENTS, Dependence._judged, allowed, level)
        now = now.changed(self.is_quiet & shares_link, Dependence._found_again)
        return now.changed(without(self.is_quiet, shares_link), Dependence._found_by_quiet)

    def of_others(self) -> "Dependence":
        """What was found held for other sources."""
        nothing = 0.0 * self.hold_events
        return replace(self, hold_events=nothing, next_hold_events=nothing)

    def _judged(self, allowed: Floats, level: Floats) -> "Dependence":
        share = self.trial.share
        within_reach = share <= WITHIN_REACH * allowed
        has_grown = level >= self.reference_level + TRIAL_GROWTH
        settled = has_grown | within_reach
        tried = without(has_grown, within_reach)
        before = self.reference_share
        in_vain = tried & (share * (1 - before) >= CLEAR_FALL * before * (1 - share))
        excused = in_vain & self.trial.is_early & (self.excused < EXCUSED_TRIALS)
        # If the limit is above the reference, but not far enough, the trial goes on.
        goes_on = without(level > self.reference_level, settled)
        nothing = 0.0 * share
        now = replace(
            self,
            trial=IdleTime(nothing, nothing, nothing, nothing),
            reference_level=choose(goes_on, self.reference_level, level),
            reference_share=choose(goes_on, self.reference_share, share),
            excused=choose(excused, self.excused + 1, choose(settled, 0.0, self.excused)),
            hold_events=choose(within_reach, 0.0, self.hold_events),
            next_hold_events=choose(within_reach, 0.0, self.next_hold_events),
        )
        return now.changed(without(in_vain, excused), Dependence._found_again)

    def _found_by_quiet(self) -> "Dependence":
        events = minimum(self.next_hold_events, SHORTEST_HOLD_EVENTS)
        return replace(
            self,
            hold_events=maximum(self.hold_events, events),
            next_hold_events=maximum(self.next_hold_events, SHORTEST_HOLD_EVENTS),
        )

    def _found_again(self) -> "Dependence":
        events = maximum(self.next_hold_events, SHORTEST_HOLD_EVENTS)
        longer = minimum(2 * events, LONGEST_HOLD_EVENTS)
        return replace(self, hold_events=events, next_hold_events=longer)
