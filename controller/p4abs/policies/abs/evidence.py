"""Evidence of a change: errors that have had the same sign for longer than noise explains.

Cumulative sums of logarithms of likelihood ratios (Page 1954), interval by interval and, where a
limit is too large, from drop event to drop event as well. Between two drops errors only fall, and
how long that takes is chance: an interval's noise counts as no less than that of independent
events. Over whole drop events that cancels, and their sums are as regular as the spread says, which
is measured over such sums (`errors`): where it is small a smaller change shows, and sooner.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats, between, maximum, power, square

SHIFT = 1.0
"""The error, in shares of the target, that counts as a change: twice the target, or nothing."""

MIN_SHIFT = 0.5
DEVIATIONS = 1.5
"""Over whole drop events so many standard deviations of one count as a change, where that is less
than `SHIFT`; what is less than half of the target does not."""

MIN_SPREAD = 1.0
MIN_EVIDENCE, MOST_EVIDENCE = 3.0, 7.0
"""Logarithms of likelihood ratios. Below the one, 20 to 1, a change is a suspicion; what goes
beyond the other is not kept, so that a change is forgotten as soon as it has been followed."""


def evidence(before: Floats, error: Floats, due: Floats, spread: Floats) -> Floats:
    """That errors are larger than 0, after one more while so many events were due."""
    likelihood = SHIFT * (error - SHIFT / 2 * due) / maximum(spread, MIN_SPREAD)
    return between(before + likelihood, 0.0, MOST_EVIDENCE)


@dataclass(frozen=True, slots=True, eq=False)
class WholeEvents(Columns):
    """`falling` is the evidence of a limit too large; `error` and `due` are those of the drop
    event under way."""

    falling: Floats = 0.0
    error: Floats = 0.0
    due: Floats = 0.0

    def after(self, error: Floats, due: Floats, spread: Floats, begins: Flags) -> "WholeEvents":
        """After an interval, in which a drop event may have begun."""
        now = WholeEvents(self.falling, self.error + error, self.due + due)
        return now.changed(begins, WholeEvents._with_event, spread)

    def _with_event(self, spread: Floats) -> "WholeEvents":
        nothing = 0.0 * self.due
        deviation = power(spread, nothing + 0.5)
        shift = between(DEVIATIONS * deviation, MIN_SHIFT, SHIFT)
        likelihood = shift * (-self.error - shift / 2 * self.due)
        likelihood = likelihood / maximum(spread, square(shift))
        falling = between(self.falling + likelihood, 0.0, MOST_EVIDENCE)
        return WholeEvents(falling, nothing, nothing)
