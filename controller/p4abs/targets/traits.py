"""Kinds of switches, and what settings have to know of each."""

from dataclasses import dataclass
from enum import StrEnum

from p4abs.access.discovery import RegisterPath


class TargetKind(StrEnum):
    """How a switch is spoken to, and what is pushed to it."""

    BMV2 = "bmv2"
    STRATUM = "stratum"
    BFRT = "bfrt"


class Enforcement(StrEnum):
    """Who drops what exceeds a queue's limit: the switch's program, by a virtual queue or, on
    Tofino 2, by the length of the traffic manager's own, or the traffic manager."""

    VIRTUAL = "virtual"
    QUEUE = "queue"
    TM = "tm"


class MemorySharing(StrEnum):
    """Who shares out the memory of a switch: the controller by limits, or the program, packet by
    packet, by dynamic thresholds (Choudhury and Hahne 1998) or ABM (Addanki et al. 2022)."""

    LIMITS = "limits"
    DYNAMIC_THRESHOLDS = "dynamic-thresholds"
    ABM = "abm"


@dataclass(frozen=True)
class Traits:
    """Of a kind: defaults, and which settings make no sense.

    pipeline: a name that push-pipeline may have, to show in messages.
    is_elective: several controllers can stand for a switch. is_encrypted: TLS is to be had.
    """

    address: str
    device_id: int
    pipeline: str
    register_paths: frozenset[RegisterPath]
    is_elective: bool = True
    is_encrypted: bool = True
    enforcements: frozenset[Enforcement] = frozenset({Enforcement.VIRTUAL})
    sharings: frozenset[MemorySharing] = frozenset({MemorySharing.LIMITS})


TRAITS = {
    TargetKind.BMV2: Traits(
        "127.0.0.1:9559",
        1,
        "queue",
        frozenset(RegisterPath),
        sharings=frozenset(MemorySharing),
    ),
    TargetKind.STRATUM: Traits(
        "127.0.0.1:9559",
        1,
        "tna.conf",
        frozenset({RegisterPath.AUTO, RegisterPath.MAILBOX}),
        enforcements=frozenset({Enforcement.VIRTUAL, Enforcement.QUEUE}),
    ),
    TargetKind.BFRT: Traits(
        "127.0.0.1:50052",
        0,
        "",
        frozenset({RegisterPath.AUTO}),
        is_elective=False,
        is_encrypted=False,
        enforcements=frozenset(Enforcement),
    ),
}
