"""Family *targets*: utilization from 80 to 99.9 %, loss from 1e-4 to 5 %.

Reno at 20 Mb/s, 20 to 60 ms. Where one target is varied the other is none: loss of 50 %,
utilization of 10 %. A loss target needs fewer flows the smaller it is (a flow's window grows with
1/sqrt(p)), and a longer run: 1000 drops are due in the windows of all random seeds together.
"""

from dataclasses import replace

from p4abs_experiments.experiment.seeds import MANY_SEEDS, SEEDS
from p4abs_experiments.families.dumbbell import Dumbbell
from p4abs_experiments.families.family import Family
from p4abs_experiments.network import Scenario

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=16, min_window_s=180.0)
NO_LOSS, NO_UTILIZATION = 0.5, 0.1

UTILIZATIONS = (0.80, 0.90, 0.95, 0.99, 0.995, 0.999)
LOSSES = {0.05: 64, 0.01: 16, 0.001: 4, 0.0001: 2}
"""The number of flows by target."""

_DROPS = 1000
"""That are due in the windows of all random seeds."""


def _loss_scenario(target: float) -> Scenario:
    n_flows = LOSSES[target]
    packets_per_s = BASE.capacity_bps / 8 / BASE.packet_bytes
    due_s = _DROPS / target / packets_per_s / len(SEEDS)
    shared = replace(BASE, n_flows=n_flows, min_window_s=max(BASE.min_window_s, due_s))
    sizing = shared.sizing(utilization=NO_UTILIZATION, loss=target)
    return shared.scenario(f"{100 * target:g} %, {n_flows} flows", sizing)


UTILIZATION_TARGETS = Family(
    name="families-utilization-targets",
    title="Utilization targets from 80 to 99.9 %",
    claim="Every utilization target is met, with the smallest buffer.",
    seeds=MANY_SEEDS,
    scenarios=tuple(
        BASE.scenario(f"{100 * target:g} %", BASE.sizing(utilization=target, loss=NO_LOSS))
        for target in UTILIZATIONS
    ),
)

LOSS_TARGETS = Family(
    name="families-loss-targets",
    title="Loss targets from 5 % to 1e-4",
    claim="Every loss target is met, once the run is long enough for 1000 drops.",
    scenarios=tuple(map(_loss_scenario, LOSSES)),
)
