"""One link and TCP through it, as the papers of 2004 and 2006 simulated it with ns2: buffers are in
packets, and their objective is utilization alone.

Where ns2's TCP differs from the simulator's defaults, flows here are ns2's.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from p4abs_experiments.network import RENO, Link, Range, Scenario, Sizing, TcpFlows, Traffic

LINK = "link"
INITIAL_WINDOW_SEGMENTS = 2
"""Appenzeller, Keslassy and McKeown, section 4 and Appendix A."""

NO_LOSS_TARGET = 0.9
"""A loss that no scenario of theirs reaches: the loss branch of `abs` never binds."""


def segment_bytes(packet_bytes: int) -> int:
    """The data in a full frame: less the Ethernet, IP and TCP headers of 54 bytes."""
    return packet_bytes - 54


def square_root_rule(pipe: float, n_flows: int) -> float:
    """The buffer 2 T_p C / sqrt(n), in the unit of `pipe` (Appenzeller et al., section 3)."""
    return pipe / math.sqrt(n_flows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dumbbell:
    """A link, the round-trip times and packets of its flows, and the times of a run.

    `window_s` of measurement follow `start_s`. `n_flows` are the numbers of long flows that an
    experiment tries.
    """

    capacity_bps: int
    rtt_s: Range
    packet_bytes: int
    n_flows: tuple[int, ...]
    start_s: float
    window_s: float

    @property
    def pipe_packets(self) -> float:
        """2 T_p C in packets, of the mean round-trip time."""
        return self.capacity_bps * sum(self.rtt_s) / 2 / 8 / self.packet_bytes

    def rule_packets(self, n_flows: int) -> float:
        """The square root rule's buffer."""
        return square_root_rule(self.pipe_packets, n_flows)

    def fixed(self, packets: float) -> Sizing:
        """A buffer of whole packets, at least two."""
        return Sizing(initial_limit_bytes=max(2, round(packets)) * self.packet_bytes)

    def adaptive(
        self,
        policy: str,
        initial_packets: float,
        utilization: float,
        parameters: Mapping[str, float] | None = None,
        loss: float = NO_LOSS_TARGET,
    ) -> Sizing:
        """`policy` for a target utilization, from a first limit of `initial_packets`."""
        return Sizing(
            policy=policy,
            parameters=parameters or {},
            initial_limit_bytes=round(initial_packets) * self.packet_bytes,
            min_limit_bytes=2 * self.packet_bytes,
            utilization=utilization,
            loss=loss,
        )

    def long_flows(
        self,
        count: int,
        begin_within_s: float,
        *,
        congestion_control: str = RENO,
        name: str = "tcp",
    ) -> TcpFlows:
        """Flows without end that begin at random times."""
        return TcpFlows(
            count=count,
            path=(LINK,),
            rtt_s=self.rtt_s,
            congestion_control=congestion_control,
            packet_bytes=self.packet_bytes,
            start_s=(0, begin_within_s),
            initial_window_segments=INITIAL_WINDOW_SEGMENTS,
            name=name,
        )

    def scenario(
        self,
        name: str,
        sizing: Sizing,
        n_flows: int,
        *traffic: Traffic,
        start_s: float | None = None,
    ) -> Scenario:
        """The link with this traffic; `start_s` in place of the usual one."""
        measure_from_s = self.start_s if start_s is None else start_s
        return Scenario(
            name=name,
            links=(Link(LINK, self.capacity_bps, sizing),),
            traffic=traffic,
            n_flows=n_flows,
            duration_s=measure_from_s + self.window_s,
            measure_from_s=measure_from_s,
        )
