"""Whether a switch is as a configuration says, found out by reading alone."""

from p4abs.inspection.findings import Finding, Outcome, grouped
from p4abs.inspection.switch import inspect

__all__ = ["Finding", "Outcome", "grouped", "inspect"]
