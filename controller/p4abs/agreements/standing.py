"""How an agreement stands: compliance, error budget, burn rate."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """An agreement after its last window.

    `compliance` is the share of a period's judged windows that were kept (None: none was judged).
    `error_budget` is the share of the failures that a period allows and that are left, below 0
    once there were more. `burn_rate` is how fast it is being used: at 1 the budget lasts for
    exactly a period. `judged` and `failed` count windows since the controller was started,
    `breaches` how often the agreement was broken since; `reason` is why the last failed one did.
    """

    compliance: float | None = None
    error_budget: float = 1.0
    burn_rate: float = 0.0
    is_broken: bool = False
    breaches: int = 0
    judged: int = 0
    failed: int = 0
    reason: str = ""

    @property
    def overall_compliance(self) -> float | None:
        """The share of all judged windows that were kept; None: none was judged."""
        return 1 - self.failed / self.judged if self.judged else None
