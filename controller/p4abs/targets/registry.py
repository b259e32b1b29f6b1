"""Targets by what the configuration says of a switch."""

from typing import Any

from p4abs.targets.bfrt.access import VirtualQueue
from p4abs.targets.bfrt.queue import Queue
from p4abs.targets.bfrt.target import Bfrt
from p4abs.targets.bfrt.tm.enforcer import TrafficManager
from p4abs.targets.bmv2 import Bmv2
from p4abs.targets.stratum import Stratum, queue_mailbox, virtual_queue_mailbox
from p4abs.targets.target import Target
from p4abs.targets.tofino.queue.program import QueueProgram
from p4abs.targets.tofino.virtual_queue import VirtualQueueProgram
from p4abs.targets.traits import Enforcement, TargetKind

_TARGETS: dict[tuple[TargetKind, Enforcement], Target[Any, Any, Any]] = {
    (TargetKind.BMV2, Enforcement.VIRTUAL): Bmv2(),
    (TargetKind.STRATUM, Enforcement.VIRTUAL): Stratum(VirtualQueueProgram, virtual_queue_mailbox),
    (TargetKind.STRATUM, Enforcement.QUEUE): Stratum(QueueProgram, queue_mailbox),
    (TargetKind.BFRT, Enforcement.VIRTUAL): Bfrt(VirtualQueue()),
    (TargetKind.BFRT, Enforcement.QUEUE): Bfrt(Queue()),
    (TargetKind.BFRT, Enforcement.TM): Bfrt(TrafficManager()),
}


def target_of(kind: TargetKind, enforcement: Enforcement) -> Target[Any, Any, Any]:
    """The target of a switch, whose traits have this enforcement."""
    return _TARGETS[kind, enforcement]
