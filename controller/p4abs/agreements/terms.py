"""What an agreement promises of a port."""

from dataclasses import dataclass

from p4abs.errors import UserError
from p4abs.units import format_duration

SHORTEST_WINDOW_S = 1.0
MAX_WINDOWS = 10_000
# The burn rate is of the last twelfth of a period: five minutes of an hour.
_RECENT_SHARE = 1 / 12


class AgreementError(UserError):
    """An agreement that contradicts itself or cannot be judged; says what would be valid."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What must hold in each window, and in how many windows of a period.

    `utilization` is the least, `loss` the greatest share of the offered bytes that is dropped;
    `delay_s` is the greatest delay in the queue of `percentile` % of the admitted bytes. None: not
    agreed. A window with more utilization than `void_above` is not judged: a service level
    agreement does not bind while the customer sends more (seed 004, section 5.2). `objective` is
    the share of a period's windows that have to be kept. Raises AgreementError.
    """

    name: str
    utilization: float | None = None
    loss: float | None = None
    delay_s: float | None = None
    percentile: float = 99.0
    window_s: float = 10.0
    period_s: float = 3600.0
    objective: float = 0.99
    void_above: float | None = None

    def __post_init__(self) -> None:
        if self.utilization is None and self.loss is None and self.delay_s is None:
            raise AgreementError("has no target; give utilization, loss or delay")
        for key, share in (
            ("utilization", self.utilization),
            ("loss", self.loss),
            ("objective", self.objective),
            ("void-above", self.void_above),
        ):
            if share is not None and not 0 < share < 1:
                raise AgreementError(f"{key} {share}: must be above 0 and below 1")
        if self.delay_s is not None and not self.delay_s > 0:
            raise AgreementError("delay must be positive, such as '5ms'")
        if 0 < self.percentile < 1:
            raise AgreementError(
                f"percentile {self.percentile:g}: must be in percent: write "
                f"{100 * self.percentile:g} for {100 * self.percentile:g} % of the bytes"
            )
        if not 0 < self.percentile < 100:
            raise AgreementError(f"percentile {self.percentile:g}: must be above 0 and below 100")
        if self.utilization and self.void_above and self.utilization >= self.void_above:
            raise AgreementError(
                f"utilization {self.utilization:g}: must be below void-above {self.void_above:g}, "
                "because windows above void-above are not judged"
            )
        self._check_times()

    def _check_times(self) -> None:
        if self.window_s < SHORTEST_WINDOW_S:
            raise AgreementError(
                f"window {format_duration(self.window_s)}: must be at least "
                f"{format_duration(SHORTEST_WINDOW_S)}"
            )
        if not self.window_s <= self.period_s <= MAX_WINDOWS * self.window_s:
            raise AgreementError(
                f"period {format_duration(self.period_s)}: must be 1 to {MAX_WINDOWS} windows of "
                f"{format_duration(self.window_s)}"
            )
        if not self.failures_allowed:
            raise AgreementError(
                f"objective {self.objective}: too close to 1 for {self.windows} windows; "
                "valid: up to 0.999999999"
            )

    @property
    def text(self) -> str:
        """The promise in words."""
        promises = [
            text
            for value, text in (
                (self.utilization, f"utilization at least {_percent(self.utilization or 0)}"),
                (self.loss, f"loss at most {_percent(self.loss or 0)}"),
                (
                    self.delay_s,
                    f"delay at most {format_duration(self.delay_s or 0)} "
                    f"for {self.percentile:g}% of the bytes",
                ),
            )
            if value is not None
        ]
        void = (
            ""
            if self.void_above is None
            else f", void above utilization {_percent(self.void_above)}"
        )
        return (
            f"{', '.join(promises)} in {_percent(self.objective)} of the windows of "
            f"{format_duration(self.window_s)} in {format_duration(self.period_s)}{void}"
        )

    # Rounded, as 1 - 0.9 is not 0.1: what is just allowed is not to fail.

    @property
    def late_percent(self) -> float:
        """Of how many % of the bytes the delay may be longer."""
        return round(100 - self.percentile, 9)

    @property
    def windows(self) -> int:
        """How many windows a period has."""
        return round(self.period_s / self.window_s)

    @property
    def recent_windows(self) -> int:
        """How many of the last windows the burn rate is of."""
        return max(1, round(self.windows * _RECENT_SHARE))

    @property
    def failures_allowed(self) -> float:
        """How many windows of a period may fail: the error budget."""
        return round((1 - self.objective) * self.windows, 9)


def _percent(share: float) -> str:
    return f"{100 * share:.6g}%"
