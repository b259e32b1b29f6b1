"""Findings that say whether a goal of the project was reached; the report collects them."""

MET = "Goal met: "
MISSED = "Goal missed: "


def goal(met: bool, sentence: str) -> str:
    """The finding for a goal: which one, what was measured and, if missed, why."""
    return f"{MET if met else MISSED}{sentence}"
