"""Kinds of switches behind one interface: `target` says what it is, `registry` has them all.

`bmv2` is P4Runtime with programs of v1model; `stratum` is P4Runtime with those of p4src/tna, which
`tofino` knows; `bfrt` is BF Runtime with the same. `traits` is what settings know of each.
"""

from p4abs.targets.registry import target_of
from p4abs.targets.target import Session, Target, TargetProgram
from p4abs.targets.traits import TRAITS, Enforcement, MemorySharing, TargetKind

__all__ = [
    "TRAITS",
    "Enforcement",
    "MemorySharing",
    "Session",
    "Target",
    "TargetKind",
    "TargetProgram",
    "target_of",
]
