"""How long a run must be: the length of Reno's sawtooth, estimated before it is simulated."""

import math

from p4abs_experiments.network import PACKET_BYTES, Range

PER_CELL = 50
"""How many sawteeth of a flow the runs of one cell are to hold, over all random seeds."""


def sawtooth_s(
    capacity_bps: float, rtt_s: Range, n_flows: int, packet_bytes: int = PACKET_BYTES
) -> float:
    """The time between two losses of a Reno flow: W/2 round trips, as its window W grows from its
    half by a packet in each.

    The buffer is taken as a pipe over sqrt(n), as Appenzeller, Keslassy and McKeown (2004) have
    it. Losses at small windows are more frequent than that, so it is an upper bound there.
    """
    mean_rtt_s = sum(rtt_s) / 2
    full = 1 + 1 / math.sqrt(n_flows)
    window_packets = full * capacity_bps * mean_rtt_s / 8 / packet_bytes / n_flows
    return window_packets / 2 * full * mean_rtt_s


def window_s(sawtooth_s: float, seeds: int) -> float:
    """The measurement window of each of `seeds` runs that together hold PER_CELL sawteeth."""
    return PER_CELL * sawtooth_s / seeds
