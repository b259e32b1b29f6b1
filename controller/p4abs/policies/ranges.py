"""What a policy's parameter may be; a refusal names the policy, the parameter and its value."""

import math
from typing import Any

from p4abs.policies.policy import InvalidParameter, Policy


def require_positive(policy: Policy[Any], *parameters: str) -> None:
    """Raises InvalidParameter unless each parameter is positive and finite."""
    for parameter in parameters:
        value = getattr(policy, parameter)
        if not (value > 0 and math.isfinite(value)):
            raise InvalidParameter(
                f"{policy.name}: {parameter}={value}: must be positive and finite"
            )


def require_at_least_one(policy: Policy[Any], *parameters: str) -> None:
    """Raises InvalidParameter unless each parameter is at least 1 and finite."""
    for parameter in parameters:
        value = getattr(policy, parameter)
        if not (value >= 1 and math.isfinite(value)):
            raise InvalidParameter(
                f"{policy.name}: {parameter}={value}: must be at least 1 and finite"
            )


def require_fraction(policy: Policy[Any], *parameters: str) -> None:
    """Raises InvalidParameter unless each parameter lies between 0 and 1, both included."""
    require_within(0, 1, policy, *parameters)


def require_within(lowest: float, highest: float, policy: Policy[Any], *parameters: str) -> None:
    """Raises InvalidParameter unless each parameter lies within these bounds, both included."""
    for parameter in parameters:
        value = getattr(policy, parameter)
        if not lowest <= value <= highest:
            raise InvalidParameter(
                f"{policy.name}: {parameter}={value}: must be between {lowest:g} and {highest:g}"
            )
