"""The link of most families: what scenarios of one link share.

Packets have 1500 bytes unless a family says otherwise. Runs hold 50 sawteeth of a flow over all
random seeds, and have measured at least a minute each, unless a family says otherwise.
"""

import math
from dataclasses import dataclass
from typing import Any

from p4abs_experiments.experiment.sawteeth import sawtooth_s, window_s
from p4abs_experiments.experiment.seeds import SEEDS
from p4abs_experiments.network import (
    RENO,
    Link,
    Range,
    Scenario,
    ShortFlows,
    Sizing,
    TcpFlows,
    Traffic,
)

LINK = "link"
FRAME_BYTES = 1500

UTILIZATION, LOSS = 0.98, 0.02
"""The targets where a family does not vary them."""

_WINDOW_BYTES = 1_500_000
"""What receivers offer: more than any flow uses, but no slow start on a fast link fills memory."""

_SHORT_FLOW_BYTES = 30_000
"""Mean size of a short flow."""

_INITIAL_DRAIN_S = 0.1
_HIGHEST_DRAIN_S = 10.0
_WARM_UP_SHARE = 0.5
"""Before the measurement window, in multiples of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dumbbell:
    """A link, and the round-trip times, packets and number of its long flows.

    `min_window_s` of measurement, or more where there are long flows with long sawteeth.
    """

    capacity_bps: int
    rtt_s: Range
    n_flows: int
    packet_bytes: int = FRAME_BYTES
    min_window_s: float = 60.0

    @property
    def sawtooth_s(self) -> float:
        """Of a Reno flow, estimated."""
        return sawtooth_s(self.capacity_bps, self.rtt_s, self.n_flows, self.packet_bytes)

    @property
    def window_s(self) -> float:
        """What is measured."""
        if not self.n_flows:
            return self.min_window_s
        return max(self.min_window_s, math.ceil(window_s(self.sawtooth_s, len(SEEDS))))

    @property
    def pipe_bytes(self) -> float:
        return self.capacity_bps / 8 * sum(self.rtt_s) / 2

    def flows(
        self, congestion_control: str = RENO, count: int | None = None, **changes: Any
    ) -> TcpFlows:
        """Long flows; `changes` to the entry."""
        settings: dict[str, Any] = {
            "count": self.n_flows if count is None else count,
            "path": (LINK,),
            "rtt_s": self.rtt_s,
            "congestion_control": congestion_control,
            "packet_bytes": self.packet_bytes,
            "window_bytes": _WINDOW_BYTES,
            "name": congestion_control,
        }
        return TcpFlows(**settings | changes)

    def short_flows(self, share: float, **changes: Any) -> ShortFlows:
        """Short TCP flows that ask for this share of the capacity, headers left out; `changes` to
        the entry."""
        settings: dict[str, Any] = {
            "path": (LINK,),
            "flows_per_s": share * self.capacity_bps / 8 / _SHORT_FLOW_BYTES,
            "size_bytes": _SHORT_FLOW_BYTES,
            "rtt_s": self.rtt_s,
            "pareto_shape": 1.3,
            "packet_bytes": self.packet_bytes,
        }
        return ShortFlows(**settings | changes)

    def sizing(self, policy: str = "abs", **changes: Any) -> Sizing:
        """A limit that a policy sets; `changes` to the sizing."""
        settings: dict[str, Any] = {
            "policy": policy,
            "initial_limit_bytes": self.drain_bytes(_INITIAL_DRAIN_S),
            "min_limit_bytes": 2 * self.packet_bytes,
            "max_limit_bytes": self.drain_bytes(_HIGHEST_DRAIN_S),
            "utilization": UTILIZATION,
            "loss": LOSS,
        }
        return Sizing(**settings | changes)

    def fixed(self, limit_bytes: float) -> Sizing:
        return Sizing(initial_limit_bytes=round(max(limit_bytes, 2 * self.packet_bytes)))

    def drain_bytes(self, drain_s: float) -> int:
        return max(4 * self.packet_bytes, round(drain_s * self.capacity_bps / 8))

    def scenario(
        self,
        name: str,
        sizing: Sizing | None,
        *traffic: Traffic,
        duration_s: float | None = None,
        measure_from_s: float | None = None,
        **link: Any,
    ) -> Scenario:
        """The link with this traffic, by default its Reno flows; times in place of the usual ones,
        and more of the link's settings."""
        longest_s = (1 + _WARM_UP_SHARE) * self.window_s
        end_s = longest_s if duration_s is None else duration_s
        begin_s = end_s * _WARM_UP_SHARE / (1 + _WARM_UP_SHARE)
        return Scenario(
            name=name,
            links=(Link(LINK, self.capacity_bps, sizing, **link),),
            traffic=traffic or (self.flows(),),
            n_flows=self.n_flows,
            duration_s=end_s,
            measure_from_s=begin_s if measure_from_s is None else measure_from_s,
        )
