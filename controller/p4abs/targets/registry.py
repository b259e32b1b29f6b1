"""Targets by their names in the configuration."""

from typing import Any

from p4abs.targets.bfrt.target import Bfrt
from p4abs.targets.bmv2 import Bmv2
from p4abs.targets.stratum import Stratum
from p4abs.targets.target import Target
from p4abs.targets.traits import TargetKind

_TARGETS: dict[TargetKind, Target[Any]] = {
    TargetKind.BMV2: Bmv2(),
    TargetKind.STRATUM: Stratum(),
    TargetKind.BFRT: Bfrt(),
}


def target_of(kind: TargetKind) -> Target[Any]:
    """The target of a switch."""
    return _TARGETS[kind]
