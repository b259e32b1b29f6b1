"""The experiments on a link that obeys the fluid model, and on one that starves."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.papers.optimal_buffer_size import EXPERIMENTS, published
from p4abs_experiments.papers.optimal_buffer_size.corollaries import Corollaries
from p4abs_experiments.papers.optimal_buffer_size.dumbbell import model
from p4abs_experiments.papers.optimal_buffer_size.figure7 import Figure7
from p4abs_experiments.papers.optimal_buffer_size.figure8 import Figure8
from p4abs_experiments.simulation.result import CellResult

MakeResult = Callable[..., CellResult]


def buffer_packets(cell: Cell) -> float:
    sizing = cell.scenario.link().sizing
    assert sizing is not None
    return sizing.initial_limit_bytes / published.PACKET_BYTES


def results_of(experiment: Experiment, simulation: Callable[[Cell], CellResult]) -> Results:
    cells = list(experiment.cells())
    return Results(cells, {simulation_json(cell): simulation(cell) for cell in cells}, {})


@pytest.fixture
def fluid(result: MakeResult) -> Callable[[Cell], CellResult]:
    """What synchronised fluid flows would give."""

    def simulation(cell: Cell) -> CellResult:
        fluid = model(cell.scenario.n_flows)
        packets = buffer_packets(cell)
        made = result(fluid.utilization(packets), limit=packets * published.PACKET_BYTES)
        queue_bytes = fluid.mean_queue(packets) * published.PACKET_BYTES
        return replace(made, links=(replace(made.link(), mean_occupancy_bytes=queue_bytes),))

    return simulation


def test_figure_8_finds_no_error_of_the_fluid_model_on_a_fluid(
    fluid: Callable[[Cell], CellResult],
) -> None:
    sentences = Figure8().findings(results_of(Figure8(), fluid))
    (of_20,) = (sentence for sentence in sentences if sentence.startswith("20 flows:"))
    assert "fluid model 63 packets" in of_20
    error = float(of_20.split("fluid model 63 packets (")[1].split("%")[0])
    assert abs(error) <= 3


def test_the_corollaries_hold_on_a_fluid(fluid: Callable[[Cell], CellResult]) -> None:
    sentences = Corollaries().findings(results_of(Corollaries(), fluid))
    (at_least,) = (each for each in sentences if each.startswith("Corollary 2, N = 5"))
    assert "used to 100.00%" in at_least
    assert "33% of the buffer" in at_least


def test_figure_7_prints_what_the_seed_measured_without_a_buffer() -> None:
    papers = {cell.scenario.n_flows: cell.paper for cell in Figure7().cells()
              if cell.paper.limit_packets == 0}  # fmt: skip
    assert {n: paper.utilization for n, paper in papers.items()} == {5: 0.644, 20: 0.666}


def test_the_corollaries_need_no_simulation_of_their_own() -> None:
    figure_7 = {simulation_json(cell) for cell in Figure7().cells()}
    assert {simulation_json(cell) for cell in Corollaries().cells()} <= figure_7


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_senders_share_the_bottleneck_and_nothing_else(experiment: Experiment) -> None:
    for cell in experiment.cells():
        paths = [entry.path for entry in cell.scenario.traffic]
        assert {path[-1] for path in paths} == {"bottleneck"}
        assert len({path[0] for path in paths}) == len(paths)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_figures_and_findings_stand_a_link_that_never_fills(
    experiment: Experiment, result: MakeResult
) -> None:
    results = results_of(experiment, lambda cell: result(utilization=0.5))
    assert experiment.findings(results)
    assert experiment.figures(results)
    assert all(math.isfinite(row.utilization) for row in experiment.rows(results))
