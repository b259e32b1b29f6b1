"""What rows say of the targets that were asked for: one criterion for `abs` and for its rivals.

A target is a bound. It is met where idle time, or loss, is at most TOLERANCE more than it allows,
missed where that can be excluded, and undecided where the bound lies within the 95 % confidence
interval. What a policy pays for keeping its bounds is its buffer, in multiples of the static
optimum. Rows are all that is needed, so recorded tables can be judged again at any time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from p4abs_experiments.experiment.estimate import Estimate, in_words
from p4abs_experiments.experiment.goal import (
    LARGEST_RATIO,
    TOLERANCE,
    Goal,
    Verdict,
    at_most,
    over_cells,
    together,
)
from p4abs_experiments.experiment.row import LOSS_ONLY, OPTIMUM, OURS, Row

BELOW = 0.95
"""Of the static optimum: a limit that is less than this is smaller than any that stays."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A row that is held against its targets."""

    row: Row

    @property
    def idle(self) -> Estimate:
        """Idle time in multiples of what the target allows."""
        allowed = 1 - (self.row.target_utilization or 0.0)
        used = Estimate(self.row.utilization, self.row.utilization_ci)
        return Estimate(1 - used.mean, used.half_width).over(allowed)

    @property
    def loss(self) -> Estimate:
        """Loss in multiples of its target."""
        return Estimate(self.row.loss, self.row.loss_ci).over(self.row.target_loss or 1.0)

    @property
    def bounds(self) -> dict[str, Estimate]:
        """What must not exceed 1, by name."""
        loss = {"loss": self.loss}
        return loss if self.row.judged_by == LOSS_ONLY else {"idle time": self.idle} | loss

    @property
    def target(self) -> Verdict:
        return together(at_most(each, 1 + TOLERANCE) for each in self.bounds.values())

    @property
    def ratio(self) -> Estimate | None:
        """Mean limit over static optimum; None without an optimum."""
        return None if self.row.ratio is None else Estimate(self.row.ratio, self.row.ratio_ci)

    @property
    def price(self) -> Verdict | None:
        """Whether the mean limit is small enough; None without an optimum."""
        return None if self.ratio is None else at_most(self.ratio, LARGEST_RATIO)

    @property
    def key(self) -> tuple[float, float, float]:
        """The same for one that another experiment repeats."""
        return self.row.mean_limit_bytes, self.row.utilization, self.row.loss

    def exceeding(self) -> str:
        """The row's name and, in parentheses, the bounds that it does not surely keep."""
        name = self.row.scenario
        if self.row.policy != OURS:
            name += f", {self.row.policy}"
        figures = ", ".join(
            f"{in_words(each)} times the allowed {what}"
            for what, each in self.bounds.items()
            if at_most(each, 1 + TOLERANCE) is not Verdict.MET
        )
        return f"{name} ({figures})"


def judged(rows: Sequence[Row]) -> list[Judgement]:
    """The rows whose bounds are goals."""
    return [Judgement(row) for row in rows if row.is_ours]


def goals(rows: Sequence[Row]) -> list[Goal]:
    """Over all rows that are judged: both targets, and the buffer that this takes."""
    found = judged(rows)
    if not found:
        return []
    by_loss = [each.row.judged_by == LOSS_ONLY for each in found]
    bound = "the loss target" if all(by_loss) else "its targets" if any(by_loss) else "both targets"
    sentence = f"{OURS} meets {bound}"
    target = over_cells(sentence, ((each.target, each.exceeding()) for each in found))
    with_ratio = [each for each in found if each.ratio is not None]
    if not with_ratio:
        return [target]
    sentence = (
        f"The mean limit of {OURS} is at most {LARGEST_RATIO:.2f} times the static optimum "
        f"({_range(with_ratio)})"
    )
    price = over_cells(
        sentence,
        (
            (at_most(each.ratio, LARGEST_RATIO), f"{each.row.scenario} ({in_words(each.ratio)})")
            for each in found
            if each.ratio is not None
        ),
    )
    return [target, price]


def rivals(rows: Sequence[Row]) -> list[str]:
    """How often every other policy keeps both bounds, and with how much buffer."""
    found: dict[str, list[Judgement]] = {}
    for row in rows:
        is_rival = row.judged_by is not None and not row.is_ours and row.policy != OPTIMUM
        if is_rival and row.ratio is not None:
            found.setdefault(row.policy, []).append(Judgement(row))
    return [_rival(policy, those) for policy, those in found.items()]


def below_the_optimum(found: Sequence[Judgement]) -> str:
    """How many cells keep their bounds with surely less than the optimum, and what their limit's
    highest values say of that; empty for none."""
    below = [
        each.row
        for each in found
        if each.ratio is not None and each.ratio.high < BELOW and each.target is Verdict.MET
    ]
    if not below:
        return ""
    enough = [row.static_optimum_bytes or 0.0 for row in below]
    p99 = sum(row.limit_p99_bytes >= least for row, least in zip(below, enough, strict=True))
    highest = sum(row.limit_max_bytes >= least for row, least in zip(below, enough, strict=True))
    return (
        f"In {len(below)} cells `abs` meets both targets with a mean limit below {BELOW:g} times "
        f"the optimum, at 95 % confidence. In {highest} of these, the limit's maximum reaches the "
        f"optimum, so the limit rises in bursts; in {p99}, even its 99 % quantile does. In the "
        f"other {len(below) - highest}, the limit never rises that high."
    )


def tally(verdicts: Sequence[Verdict | None]) -> str:
    """For instance "3 met, 1 undecided of 4"; empty without any."""
    counts = {each: verdicts.count(each) for each in Verdict}
    named = ", ".join(f"{count} {each}" for each, count in counts.items() if count)
    return f"{named} of {sum(counts.values())}" if named else ""


def _rival(policy: str, found: Sequence[Judgement]) -> str:
    met = [each for each in found if each.target is Verdict.MET]
    undecided = sum(each.target is Verdict.UNDECIDED for each in found)
    open_cells = f" ({undecided} undecided)" if undecided else ""
    price = f" In these its limit is {_range(met)} times the static optimum." if met else ""
    rest = f" Over all cells it is {_range(found)} times." if len(met) < len(found) else ""
    return (
        f"{policy} meets both targets in {len(met)} of {len(found)} cells{open_cells}.{price}{rest}"
    )


def _range(found: Sequence[Judgement]) -> str:
    ratios = [each.ratio.mean for each in found if each.ratio is not None]
    low, high = f"{min(ratios):.2f}", f"{max(ratios):.2f}"
    return low if low == high else f"{low} to {high}"
