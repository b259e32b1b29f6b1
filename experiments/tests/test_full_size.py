"""What experiments make of their results at full size, with results that are invented: a full run
takes hours, and must not fail at its end."""

import numpy as np
import pytest
from p4abs_experiments.campaign import Measurement, Plan
from p4abs_experiments.experiment import Results
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.links import Link
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.registry import EXPERIMENTS
from p4abs_experiments.run.scheduler import Job
from p4abs_experiments.simulation.result import (
    CellResult,
    FlowResult,
    LinkResult,
    LinkSeries,
    TrafficResult,
)
from p4abs_experiments.size import Size

SAMPLES = 400
OFFERED_BYTES = 1_000_000_000


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # what is invented is still
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_rows_figures_and_sentences_of_full_size_come_about(name: str) -> None:
    experiment = EXPERIMENTS[name]
    results = invented_results(Plan(experiment, Size.FULL))
    rows = experiment.rows(results)
    assert {row.seeds for row in rows} <= {1, len(experiment.seeds)}
    optima = [row.scenario for row in rows if row.policy == "optimum"]
    assert len(optima) == len(set(optima))  # each scenario has its own, under its own name
    figures = experiment.figures(results)
    assert figures or "table" in name
    assert all(figure.axes for figure in figures.values())
    findings = [*experiment.findings(results)]
    sentences = [*findings, *(goal.sentence for goal in experiment.goals(results))]
    assert all(sentences)
    # Nothing differs between what is invented for the papers' groups of flows.
    assert not name.startswith("families") or "nan" not in " ".join(sentences)
    assert findings or any(row.judged_by for row in rows)


def invented_results(plan: Plan) -> Results:
    measurement = Measurement(plan, lambda _: None, lambda _: None)
    for job in measurement.jobs():
        _run(job)
    return measurement.results()


def _run(job: Job) -> None:
    try:
        cells = next(job)
        while True:
            cells = job.send([invented(cell) for cell in cells])
    except StopIteration:
        return


def invented(cell: Cell) -> CellResult:
    scenario = cell.scenario
    return CellResult(
        links=tuple(_link(scenario, link) for link in scenario.links),
        traffic=tuple(_traffic(entry.name) for entry in scenario.traffic),
        window_s=scenario.duration_s - scenario.measure_from_s,
        wall_s=1.0,
        versions={},
    )


def _link(scenario: Scenario, link: Link) -> LinkResult:
    """Idle time and loss fall with the square of the limit, and are 2 % at 50,000 bytes."""
    limit = fixed_limit_bytes(link) if link.sizing else None
    limit_bytes = float(limit or 60_000)
    missed = min(1.0, 0.02 * (50_000 / limit_bytes) ** 2)
    dropped_bytes = round(missed * OFFERED_BYTES)
    admitted_bytes = OFFERED_BYTES - dropped_bytes
    return LinkResult(
        link.name,
        link.capacity_bps,
        limit_bytes,
        limit_bytes / 20,
        *[limit_bytes] * 3,
        mean_occupancy_bytes=limit_bytes / 2,
        utilization=1 - missed,
        loss=missed,
        admitted_bytes=admitted_bytes,
        dropped_bytes=dropped_bytes,
        departed_bytes=admitted_bytes,
        queue_delay_mean_s=0.01,
        queue_delay_p50_s=0.01,
        queue_delay_p95_s=0.02,
        queue_delay_p99_s=0.03,
        series=_series(scenario, limit_bytes),
    )


def _series(scenario: Scenario, limit_bytes: float) -> LinkSeries:
    step_s = scenario.duration_s / SAMPLES
    every = np.ones(SAMPLES)
    return LinkSeries(
        time_s=step_s * np.arange(1, SAMPLES + 1),
        limit_bytes=limit_bytes * every,
        occupancy_bytes=limit_bytes / 2 * every,
        admitted_bytes=10_000 * every,
        dropped_bytes=200 * every,
        departed_bytes=10_000 * every,
        gains={"utilization": every, "loss": every},
        active_flow_us=20_000 * every,
        long_flow_us=10_000 * every,
        timed_bytes=1_000 * every,
        timed_byte_us=5e7 * every,
    )


def _traffic(name: str) -> TrafficResult:
    flow = FlowResult(
        rtt_s=0.05,
        goodput_bps=8e6,
        sent_packets=1000,
        offered_packets=1000,
        lost_packets=10,
        offered_bytes=600_000,
        lost_bytes=6_000,
        window_bytes=10_000 * np.ones(SAMPLES),
    )
    return TrafficResult(name, (flow,) * 3)
