"""How much evidence a port needs before its state changes."""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats, between, maximum, minimum, power, without

OF_AN_EVENT = 0.5
"""By how much of a target a window with one drop event may miss it; with more of them it shrinks as
the error of a mean."""

ENOUGH, MAX_KEPT = 0.6, 0.9
"""The score that shows a miss, and the highest score that is kept."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How much of a target chance may miss: at least `minimum` of it in a window, which counts as
    at most `most` times the target."""

    minimum: float
    most: float


@dataclass(frozen=True, slots=True, eq=False)
class Miss(Columns):
    """Whether a target is missed: a cumulative sum over windows of by how much (Page 1954).

    A large miss shows at once, a small one after several windows, and some windows on target tell
    that it has ended.
    """

    score: Floats = 0.0
    is_set: Flags = False

    def after(self, ratio: Floats, events: Floats, tolerance: Tolerance) -> "Miss":
        """After a window with so many times what the target allows, in so many drop events."""
        chance = OF_AN_EVENT / power(maximum(events, 1.0), 0.5 + 0.0 * events)
        excess = minimum(ratio, tolerance.most) - 1 - maximum(chance, tolerance.minimum)
        score = between(self.score + excess, 0.0, MAX_KEPT)
        return Miss(score, (score >= ENOUGH) | (self.is_set & (score > 0)))

    @property
    def is_suspected(self) -> Flags:
        """Whether more windows are needed."""
        return without(self.score > 0, self.is_set)


@dataclass(frozen=True, slots=True, eq=False)
class Often(Columns):
    """Whether something holds often: a fading share with two thresholds."""

    share: Floats = 0.0
    is_set: Flags = False

    def after(self, flags: Flags, weight: Floats, thresholds: tuple[float, float]) -> "Often":
        """The state after a second in which it held, or did not; `weight` is the weight of the
        second.

        It begins at the first threshold and ends below the second.
        """
        now = self.share + weight * (flags - self.share)
        begins_at, ends_below = thresholds
        return Often(now, (now >= begins_at) | (self.is_set & (now > ends_below)))
