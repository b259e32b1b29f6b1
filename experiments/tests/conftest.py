"""A small scenario, results without a simulation, and workers that make them at once."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from p4abs.errors import UserError
from p4abs_experiments import command
from p4abs_experiments.network import Link, Scenario, Sizing, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.run.code import code_that_runs, simulator_of
from p4abs_experiments.run.process import Outcome
from p4abs_experiments.simulation.result import (
    CellResult,
    FlowResult,
    LinkResult,
    LinkSeries,
    TrafficResult,
)

CAPACITY_BPS = 16_000_000


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--experiments",
        default="all",
        metavar="NAMES|PATTERN",
        help="Of which `make repro-quick` compares a slice.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """A wrong name ends here, in one line."""
    try:
        command.selected(config.getoption("--experiments").split())
    except UserError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.fixture
def scenario() -> Callable[..., Scenario]:
    """A dumbbell of two flows; arguments are the link's sizing, `duration_s` and `name`."""

    def make(duration_s: float = 2.0, name: str = "dumbbell", **sizing: Any) -> Scenario:
        sizing.setdefault("initial_limit_bytes", 40_000)
        return Scenario(
            name=name,
            links=(Link("bottleneck", CAPACITY_BPS, Sizing(**sizing)),),
            traffic=(TcpFlows(count=2, path=("bottleneck",), rtt_s=(0.02, 0.03)),),
            n_flows=2,
            duration_s=duration_s,
            measure_from_s=duration_s / 2,
        )

    return make


@pytest.fixture
def result() -> Callable[..., CellResult]:
    """A result with the given utilization and loss of its one link."""

    def make(utilization: float = 0.97, loss: float = 0.01, limit: float = 40_000) -> CellResult:
        offered = 1_000_000_000
        samples = np.arange(1.0, 4.0)
        return CellResult(
            links=(
                LinkResult(
                    name="bottleneck",
                    capacity_bps=CAPACITY_BPS,
                    mean_limit_bytes=limit,
                    std_limit_bytes=0.0,
                    limit_p50_bytes=limit,
                    limit_p99_bytes=limit,
                    limit_max_bytes=limit,
                    mean_occupancy_bytes=limit / 2,
                    utilization=utilization,
                    loss=loss,
                    admitted_bytes=offered - round(loss * offered),
                    dropped_bytes=round(loss * offered),
                    departed_bytes=offered - round(loss * offered),
                    queue_delay_mean_s=0.01,
                    queue_delay_p50_s=0.01,
                    queue_delay_p95_s=0.02,
                    queue_delay_p99_s=math.nan,
                    series=LinkSeries(
                        time_s=samples * 0.02,
                        limit_bytes=samples * limit,
                        occupancy_bytes=samples,
                        admitted_bytes=samples,
                        dropped_bytes=samples * loss,
                        departed_bytes=samples,
                        gains={"loss": samples / 7},
                        active_flow_us=samples * 1e5,
                        long_flow_us=samples * 8e4,
                        timed_bytes=samples * 1e4,
                        timed_byte_us=samples * 3e8,
                    ),
                ),
            ),
            traffic=(
                TrafficResult(
                    "tcp", (FlowResult(0.02, 8e6, 9, 9, 1, 5400, 600, window_bytes=samples),)
                ),
            ),
            window_s=1.0,
            wall_s=0.5,
            versions={"p4abs": "0.1.0"},
        )

    return make


class InstantWorkers:
    """Workers whose simulation is a function; `ran` are the cells in their order."""

    count = 2

    def __init__(self, simulation: Callable[[Cell], CellResult]) -> None:
        self.ran: list[Cell] = []
        self._simulation = simulation

    def submit(self, cell: Cell, on_done: Callable[[Cell, Outcome | BaseException], None]) -> None:
        self.ran.append(cell)
        try:
            on_done(cell, (code_that_runs(simulator_of(cell)), self._simulation(cell)))
        except Exception as error:
            on_done(cell, error)

    def stop(self) -> None:
        """Nothing is ever under way."""


@pytest.fixture
def instant_workers() -> type[InstantWorkers]:
    return InstantWorkers


@pytest.fixture
def by_limit(result: Callable[..., CellResult]) -> Callable[[Cell], CellResult]:
    """Loss and utilization as smooth functions of the limit: loss is 2 % at 50,000 bytes."""

    def simulate(cell: Cell) -> CellResult:
        limit = fixed_limit_bytes(cell.scenario.link()) or 40_000
        return result(min(1.0, 0.95 + limit / 1e6), 0.02 * (50_000 / limit) ** 2, limit)

    return simulate
