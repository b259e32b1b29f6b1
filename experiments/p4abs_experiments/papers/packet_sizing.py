"""Buffers in packets, the unit of papers whose objective is utilization alone."""

import math

from p4abs_experiments.network import Sizing

NO_LOSS_TARGET = 0.9
"""A loss that no scenario of theirs reaches: the loss branch of `abs` never binds."""


def segment_bytes(packet_bytes: int) -> int:
    """The data in a full frame: less the Ethernet, IP and TCP headers of 54 bytes."""
    return packet_bytes - 54


def fixed(packets: float, packet_bytes: int) -> Sizing:
    """A buffer of whole packets, at least two."""
    return Sizing(initial_limit_bytes=max(2, round(packets)) * packet_bytes)


def adaptive(
    policy: str,
    initial_packets: float,
    packet_bytes: int,
    utilization: float,
    parameters: dict[str, float] | None = None,
    loss: float = NO_LOSS_TARGET,
) -> Sizing:
    """`policy` for a target utilization, from a first limit of `initial_packets`."""
    return Sizing(
        policy=policy,
        parameters=parameters or {},
        initial_limit_bytes=round(initial_packets) * packet_bytes,
        min_limit_bytes=2 * packet_bytes,
        utilization=utilization,
        loss=loss,
    )


def square_root_rule(pipe: float, n_flows: int) -> float:
    """The buffer 2 T_p C / sqrt(n), in the unit of `pipe` (Appenzeller et al., section 3)."""
    return pipe / math.sqrt(n_flows)
