"""Whether a port keeps its agreements: judged windows, compliance, error budget."""

from p4abs.agreements.agreement import AgreementState, step
from p4abs.agreements.standing import Standing
from p4abs.agreements.terms import MAX_WINDOWS, SHORTEST_WINDOW_S, AgreementError, Terms

__all__ = [
    "MAX_WINDOWS",
    "SHORTEST_WINDOW_S",
    "AgreementError",
    "AgreementState",
    "Standing",
    "Terms",
    "step",
]
