"""Family *light loads*: links that are no bottleneck.

20 Mb/s, u* = 98 %, p* = 2 %, loads that no buffer brings to 98 %: short flows of Pareto sizes at
30 and at 76 % of the capacity, web users, groups of UDP sources that are on and off, UDP of
constant rate, and Reno held back by its receivers' windows. The yardstick is the least buffer
that the loss target alone asks for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Results
from p4abs_experiments.experiment.min_buffer import NoBottleneck
from p4abs_experiments.families.dumbbell import LINK, Dumbbell
from p4abs_experiments.families.family import merit_figure
from p4abs_experiments.network import CbrFlows, Scenario, Traffic, WebUsers
from p4abs_experiments.network.cell import Cell

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=0, min_window_s=160.0)


def _udp(count: int, **settings: Any) -> CbrFlows:
    """UDP sources; `settings` of the entry."""
    return CbrFlows(count=count, path=(LINK,), packet_bytes=BASE.packet_bytes, **settings)


def loads() -> dict[str, Traffic]:
    share_bps = BASE.capacity_bps / 100
    web = WebUsers(count=40, path=(LINK,), rtt_s=BASE.rtt_s, packet_bytes=BASE.packet_bytes)
    return {
        "short flows, 30 %": BASE.short_flows(0.30),
        "short flows, 76 %": BASE.short_flows(0.76),
        "40 web users": web,
        "on-off UDP, 60 %": _udp(12, rate_bps=10 * share_bps, on_s=1.0, off_s=1.0),
        "smooth UDP, 90 %": _udp(90, rate_bps=share_bps),
        "16 Reno, small windows": BASE.flows(count=16, window_bytes=3 * BASE.packet_bytes),
    }


@dataclass(frozen=True, kw_only=True)
class LightLoads(NoBottleneck):
    name: str = "families-light-loads"
    title: str = "Links that are no bottleneck"
    claim: str = (
        "The mean limit is at most 1.10 times the smallest buffer that meets the loss target."
    )

    def cells(self) -> Sequence[Cell]:
        return [Cell(each) for each in self.scenarios()]

    def scenarios(self) -> Sequence[Scenario]:
        return [BASE.scenario(name, BASE.sizing(), each) for name, each in loads().items()]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {self.name: merit_figure(self.title, self.rows(results))}
