"""The experiments: loads as described, readings that invert the model, one flow."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import Link, Scenario, ShortFlows, Sizing, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.papers.sizing_router_buffers import EXPERIMENTS
from p4abs_experiments.papers.sizing_router_buffers.figure11 import LongFlows
from p4abs_experiments.papers.sizing_router_buffers.figures10_12 import LOAD
from p4abs_experiments.papers.sizing_router_buffers.figures10_12 import (
    scenario as short_flow_scenario,
)
from p4abs_experiments.papers.sizing_router_buffers.figures13_14 import Mixes
from p4abs_experiments.papers.sizing_router_buffers.models import sawtooth
from p4abs_experiments.papers.sizing_router_buffers.models.gaussian import (
    buffer_for_utilization,
    utilization_bound,
)
from p4abs_experiments.papers.sizing_router_buffers.published import FIGURE_15
from p4abs_experiments.simulation.result import CellResult, LinkResult
from p4abs_experiments.simulation.simulate import simulate

MakeResult = Callable[..., CellResult]

CELL_BUDGET_S, FIGURE_BUDGET_S = 40, 330
S_PER_PACKET = 10e-6


def results_of(experiment: Experiment, simulation: Callable[[Cell], CellResult]) -> Results:
    cells = list(experiment.cells())
    return Results(cells, {simulation_json(cell): simulation(cell) for cell in cells}, {})


def with_link(result: CellResult, link: LinkResult) -> CellResult:
    """`link` under the name that all scenarios use, and short flows beside the long ones."""
    short = replace(result.traffic[0], name="short", completion_mean_s=1.0)
    return replace(result, links=(replace(link, name="link"),), traffic=(*result.traffic, short))


def pipe_packets(cell: Cell) -> float:
    """Of the long flows' mean round-trip time."""
    (flows,) = (entry for entry in cell.scenario.traffic if isinstance(entry, TcpFlows))
    rtt_s = sum(flows.rtt_s) / 2
    return cell.scenario.link().capacity_bps * rtt_s / 8 / flows.packet_bytes


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_a_figure_takes_minutes(experiment: Experiment) -> None:
    full = [cell.packets * S_PER_PACKET for cell in experiment.cells()]
    assert max(full) < CELL_BUDGET_S
    assert sum(full) < FIGURE_BUDGET_S


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_no_scenario_is_named_twice(experiment: Experiment) -> None:
    cells = experiment.cells()
    assert len({cell.scenario.name for cell in cells}) == len(cells)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_every_buffer_is_the_p4_program(experiment: Experiment) -> None:
    links = [link for cell in experiment.cells() for link in cell.scenario.links]
    assert {type(link.buffer).__name__ for link in links} == {"P4Buffer"}


@pytest.mark.parametrize("flow_packets", [2, 14, 62])
def test_short_flows_load_the_link_with_four_fifths(flow_packets: int) -> None:
    scenario = short_flow_scenario(40_000_000, flow_packets, 1000)
    (flows,) = scenario.traffic
    assert isinstance(flows, ShortFlows)
    assert flows.initial_window_segments == 2
    assert flows.size_bytes == pytest.approx(flow_packets * 946)
    offered_bps = 8 * flows.flows_per_s * (flow_packets * 1000 + 92)
    assert offered_bps == pytest.approx(LOAD * 40_000_000)


def test_short_flows_take_a_fifth_of_the_mixes() -> None:
    for cell in Mixes().cells():
        (short,) = (each for each in cell.scenario.traffic if isinstance(each, ShortFlows))
        packets = short.size_bytes / (short.packet_bytes - 54)
        offered_bps = 8 * short.flows_per_s * packets * short.packet_bytes
        assert offered_bps == pytest.approx(0.2 * cell.scenario.link().capacity_bps)


def test_figure_11_reads_equation_6_from_a_link_that_obeys_it(result: MakeResult) -> None:
    def obeying(cell: Cell) -> CellResult:
        limit = fixed_packets(cell)
        used = utilization_bound(pipe_packets(cell), limit, cell.scenario.n_flows)
        link = replace(result().link(), utilization=used, mean_limit_bytes=1000 * limit)
        return with_link(result(), link)

    experiment = LongFlows()
    results = results_of(experiment, obeying)
    rows = [row for row in experiment.rows(results) if row.policy == "abs"]
    assert len(rows) == 10
    for row in rows:
        target = 0.98 if "98.0%" in row.scenario else 0.995
        needed = buffer_for_utilization(1550, row.n_flows, target)
        assert row.static_optimum_bytes == pytest.approx(1000 * needed, rel=0.05)
    assert experiment.figures(results).keys() == {"figure11"}
    assert "equation 6" in experiment.findings(results)[0]


def fixed_packets(cell: Cell) -> float:
    sizing = cell.scenario.link().sizing
    assert sizing is not None
    return sizing.initial_limit_bytes / 1000


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_figures_and_findings_stand_a_link_that_never_meets_a_target(
    experiment: Experiment, result: MakeResult
) -> None:
    starved = with_link(result(utilization=0.5), result(utilization=0.5).link())
    results = results_of(experiment, lambda cell: starved)
    assert experiment.findings(results)
    assert experiment.figures(results)
    assert all(row.ratio is None or math.isfinite(row.ratio) for row in experiment.rows(results))


def test_figure_15_has_every_printed_row_on_both_benches() -> None:
    (linecard,) = (each for each in EXPERIMENTS if each.name == "seed001-figure15")
    cells = [cell for cell in linecard.cells() if cell.paper.utilization is not None]
    limits = [cell.scenario.link().sizing for cell in cells]
    packets = [sizing.initial_limit_bytes // 1500 for sizing in limits if sizing is not None]
    printed = [row.buffer_packets for row in FIGURE_15]
    assert packets == [*printed, *(buffer + 43 for buffer in printed)]


@pytest.mark.parametrize("multiple", [0.5, 1.0, 1.5])
def test_one_flow_uses_the_share_that_the_fluid_sawtooth_predicts(multiple: float) -> None:
    pipe, rate = 50, 1000
    flow = TcpFlows(
        count=1,
        path=("link",),
        rtt_s=((pipe - 1) / rate,) * 2,
        packet_bytes=1000,
        start_s=(0, 0),
        jitter_s=0,
    )
    sizing = Sizing(initial_limit_bytes=round(multiple * pipe) * 1000)
    scenario = Scenario(
        name="one flow",
        links=(Link("link", 8 * 1000 * rate, sizing),),
        traffic=(flow,),
        n_flows=1,
        duration_s=50,
        measure_from_s=10,
    )
    used = simulate(Cell(scenario)).link().utilization
    expected = sawtooth.utilization(pipe, multiple * pipe, rate)
    assert used == pytest.approx(expected, abs=0.012)
