"""One target's errors, drop event by drop event: their typical size, and how irregular they are.

The typical size is the clock of a branch: at the target one event of this size falls due in just
as much time (utilization) or offered bytes (loss), whatever the sources, their round-trip times and
the rate are. It is a geometric mean, in which one outlier among eight events counts little. How
irregular sums over events are (Allan's variance: differences of neighbouring groups, which no
distance from the target disturbs) decides over how many of them a branch must average.
"""

from dataclasses import dataclass, replace

MEMORY_EVENTS = 8
"""Events of the geometric mean, and groups of the variance."""

SMALLEST_SHARE = 0.1
"""An event counts as at least this share of the typical one."""

GROUP_EVENTS = 4
"""Events in a group: neighbouring events of one source answer each other."""

LARGEST_SPREAD = 4.0
"""Most that a pair of groups may add to the variance."""

ASSUMED_GROUPS = 3
"""Weight of the variance 1, that of independent events, before any was seen."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Amounts are seconds or offered bytes, and so are errors.

    `nuisance` and `amount` are of the event under way (idle time or lost bytes, divided by what the
    target allows), `typical` is an event's size, `spread` the variance per event in its units.
    """

    nuisance: float = 0.0
    amount: float = 0.0
    typical: float = 0.0
    events: int = 0
    group_error: float = 0.0
    group_events: int = 0
    previous_group_error: float | None = None
    spread: float = 1.0
    groups: int = 0

    def after(self, amount: float, nuisance: float, unit: float, *, begins: bool) -> "Errors":
        """After an interval, in which a drop event may have begun; errors are in `unit`."""
        now = replace(
            self,
            nuisance=self.nuisance + nuisance,
            amount=self.amount + amount,
            group_error=self.group_error + (nuisance - amount) / unit,
        )
        return now._with_event() if begins else now

    def _with_event(self) -> "Errors":
        # Far below the optimum every event is larger than what is due until the next one.
        size = min(self.nuisance, self.amount)
        now = self
        if size > 0:
            events = min(self.events + 1, MEMORY_EVENTS)
            typical = self.typical or size
            growth = max(size / typical, SMALLEST_SHARE) ** (1 / events)
            now = replace(now, nuisance=0.0, typical=typical * growth, events=events)
        now = replace(now, amount=0.0, group_events=self.group_events + 1)
        return now if now.group_events < GROUP_EVENTS else now._with_group()

    def _with_group(self) -> "Errors":
        spread, groups = self.spread, self.groups
        if self.previous_group_error is not None:
            difference = self.group_error - self.previous_group_error
            seen = min(difference**2 / (2 * GROUP_EVENTS), LARGEST_SPREAD)
            groups = min(groups + 1, MEMORY_EVENTS)
            spread += (seen - spread) / (groups + ASSUMED_GROUPS)
        return replace(
            self,
            group_error=0.0,
            group_events=0,
            previous_group_error=self.group_error,
            spread=spread,
            groups=groups,
        )
