"""One link and TCP through it, as the papers of 2004 and 2006 simulated it with ns2.

Where ns2's TCP differs from the simulator's defaults, flows here are ns2's.
"""

from dataclasses import dataclass

from p4abs_experiments.network import RENO, Link, Range, Scenario, Sizing, TcpFlows, Traffic

LINK = "link"
INITIAL_WINDOW_SEGMENTS = 2
"""Appenzeller, Keslassy and McKeown, section 4 and Appendix A."""


def pipe_packets(capacity_bps: float, rtt_s: Range, packet_bytes: int) -> float:
    """2 T_p C in packets, of the mean round-trip time."""
    return capacity_bps * sum(rtt_s) / 2 / 8 / packet_bytes


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
        return pipe_packets(self.capacity_bps, self.rtt_s, self.packet_bytes)

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
