"""What a variant of the law misses where the law as it is does not.

Judged at the end of the confidence interval that speaks for the variant.
"""

from dataclasses import dataclass

from p4abs_experiments.experiment.estimate import Estimate, estimate
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.network import Sizing

UTILIZATION = 0.005
LOSS = 1.10
LIMIT = 1.15
SWING, MIN_SWING = 1.5, 0.10
RISE = 1.25
"""What counts: less utilization, a multiple of the loss allowed, of the law's mean limit, of its
standard deviation over the mean, of the highest limit over the mean."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A variant beside the law as it is, in one scenario with the same random seeds."""

    law: Sample
    variant: Sample
    sizing: Sizing

    def misses(self) -> list[str]:
        """In words; none where nothing is worse."""
        law, variant = self.law, self.variant
        allowed = LOSS * max(self.sizing.loss, law.loss.mean)
        enough = min(self.sizing.utilization, law.utilization.mean) - UTILIZATION
        found = []
        if variant.utilization.high < enough:
            found.append(f"utilization {100 * variant.utilization.mean:.1f} %")
        if variant.loss.low > allowed:
            found.append(f"loss {100 * variant.loss.mean:.3g} %")
        limit = variant.mean_limit_bytes.over(law.mean_limit_bytes.mean)
        if limit.low > LIMIT:
            found.append(f"limit x {limit.mean:.2f}")
        swing = variant.oscillation
        if swing.low > max(MIN_SWING, SWING * law.oscillation.mean):
            found.append(f"swing {100 * swing.mean:.0f} %")
        if _highest(variant).low > RISE * _highest(law).mean:
            found.append(f"up to {_highest(variant).mean:.2f} of the mean")
        return found


def _highest(sample: Sample) -> Estimate:
    return estimate([link.limit_max_bytes / link.mean_limit_bytes for link in sample.links])
