"""Buffer sizing laws as pure state machines: step(state, interval) -> (state, decision)."""

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
