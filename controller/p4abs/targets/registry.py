"""Targets by what the configuration says of a switch."""

from typing import Any

from p4abs.targets.bfrt.access import BY_VIRTUAL_QUEUE
from p4abs.targets.bfrt.queue import BY_QUEUE
from p4abs.targets.bfrt.target import Bfrt
from p4abs.targets.bfrt.tm.enforcer import BY_TRAFFIC_MANAGER
from p4abs.targets.bmv2 import Bmv2
from p4abs.targets.stratum import Stratum
from p4abs.targets.target import Target
from p4abs.targets.tofino.queue_program import QueueProgram
from p4abs.targets.tofino.virtual_queue import VirtualQueueProgram
from p4abs.targets.traits import Enforcement, TargetKind

_TARGETS: dict[tuple[TargetKind, Enforcement], Target[Any, Any, Any]] = {
    (TargetKind.BMV2, Enforcement.VIRTUAL): Bmv2(),
    (TargetKind.STRATUM, Enforcement.VIRTUAL): Stratum(VirtualQueueProgram),
    (TargetKind.STRATUM, Enforcement.QUEUE): Stratum(QueueProgram),
    (TargetKind.BFRT, Enforcement.VIRTUAL): Bfrt(BY_VIRTUAL_QUEUE),
    (TargetKind.BFRT, Enforcement.QUEUE): Bfrt(BY_QUEUE),
    (TargetKind.BFRT, Enforcement.TM): Bfrt(BY_TRAFFIC_MANAGER),
}


def target_of(kind: TargetKind, enforcement: Enforcement) -> Target[Any, Any, Any]:
    """The target of a switch, whose traits have this enforcement."""
    return _TARGETS[kind, enforcement]
