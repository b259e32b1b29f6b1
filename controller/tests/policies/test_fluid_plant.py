"""The laws in closed loop with a fluid model of TCP: convergence, golden traces."""

import io
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from statistics import fmean
from typing import Any

import pytest
from p4abs.measurements import Interval
from p4abs.policies import Decision, Policy, Targets, create

CAPACITY_BPS = 10e6
BYTES_PER_S = CAPACITY_BPS / 8
INTERVAL_S = 0.02
TARGETS = Targets(0.98, 0.02, None, 3_000, 2_500_000)


@dataclass
class FluidPlant:
    """N AIMD flows behind a buffer of b seconds: p = p* ((R + b_p) / (R + b))^2 (seed 000, (1)),
    idle time = (1 - u*) exp((b_u - b) / b_u); both come in bursts of five intervals on average.

    `loss_optimum_s` and `idle_optimum_s` are b_p and b_u, the buffers that meet the targets.
    """

    loss_optimum_s: float
    idle_optimum_s: float
    base_rtt_s: float = 0.03
    seed: int = 1
    owed_loss_s: float = 0.0
    owed_idle_s: float = 0.0
    bursts: Random = field(init=False)

    def __post_init__(self) -> None:
        self.bursts = Random(self.seed)

    def interval(self, limit_bytes: int) -> Interval:
        """One interval of 20 ms under a limit."""
        buffer_s = limit_bytes / BYTES_PER_S
        ratio = (self.base_rtt_s + self.loss_optimum_s) / (self.base_rtt_s + buffer_s)
        loss = min(0.5, TARGETS.loss * ratio**2)
        optimum_s = self.idle_optimum_s
        idle = min(0.5, (1 - TARGETS.utilization) * 2.72 ** (1 - buffer_s / optimum_s))
        self.owed_loss_s += INTERVAL_S * loss
        self.owed_idle_s += INTERVAL_S * idle
        lost_s = idle_s = 0.0
        if self.bursts.random() < 0.2:
            lost_s, self.owed_loss_s = self.owed_loss_s, 0.0
            idle_s = min(self.owed_idle_s, INTERVAL_S)
            self.owed_idle_s -= idle_s
        sent_bytes = round((INTERVAL_S - idle_s) * BYTES_PER_S)
        return Interval(INTERVAL_S, sent_bytes, round(lost_s * BYTES_PER_S), sent_bytes)


@dataclass(frozen=True)
class Run:
    """Limits in seconds of drain time, one per interval, and what the policy showed every 1 s."""

    limits_s: list[float]
    table: str

    def mean_s(self, start_s: float) -> float:
        """Mean limit from a time to the end."""
        return fmean(self.limits_s[round(start_s / INTERVAL_S) :])

    def settled_after_s(self, optimum_s: float, tolerance: float) -> float:
        """When the one-second mean was last further than `tolerance` from the optimum."""
        seconds = [
            fmean(self.limits_s[start : start + 50]) for start in range(0, len(self.limits_s), 50)
        ]
        off = [s + 1 for s, b in enumerate(seconds) if abs(b / optimum_s - 1) > tolerance]
        return float(max(off, default=0))


def run(
    policy: "Policy[Any] | _MeasuringIdleTime",
    plants: list[FluidPlant],
    seconds_each: int,
    start_s: float,
) -> Run:
    """A policy in closed loop with one plant after the other."""
    limit_bytes = round(start_s * BYTES_PER_S)
    state = policy.start(limit_bytes)
    limits_s: list[float] = []
    table = io.StringIO("time_s,limit_bytes,binding,gain_utilization,gain_loss\n")
    table.seek(0, io.SEEK_END)
    for plant in plants:
        for _ in range(50 * seconds_each):
            state, decision = policy.step(state, plant.interval(limit_bytes))
            limit_bytes = decision.limit_bytes
            limits_s.append(limit_bytes / BYTES_PER_S)
            if len(limits_s) % 50 == 0:
                gains = ",".join(f"{gain:.4g}" for gain in decision.gains.values())
                table.write(f"{len(limits_s) // 50},{limit_bytes},{decision.binding},{gains}\n")
    return Run(limits_s, table.getvalue())


@dataclass(frozen=True)
class _MeasuringIdleTime:
    """A policy whose intervals carry the idle time that the plant's departures leave."""

    policy: Policy[Any]

    def start(self, limit_bytes: int) -> Any:
        return self.policy.start(limit_bytes)

    def step(
        self, state: Any, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[Any, Decision]:
        idle_s = max(0.0, interval.duration_s - interval.departed_bytes / BYTES_PER_S)
        return self.policy.step(state, replace(interval, idle_s=idle_s), memory_left_bytes)


LOSS_BOUND = FluidPlant(loss_optimum_s=0.14, idle_optimum_s=0.01)
IDLE_BOUND = FluidPlant(loss_optimum_s=0.005, idle_optimum_s=0.02)


@pytest.mark.parametrize("plant", [LOSS_BOUND, IDLE_BOUND], ids=["loss", "utilization"])
@pytest.mark.parametrize("start_s", [0.005, 0.6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_corrected_law_finds_the_optimum(plant: FluidPlant, start_s: float, seed: int) -> None:
    optimum_s = max(plant.loss_optimum_s, plant.idle_optimum_s)
    fresh = FluidPlant(plant.loss_optimum_s, plant.idle_optimum_s, seed=seed)
    result = run(create("abs", CAPACITY_BPS, TARGETS), [fresh], 120, start_s)
    assert result.mean_s(start_s=60) == pytest.approx(optimum_s, rel=0.05)
    assert result.settled_after_s(optimum_s, tolerance=0.2) <= 30


@pytest.mark.parametrize("factor", [0.8, 0.95, 1.05, 1.25])
@pytest.mark.parametrize("plant", [LOSS_BOUND, IDLE_BOUND], ids=["loss", "utilization"])
def test_a_wrong_capacity_costs_nothing_where_idle_time_is_measured(
    plant: FluidPlant, factor: float
) -> None:
    optimum_s = max(plant.loss_optimum_s, plant.idle_optimum_s)
    fresh = FluidPlant(plant.loss_optimum_s, plant.idle_optimum_s)
    policy = create("abs", factor * CAPACITY_BPS, TARGETS)
    result = run(_MeasuringIdleTime(policy), [fresh], 120, 0.1)
    assert result.mean_s(start_s=60) == pytest.approx(optimum_s, rel=0.05)


@pytest.mark.parametrize("name", ["abs", "abs-paper", "abs-paper-abs", "adt", "static"])
def test_golden_trace_over_two_load_changes(name: str, golden: Callable[[str, str], None]) -> None:
    plants = [
        FluidPlant(loss_optimum_s=0.14, idle_optimum_s=0.01),
        FluidPlant(loss_optimum_s=0.005, idle_optimum_s=0.02, seed=2),
        FluidPlant(loss_optimum_s=0.14, idle_optimum_s=0.01, seed=3),
    ]
    policy = create(name, CAPACITY_BPS, TARGETS)
    golden(f"../policies/golden/{name}.csv", run(policy, plants, 40, 0.6).table)
