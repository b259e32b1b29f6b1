"""Family *capacities*: a capacity declared wrong, and one that changes in flight.

16 Reno flows at 20 Mb/s, 20 to 60 ms, u* = 98 %, p* = 2 %. A real Ethernet port declared at its
nominal rate is 1.6 % too high with full frames and 28 % with the shortest. In flight, 20 Mb/s
become 10 and 20 again, 60 s each; that run is not judged, as no goal was set for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.families.dumbbell import Dumbbell
from p4abs_experiments.families.family import Family
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.figures import over_time

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=16, min_window_s=150.0)
ERRORS = (-0.25, -0.05, -0.02, 0.0, 0.02, 0.05, 0.25)

PHASE_S = 60.0
CHANGES = ((PHASE_S, 10_000_000), (2 * PHASE_S, 20_000_000))


DECLARED = Family(
    name="families-declared-capacity",
    title="A capacity that is declared wrong",
    claim="With a capacity declared 5 % too high or too low the mean limit is at most 1.10 times "
    "the static optimum, and both targets are met.",
    scenarios=tuple(
        BASE.scenario(
            f"declared {100 * error:+g} %" if error else "declared right",
            BASE.sizing(),
            declared_capacity_bps=round((1 + error) * BASE.capacity_bps) if error else None,
        )
        for error in ERRORS
    ),
)


@dataclass(frozen=True, kw_only=True)
class ChangingCapacity(Experiment):
    name: str = "families-changing-capacity"
    title: str = "A capacity that changes in flight: 20, 10, 20 Mb/s"
    claim: str = "The limit follows the capacity, within the sources' own time."

    judges_targets = False

    def cells(self) -> Sequence[Cell]:
        return [Cell(_changing())]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        sizing, sample = BASE.sizing(), results.samples()[0]
        happened = {from_s: f"{capacity_bps / 1e6:g} Mb/s" for from_s, capacity_bps in CHANGES}
        figure = over_time(
            {"abs": sample.first},
            title=f"{self.title} (utilization as a share of 20 Mb/s)",
            capacity_bps=BASE.capacity_bps,
            packet_bytes=BASE.packet_bytes,
            utilization=sizing.utilization,
            loss=sizing.loss,
            happened=happened,
        )
        return {self.name: figure}

    def findings(self, results: Results) -> Sequence[str]:
        series = results.samples()[0].first
        edges_s = [0.0, *(from_s for from_s, _ in CHANGES)]
        rates_bps = [BASE.capacity_bps, *(rate for _, rate in CHANGES)]
        sentences = []
        for begin_s, rate_bps in zip(edges_s, rates_bps, strict=True):
            steady = (series.time_s > begin_s + PHASE_S / 2) & (series.time_s <= begin_s + PHASE_S)
            limit, sent = series.limit_bytes[steady], series.departed_bytes[steady].sum()
            sentences.append(
                f"{rate_bps / 1e6:g} Mb/s from {begin_s:g} s on: in the second half of this phase "
                f"the mean limit is {limit.mean() / BASE.packet_bytes:.0f} packets, utilization "
                f"{100 * 8 * sent / (rate_bps * PHASE_S / 2):.2f} %."
            )
        return sentences


def _changing() -> Scenario:
    return BASE.scenario(
        "20, 10, 20 Mb/s",
        BASE.sizing(),
        duration_s=3 * PHASE_S,
        measure_from_s=PHASE_S / 2,
        capacity_changes=CHANGES,
    )
