"""The variants of the law: each constant smaller and larger, each mechanism left out."""

from p4abs_experiments.network.varied_law import MECHANISMS, constant

Variation = tuple[tuple[str, float], ...]
"""What a variant changes, see `varied_law`."""

NEVER = 1e18
"""So large that it is never reached; numbers of a scenario are finite."""

FACTORS = (
    *("FEWEST_EVENTS", "REMEMBERED", "LARGEST_STEP"),
    *("SHIFT", "MIN_SHIFT", "DEVIATIONS", "MIN_SPREAD", "MIN_EVIDENCE", "MAX_EVIDENCE"),
    *("MEMORY_EVENTS", "SMALLEST_SHARE", "LARGEST_SHARE", "GROUP_EVENTS", "LARGEST_SPREAD"),
    "ASSUMED_GROUPS",
    "LONGEST_DRAIN_TIMES",
    "BELIEVED_UNITS",
    *("QUIET_SAWTEETH", "LARGEST_GROWTH", "TRIAL_EVENTS", "TRIAL_GROWTH", "RECOVERING"),
    *("EXCUSED_TRIALS", "WITHIN_REACH", "SHORTEST_HOLD_EVENTS", "LONGEST_HOLD_EVENTS"),
    *("DRAIN_TIMES", "FORGIVEN_SHARE"),
    *("MIN_DRAIN_TIMES", "MIN_INTERVALS", "FOLLOW", "QUIET_DRAIN_TIMES"),
)
"""Halved and doubled."""

SHARES = ("FADING", "CLEAR_FALL", "EARLY", "EARLY_SO_FAR", "RECENT_SHARE")
"""What they leave to 1 is doubled and halved."""

LEFT_OUT: dict[str, Variation] = {
    "no acceleration by evidence": (("MIN_EVIDENCE", NEVER),),
    "no evidence of whole events": (("DEVIATIONS", 0.0), ("MIN_SHIFT", 0.0)),
    "no largest step": (("LARGEST_STEP", NEVER),),
    "no fewest events": (("FEWEST_EVENTS", 0.0),),
    "no least unit": (("MIN_DRAIN_TIMES", 1e-3), ("MIN_INTERVALS", 1e-3)),
    "no longest drop event": (("LONGEST_DRAIN_TIMES", NEVER),),
    "no bound on belief": (("BELIEVED_UNITS", NEVER),),
    "no bounds on sizes of events": (("SMALLEST_SHARE", 1e-9), ("LARGEST_SHARE", 1e9)),
    "no bound on spread": (("LARGEST_SPREAD", NEVER),),
    "no end of drops": (("QUIET_SAWTEETH", NEVER),),
    "no trials": (("TRIAL_EVENTS", NEVER),),
    "no excuse for early idle time": (("EXCUSED_TRIALS", 0.0),),
    "no recovery": (("RECOVERING", NEVER),),
    "no longer holds": (("LONGEST_HOLD_EVENTS", 8.0),),
    "no following": (("FOLLOW", -NEVER),),
    "no forgiven drops": (("FORGIVEN_SHARE", 0.0),),
    **{f"without: {name}": ((name, 0.0),) for name in MECHANISMS},
}


def changed() -> dict[str, Variation]:
    """Each constant smaller and larger, by the label in tables."""
    values = {name: (constant(name) / 2, 2 * constant(name)) for name in FACTORS}
    for name in SHARES:
        rest = 1 - constant(name)
        values[name] = (1 - 2 * rest, 1 - rest / 2)
    return {
        f"{name} {value:.3g}": ((name, value),) for name, both in values.items() for value in both
    }
