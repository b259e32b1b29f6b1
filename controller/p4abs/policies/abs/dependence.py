"""Whether idle time depends on the limit at all: only then can a larger buffer prevent it.

Two observations say that it does not. A link that idles on without a drop for much longer than its
sawteeth last is not held back by its buffer. And a limit that has doubled while idle time did not
clearly fall was raised in vain. Neither counts where idle time lies early between two drops:
windows that were cut leave the link idle first and then grow to fill it, while sources that idle by
themselves know nothing of the drop.

A finding holds for some drop events, for twice as many each time that it returns, and ends at
once where the target comes within reach.
"""

import math
from dataclasses import dataclass, replace

QUIET_SAWTEETH = 3.0
"""Lengths of a long sawtooth without a drop, after which an idling link is no bottleneck."""

FADING = 0.9
"""A long sawtooth is remembered as this share of itself after the next one."""

TRIAL_EVENTS = 8
"""Drop events over which idle time is measured."""

TRIAL_GROWTH = math.log(2)
"""What the logarithm of the limit must have gained for its effect to be judged."""

CLEAR_FALL = 0.8
"""Idle time has fallen clearly when it is below this share of what it was."""

EARLY, CLEARLY_EARLY = 0.9, 0.8
"""Idle time lies early when its centroid is below this share of half the sawtooth: about 2/3 for
windows that grow evenly, 1 for idle time that knows nothing of the drop. A
sawtooth that is still under way must show it more clearly."""

EXCUSED_TRIALS = 3
"""Trials that early idle time excuses one after the other: behind a buffer far smaller than a lone
source's window, the first doublings prevent little."""

WITHIN_REACH = 2.0
"""Idle time up to this many times what the target allows is no reason to give up."""

SHORTEST_HOLD_EVENTS, LONGEST_HOLD_EVENTS = 8, 1024


@dataclass(frozen=True, slots=True)
class IdleTime:
    """Idle time in a stretch of time, and the part of it that lay early between drops."""

    length_s: float = 0.0
    idle_s: float = 0.0
    early_s: float = 0.0
    events: int = 0

    @property
    def share(self) -> float:
        """The idle share of the time."""
        return self.idle_s / self.length_s if self.length_s else 0.0

    @property
    def is_early(self) -> bool:
        """Most of it lay early."""
        return 2 * self.early_s > self.idle_s


@dataclass(frozen=True, slots=True)
class Dependence:
    """What is known so far.

    `length_s`, `idle_s` and `idle_moment_s2` are of the sawtooth under way, `sawtooth_s` is a long
    one's length, `trial` the idle time of the drop events since the last judgement, which found
    `reference_share` at the limit of `reference_level` (a logarithm); `excused` trials were.
    `is_quiet` tells that drops have ended; `hold_events` are left of a finding, `next_hold_events`
    the length of the next.
    """

    length_s: float = 0.0
    idle_s: float = 0.0
    idle_moment_s2: float = 0.0
    sawtooth_s: float = 0.0
    trial: IdleTime = IdleTime()
    reference_level: float = math.inf
    reference_share: float = 0.0
    excused: int = 0
    is_quiet: bool = False
    hold_events: int = 0
    next_hold_events: int = 0

    @property
    def is_own(self) -> bool:
        """The idle time is the sources' own."""
        return self.is_quiet or self.hold_events > 0

    @property
    def idle_share(self) -> float:
        """The share of the time that they idle."""
        return self.idle_s / self.length_s if self.is_quiet else self.reference_share

    def _is_early(self, share: float) -> bool:
        return self.idle_moment_s2 < share * self.idle_s * self.length_s / 2

    def after(
        self, duration_s: float, idle_s: float, allowed: float, shortest_s: float
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
        waited = now.length_s > QUIET_SAWTEETH * max(now.sawtooth_s, shortest_s)
        idles = now.idle_s > allowed * now.length_s
        is_quiet = waited and idles and not now._is_early(CLEARLY_EARLY)
        if is_quiet and not self.is_quiet:
            return now._found(self.next_hold_events, is_quiet=True)
        return replace(now, is_quiet=is_quiet) if self.is_quiet else now

    def dropped(self, allowed: float, level: float) -> "Dependence":
        """After a drop event has begun."""
        early_s = self.idle_s if self._is_early(EARLY) else 0.0
        now = replace(
            self,
            length_s=0.0,
            idle_s=0.0,
            idle_moment_s2=0.0,
            sawtooth_s=max(self.length_s, FADING * self.sawtooth_s),
            trial=IdleTime(
                self.trial.length_s + self.length_s,
                self.trial.idle_s + self.idle_s,
                self.trial.early_s + early_s,
                self.trial.events + 1,
            ),
            is_quiet=False,
            hold_events=max(0, self.hold_events - 1),
        )
        return now if now.trial.events < TRIAL_EVENTS else now._judged(allowed, level)

    def _judged(self, allowed: float, level: float) -> "Dependence":
        trial = self.trial
        now = replace(self, trial=IdleTime())
        fresh = replace(now, reference_level=level, reference_share=trial.share, excused=0)
        if trial.share <= WITHIN_REACH * allowed:
            return replace(fresh, hold_events=0, next_hold_events=0)
        if level < self.reference_level + TRIAL_GROWTH:
            return replace(fresh, excused=self.excused) if level <= self.reference_level else now
        if trial.share < CLEAR_FALL * self.reference_share:
            return fresh
        if trial.is_early and self.excused < EXCUSED_TRIALS:
            return replace(fresh, excused=self.excused + 1)
        return fresh._found(max(self.next_hold_events, SHORTEST_HOLD_EVENTS), is_quiet=False)

    def _found(self, hold_events: int, *, is_quiet: bool) -> "Dependence":
        longer = min(max(2 * hold_events, SHORTEST_HOLD_EVENTS), LONGEST_HOLD_EVENTS)
        return replace(self, is_quiet=is_quiet, hold_events=hold_events, next_hold_events=longer)
