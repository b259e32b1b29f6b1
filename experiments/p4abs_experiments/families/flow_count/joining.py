"""Flows that join others on a link, all at once, and leave it again."""

from typing import NamedTuple, Self

from p4abs_experiments.families.dumbbell import Dumbbell
from p4abs_experiments.network import Range, Scenario, Sizing
from p4abs_experiments.network.times import Span


class Load(NamedTuple):
    """Flows that stay on a link, and how many there are with those that join."""

    name: str
    congestion_control: str
    link: Dumbbell
    all_flows: int

    @classmethod
    def of(
        cls, name: str, control: str, bps: int, rtt_s: Range, staying: int, all_flows: int
    ) -> Self:
        link = Dumbbell(capacity_bps=bps, rtt_s=rtt_s, n_flows=staying)
        return cls(name, control, link, all_flows)

    def scenario(
        self, name: str, sizing: Sizing, span: Span, end_s: float, measure_from_s: float
    ) -> Scenario:
        """The others are there in `span`."""
        join_s, leave_s = span
        control, joining = self.congestion_control, self.all_flows - self.link.n_flows
        return self.link.scenario(
            name,
            sizing,
            self.link.flows(control, name="staying"),
            self.link.flows(
                control, joining, name="joining", start_s=(join_s, join_s), stop_s=leave_s
            ),
            duration_s=end_s,
            measure_from_s=measure_from_s,
        )
