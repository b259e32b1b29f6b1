"""Kinds of switches, and what settings have to know of each."""

from dataclasses import dataclass
from enum import StrEnum

from p4abs.access.discovery import RegisterPath


class TargetKind(StrEnum):
    """How a switch is spoken to, and what is pushed to it."""

    BMV2 = "bmv2"
    STRATUM = "stratum"


@dataclass(frozen=True)
class Traits:
    """Of a kind: defaults, and which settings make no sense.

    pipeline: a name that push-pipeline may have, to show in messages.
    """

    address: str
    device_id: int
    pipeline: str
    register_paths: frozenset[RegisterPath]


TRAITS = {
    TargetKind.BMV2: Traits("127.0.0.1:9559", 1, "queue", frozenset(RegisterPath)),
    TargetKind.STRATUM: Traits(
        "127.0.0.1:9559", 1, "tna.conf", frozenset({RegisterPath.AUTO, RegisterPath.MAILBOX})
    ),
}
