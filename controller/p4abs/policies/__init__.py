"""Buffer sizing laws as pure state machines: step(state, interval) -> (state, decision).

`abs` is the project's own law, `abs_paper` the published one. `rules` are formulas of the number of
flows and the round-trip time. `policy` says what all have in common, `registry` finds them by name.
"""

from p4abs.policies.policy import (
    UNBOUNDED_STEP,
    Binding,
    Decision,
    Decisions,
    InvalidParameter,
    InvalidTarget,
    Law,
    MaxStep,
    Policy,
    PolicyError,
    Targets,
    UnknownPolicy,
)
from p4abs.policies.registry import (
    POLICIES,
    create,
    required_parameters,
    why_unknown,
)

__all__ = [
    "POLICIES",
    "UNBOUNDED_STEP",
    "Binding",
    "Decision",
    "Decisions",
    "InvalidParameter",
    "InvalidTarget",
    "Law",
    "MaxStep",
    "Policy",
    "PolicyError",
    "Targets",
    "UnknownPolicy",
    "create",
    "required_parameters",
    "why_unknown",
]
