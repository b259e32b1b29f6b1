"""What Stratum takes as a Tofino's device configuration: the protobuf message BfPipelineConfig.

Its fields are those of stratum/hal/lib/barefoot/bf.proto (github.com/stratum/stratum, f8f7130):

    p4_name = 1, bfruntime_info = 2, profiles = 3 of
        profile_name = 1, context = 2, binary = 3, pipe_scope = 4 (packed)
"""

from collections.abc import Sequence
from dataclasses import dataclass

_LENGTH_DELIMITED = 2


@dataclass(frozen=True)
class Profile:
    """One program of a pipe, and the pipes that run it."""

    name: str
    context: bytes
    binary: bytes
    pipes: Sequence[int]


def bf_pipeline_config(p4_name: str, bf_rt_schema: bytes, profiles: Sequence[Profile]) -> bytes:
    """The serialized message."""
    return b"".join(
        [
            _field(1, p4_name.encode()),
            _field(2, bf_rt_schema),
            *(_field(3, _profile(profile)) for profile in profiles),
        ]
    )


def _profile(profile: Profile) -> bytes:
    return b"".join(
        [
            _field(1, profile.name.encode()),
            _field(2, profile.context),
            _field(3, profile.binary),
            _field(4, b"".join(map(_varint, profile.pipes))),
        ]
    )


def _field(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    groups = [value & 0x7F]
    while value := value >> 7:
        groups.append(value & 0x7F)
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])
