"""Whether a port keeps its agreements: judged windows, compliance, error budget."""

from p4abs.agreements.agreement import AgreementState, step
from p4abs.agreements.standing import Standing
from p4abs.agreements.terms import MOST_WINDOWS, SHORTEST_WINDOW_S, AgreementError, Terms

__all__ = [
    "MOST_WINDOWS",
    "SHORTEST_WINDOW_S",
    "AgreementError",
    "AgreementState",
    "Standing",
    "Terms",
    "step",
]
