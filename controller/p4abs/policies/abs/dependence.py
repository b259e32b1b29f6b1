"""Whether idle time depends on the limit at all: only then can a larger buffer prevent it.

Two observations say that it does not. A link that idles on without a drop for much longer than its
sawteeth last is not held back by its buffer. And a limit that has doubled while idle time did not
clearly fall was raised in vain. Neither counts where idle time lies early between two drops:
windows that were cut leave the link idle first and then grow to fill it, while sources that idle by
themselves know nothing of the drop.

What a trial has found holds for some drop events, for twice as many each time that it returns, and
ends at once where the target comes within reach. What a time without drops tells holds for no
longer than the shortest of these, however often it returns: among short flows a drop is a matter of
chance, and a limit that has just been raised prevents the next ones, long before a long flow that
lost has grown to fill the link again.
"""

import math
from dataclasses import dataclass, field, replace

from p4abs.columns import Columns, Flags, Floats, choose, maximum, minimum, without

QUIET_SAWTEETH = 3.0
"""Lengths of a long sawtooth without a drop, after which an idling link is no bottleneck."""

LARGEST_GROWTH = 6.0
"""A sawtooth counts as at most so many times the longest one known: a night without traffic, or
what passed before the first drop, is none."""

FADING = 0.9
"""A long sawtooth is remembered as this share of itself after the next one."""

TRIAL_EVENTS = 8
"""Drop events over which idle time is measured."""

TRIAL_GROWTH = math.log(2)
"""What the logarithm of the limit must have gained for its effect to be judged."""

CLEAR_FALL = 0.8
"""Idle time has fallen clearly when the link, for as much busy time, idles less than this share of
what it did. Of a link that idles most of the time a fifth less idle time would ask for much more
than a fifth of traffic more, and a buffer that is far too small does not give it at once."""

EARLY = 0.9
"""Idle time lies early when its centroid is below this share of half the sawtooth: about 2/3 for
windows that grow evenly, 1 for idle time that knows nothing of the drop."""

EARLY_SO_FAR = 0.97
"""The same of a sawtooth under way: windows that grow evenly may have come a sixth of their way."""

RECOVERING = 2 / 9
"""Windows that grow evenly and have left the link idle until a time t after their drop reach a
buffer that would have spared it no sooner than 3 t after the drop. The centroid of the idle time,
t / 3, is then at this share of half the sawtooth."""

EXCUSED_TRIALS = 3
"""Trials that early idle time excuses one after the other: behind a buffer far smaller than a lone
source's window, the first doublings prevent little."""

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

    `length_s`, `idle_s` and `idle_moment_s2` are of the sawtooth under way, `sawtooth_s` is a long
    one's length, `trial` the idle time of the drop events since the last judgement, which found
    `reference_share` at the limit of `reference_level` (a logarithm); `excused` trials were.
    `is_quiet` tells that drops have ended; `hold_events` are left of a finding, `next_hold_events`
    the length of the next.
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
        """The share of the time that the sources idle; of meaning where `is_own`."""
        length_s = choose(self.is_quiet, self.length_s, 1.0)
        return choose(self.is_quiet, self.idle_s / length_s, self.reference_share)

    def lowest_level(self, level: Floats, duration_s: Floats) -> Floats:
        """Where a limit's logarithm may be after `duration_s` of a time without drops, or -inf.

        The limit falls no faster than that time grows, in proportion: windows may still recover,
        and how long they take nobody knows beforehand.
        """
        recovers = self.is_quiet & self.follows_a_drop
        length_s = choose(recovers, self.length_s, 1.0)
        return choose(recovers, level - duration_s / length_s, -math.inf)

    def recovers(self, allowed: Floats) -> Flags:
        """Whether windows that were cut have not grown far enough to show that the limit is large,
        however long the sawtooth under way has lasted; `allowed` as in `after`."""
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
        """Nothing is known but how long a sawtooth may take: an idling link without a drop is no
        bottleneck once it has taken so long, or at once if it never dropped anything."""
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

    def dropped(self, allowed: Floats, level: Floats, shortest_s: Floats) -> "Dependence":
        """After a drop event has begun."""
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
                # While a link stands still, time does not count; what drops then says nothing.
                self.trial.events + choose(self.length_s > 0, 1.0, 0.0),
            ),
            is_quiet=self.is_quiet & False,
            hold_events=maximum(self.hold_events - 1, 0.0),
        )
        now = now.changed(now.trial.events >= TRIAL_EVENTS, Dependence._judged, allowed, level)
        return now.changed(self.is_quiet, Dependence._found_by_quiet)

    def _judged(self, allowed: Floats, level: Floats) -> "Dependence":
        share = self.trial.share
        within_reach = share <= WITHIN_REACH * allowed
        has_grown = level >= self.reference_level + TRIAL_GROWTH
        settled = has_grown | within_reach
        tried = without(has_grown, within_reach)
        before = self.reference_share
        in_vain = tried & (share * (1 - before) >= CLEAR_FALL * before * (1 - share))
        excused = in_vain & self.trial.is_early & (self.excused < EXCUSED_TRIALS)
        # Above the reference, but not far enough, the trial goes on.
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
        return now.changed(without(in_vain, excused), Dependence._found_by_trial)

    def _found_by_quiet(self) -> "Dependence":
        events = minimum(self.next_hold_events, SHORTEST_HOLD_EVENTS)
        return replace(
            self,
            hold_events=maximum(self.hold_events, events),
            next_hold_events=maximum(self.next_hold_events, SHORTEST_HOLD_EVENTS),
        )

    def _found_by_trial(self) -> "Dependence":
        events = maximum(self.next_hold_events, SHORTEST_HOLD_EVENTS)
        longer = minimum(2 * events, LONGEST_HOLD_EVENTS)
        return replace(self, hold_events=events, next_hold_events=longer)
