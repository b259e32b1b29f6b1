"""Evidence of a change: errors that have had the same sign for longer than noise explains.

These are cumulative sums of logarithms of likelihood ratios (Page 1954). There are two kinds:

* Interval by interval. Between two drops errors only fall, and it is chance how long that takes.
  So an interval counts as no less noisy than independent events.
* From drop event to drop event, for a limit that is too large. Over whole events that chance
  cancels out: the sums have the spread that is measured over such sums (`errors`). If it is small,
  a smaller change shows, and sooner.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats, between, maximum, power, square

SHIFT = 1.0
"""An error of this share of the target counts as a change: twice the target is seen, or nothing."""

MIN_SHIFT = 0.5
DEVIATIONS = 1.5
"""Over whole drop events, an error of this many standard deviations of one event counts as a
change, if that is less than `SHIFT`. An error below `MIN_SHIFT`, half of the target, does not."""

MIN_SPREAD = 1.0
MIN_EVIDENCE, MAX_EVIDENCE = 3.0, 7.0
"""Logarithms of likelihood ratios. Below the first, 20 to 1, a change is only a suspicion. Evidence
beyond the second is not kept, so that a change is soon forgotten once the limit has followed it."""


def evidence(before: Floats, error: Floats, due: Floats, spread: Floats) -> Floats:
    """Evidence that errors are larger than 0, after one more error; `due` events were due in it."""
    likelihood = SHIFT * (error - SHIFT / 2 * due) / maximum(spread, MIN_SPREAD)
    return between(before + likelihood, 0.0, MAX_EVIDENCE)


@dataclass(frozen=True, slots=True, eq=False)
class WholeEvents(Columns):
    """`falling` is the evidence that the limit is too large. `error` and `due` are those of the
    drop event that goes on."""

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
        falling = between(self.falling + likelihood, 0.0, MAX_EVIDENCE)
        return WholeEvents(falling, nothing, nothing)
