"""Whose idle time it is: that of sources which a drop has slowed down, or the sources' own.

A drop says that the link is a bottleneck, and the time since the drop before it is one *sawtooth*
of the sources' windows: they leave the link idle first and fill its queue later. So idle time waits
for the next drop to count, less the busy time beyond the target that has made up for it by then;
a busy time that exceeds it shrinks the buffer at once, as it needs no drop to prove it.

Without a drop for longer than a sawtooth lasts, the idle time is taken for the sources' own. How
long that is shows in where idle time lies between two drops: windows that grow leave it early,
sources that idle by themselves spread it evenly.
"""

import math
from dataclasses import dataclass, replace

EARLY = 0.8
"""Idle time lies early when its centroid is below this share of half the sawtooth: about 2/3 for
windows that grow evenly, 1 for idle time that knows nothing of the drop."""

LEAST_IDLE_SHARE = 0.01
"""Share of a sawtooth that must be idle to be judged."""

LONGEST_SAWTOOTH_S = 40.0

PATIENCE = 1.5
"""How much longer than the last sawtooth the next one may last."""

MEMORY_SAWTEETH = 3.0
"""Its own lengths after which a sawtooth that no other one has followed is forgotten."""


@dataclass(frozen=True, slots=True)
class Excess:
    """Idle time beyond the target (negative: busy time beyond it), in seconds.

    `counted_s` is what moves the buffer now, `observed_s` what the interval by itself says.
    """

    counted_s: float
    observed_s: float


@dataclass(frozen=True, slots=True)
class Idling:
    """The time since the last drop, and what was idle in it.

    `sawtooth_s` is the length of the last sawtooth longer than the shortest patience, 0 without
    one, and `sawtooth_age_s` the time since. `waiting_s` is excess idle time that waits for a
    drop, `late_s` what came after patience had ended. `idle_s` and `idle_moment_s2` are idle
    time and its first moment.
    """

    sawtooth_s: float = 0.0
    sawtooth_age_s: float = 0.0
    since_drop_s: float = math.inf
    waiting_s: float = 0.0
    late_s: float = 0.0
    idle_s: float = 0.0
    idle_moment_s2: float = 0.0

    @property
    def is_early(self) -> bool:
        """The idle time since the last drop lies early: windows have been growing."""
        even_s2 = self.idle_s * self.since_drop_s / 2
        return math.isfinite(even_s2) and self.idle_moment_s2 < EARLY * even_s2

    def after(
        self,
        duration_s: float,
        *,
        idle_s: float,
        missing_s: float,
        offered_s: float,
        dropped: bool,
        patience_s: float,
    ) -> tuple[Excess, "Idling"]:
        """After an interval with `idle_s` idle, `missing_s` of it (relative) beyond the target.

        `offered_s` is the drain time of what was offered, by which a link without drops counts
        as too busy; `patience_s` the shortest patience with idle time after a drop.
        """
        passed = self._passed(duration_s, idle_s)
        is_patient = passed.since_drop_s <= max(patience_s, PATIENCE * passed.sawtooth_s)
        if dropped:
            late_s = self.late_s if passed.is_early else 0.0
            counted_s = self.waiting_s + late_s + missing_s
            return Excess(counted_s, missing_s), passed._dropped(patience_s)
        if is_patient:
            balance_s = self.waiting_s + missing_s
            waiting = replace(passed, waiting_s=max(balance_s, 0.0))
            return Excess(min(balance_s, 0.0), missing_s), waiting
        unused_s = min(missing_s, -offered_s)
        return Excess(unused_s, unused_s), replace(passed, late_s=self.late_s + missing_s)

    def _passed(self, duration_s: float, idle_s: float) -> "Idling":
        middle_s = self.since_drop_s + duration_s / 2
        moment_s2 = idle_s * middle_s if math.isfinite(middle_s) else 0.0
        age_s = self.sawtooth_age_s + duration_s
        return replace(
            self,
            sawtooth_s=self.sawtooth_s if age_s < MEMORY_SAWTEETH * self.sawtooth_s else 0.0,
            sawtooth_age_s=age_s,
            since_drop_s=self.since_drop_s + duration_s,
            idle_s=self.idle_s + idle_s,
            idle_moment_s2=self.idle_moment_s2 + moment_s2,
        )

    def _dropped(self, shortest_s: float) -> "Idling":
        """With what a drop now says of the sources' sawtooth; it may say nothing."""
        length_s = self.since_drop_s
        if not shortest_s < length_s < math.inf or self.idle_s < LEAST_IDLE_SHARE * length_s:
            return Idling(
                sawtooth_s=self.sawtooth_s, sawtooth_age_s=self.sawtooth_age_s, since_drop_s=0.0
            )
        sawtooth_s = min(length_s, LONGEST_SAWTOOTH_S) if self.is_early else 0.0
        return Idling(sawtooth_s=sawtooth_s, since_drop_s=0.0)
