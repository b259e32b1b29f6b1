"""What the other queues of its port leave to a queue."""

from collections.abc import Sequence

import numpy as np

from p4abs.columns import ByPort, Flags, Floats, Positions
from p4abs.config import PortSettings
from p4abs.p4_constants import PORT_COUNT
from p4abs.telemetry.sums import Sums

MAX_SHARE = 0.9
"""With this share of the link in others' hands, the queue's limit hardly matters."""

FADING_S = 10.0
"""A second with drops may be followed by some without: sums fade with this time constant."""


class OtherQueues(ByPort):
    """Of the queues that are under control, second by second; a port with one queue has no others.

    `ports` have the positions that they have in the meter.
    """

    _by_port = ("_link_bytes", "_sent_bytes", "_offered_bytes", "_lost_bytes")

    def __init__(self, ports: Sequence[PortSettings]) -> None:
        self._link_bytes, self._sent_bytes, self._offered_bytes, self._lost_bytes = np.zeros(
            (4, len(ports))
        )
        self.adopt(ports)

    def adopt(self, ports: Sequence[PortSettings]) -> None:
        """These settings are in force from now on, of all ports by their positions."""
        self._numbers = np.array([port.number for port in ports], np.intp)
        self._has_others = np.array([port.queue is not None for port in ports], np.bool_)
        self._capacity_bps = np.array([port.capacity or np.nan for port in ports])
        self._has_bound = np.array([port.max_limit is not None for port in ports], np.bool_)

    def begin(self, ports: Positions) -> None:
        """Forgets what is known of these ports."""
        for sums in (self._link_bytes, self._sent_bytes, self._offered_bytes, self._lost_bytes):
            sums[ports] = 0.0

    def follow(self, second: Sums) -> None:
        """Takes what ports did in about a second."""
        sent = second.counted["departed_bytes"]
        of_port = np.bincount(self._numbers, sent, PORT_COUNT)[self._numbers]
        kept = np.exp(-second.duration_s / FADING_S)
        self._sent_bytes = kept * self._sent_bytes + of_port - sent
        self._link_bytes = kept * self._link_bytes + self._capacity_bps * second.duration_s / 8
        self._offered_bytes = kept * self._offered_bytes + second.offered_bytes
        self._lost_bytes = kept * self._lost_bytes + second.dropped_bytes

    def send_what_is_lost(self, loss: Floats, is_bound: Flags) -> Flags:
        """Whether they sent as many bytes as a queue lost beyond its target, and its limit cannot
        help.

        `is_bound`: its limit grows no further, or its policy has given up. A max-limit that
        somebody has chosen may be what holds it.
        """
        lacks = self._lost_bytes - loss * self._offered_bytes
        take_most = self._sent_bytes >= MAX_SHARE * self._link_bytes
        cannot_help = (is_bound & ~self._has_bound) | take_most
        return self._has_others & (lacks > 0) & (self._sent_bytes >= lacks) & cannot_help

    def text(self, position: int) -> str:
        """For people, of a queue; empty: there are no others, or they send nothing."""
        if not self._has_others[position] or not self._sent_bytes[position] > 0:
            return ""
        share = self._sent_bytes[position] / self._link_bytes[position]
        return f"other queues of port {self._numbers[position]} take {share:.0%} of the link"
