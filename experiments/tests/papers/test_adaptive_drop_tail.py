"""The experiments of the ADT paper: users, disciplines and figures as the letter describes them."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import QueueDisc, Scenario, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.papers.adaptive_drop_tail import EXPERIMENTS
from p4abs_experiments.papers.adaptive_drop_tail.figure2 import Users
from p4abs_experiments.papers.adaptive_drop_tail.figure3 import (
    FEWEST,
    MOST,
    ChangingUsers,
    active_users,
)
from p4abs_experiments.papers.adaptive_drop_tail.published import TABLE, discipline_of, jain_index
from p4abs_experiments.papers.adaptive_drop_tail.table import Table
from p4abs_experiments.simulation.result import CellResult

MakeResult = Callable[..., CellResult]

CELL_BUDGET_S, FIGURE_BUDGET_S = 60, 330
S_PER_PACKET = 10e-6


def users_of(scenario: Scenario) -> list[TcpFlows]:
    return [entry for entry in scenario.traffic if isinstance(entry, TcpFlows)]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_a_figure_takes_minutes(experiment: Experiment) -> None:
    full = [cell.packets * S_PER_PACKET for cell in experiment.cells()]
    assert max(full) < CELL_BUDGET_S
    assert sum(full) < FIGURE_BUDGET_S


def test_the_table_has_the_printed_rows_and_scale() -> None:
    cells = Table().cells()
    printed = {cell.scenario.name: cell for cell in cells if cell.paper.utilization is not None}
    assert printed.keys() == TABLE.keys()
    for cell in cells:
        assert all(link.capacity_bps == 200_000_000 for link in cell.scenario.links)
        for entry in users_of(cell.scenario):
            assert (entry.count, entry.rtt_s, entry.packet_bytes) == (1000, (0.04, 0.44), 1500)
    drop_tail = printed["drop-tail"].scenario.link().sizing
    assert drop_tail is not None
    assert drop_tail.initial_limit_bytes == 500 * 1500
    assert isinstance(printed["adaptive RED"].scenario.link().buffer, QueueDisc)


def test_traffic_both_ways_meets_its_acknowledgements() -> None:
    (scenario,) = (
        cell.scenario for cell in Table().cells() if cell.scenario.name == "adt, both ways"
    )
    forward, backward = users_of(scenario)
    assert (forward.path, forward.reverse_path) == (backward.reverse_path, backward.path)


def test_adt_keeps_to_the_letter_s_parameters() -> None:
    for experiment in EXPERIMENTS[:3]:
        for cell in experiment.cells():
            sizing = cell.scenario.link().sizing
            if sizing is not None and sizing.policy == "adt":
                assert sizing.utilization == 0.99
                assert sizing.parameters == {}, "the policy's defaults are the letter's"


def test_users_come_and_go_as_the_axis_says() -> None:
    scenario = ChangingUsers().cells()[0].scenario
    times_s = np.arange(1, scenario.duration_s, 0.5) + 0.01
    expected = active_users(times_s)
    for time_s, count in zip(times_s, expected, strict=True):
        active = sum(
            user.start_s[0] <= time_s and (user.stop_s is None or time_s < user.stop_s)
            for user in users_of(scenario)
        )
        assert active == count
    assert expected.max() == MOST
    assert expected.min() == FEWEST


def test_figure_4_varies_only_the_period_and_the_factor() -> None:
    cells = EXPERIMENTS[3].cells()
    pairs = set()
    for cell in cells:
        sizing = cell.scenario.link().sizing
        assert sizing is not None
        if sizing.policy == "adt":
            pairs.add(tuple(sorted(sizing.parameters.items())))
    assert len(pairs) == 9
    assert {cell.scenario.n_flows for cell in cells} == {20, 200}


def test_jain_s_index_runs_from_one_user_to_all() -> None:
    assert jain_index([5.0] * 7) == pytest.approx(1)
    assert jain_index([5.0, 0, 0, 0]) == pytest.approx(1 / 4)
    assert jain_index([0.0, 0.0]) == 1


def test_goodput_is_counted_in_whole_frames(result: MakeResult) -> None:
    one = result()
    flow = replace(one.traffic[0].flows[0], goodput_bps=16e6 * 1446 / 1500)
    full = replace(one, traffic=(replace(one.traffic[0], flows=(flow,)),))
    assert discipline_of(full, 1500).goodput == pytest.approx(1)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_figures_and_findings_are_made_of_any_result(
    experiment: Experiment, result: MakeResult
) -> None:
    def simulation(cell: Cell) -> CellResult:
        one = result()
        time_s = np.arange(1, 11) * cell.scenario.duration_s / 10
        flat = np.ones_like(time_s)
        series = replace(
            one.link().series,
            time_s=time_s,
            limit_bytes=60_000 * flat,
            occupancy_bytes=30_000 * flat,
            departed_bytes=2_000 * flat,
            admitted_bytes=2_000 * flat,
            dropped_bytes=100 * flat,
            gains={},
        )
        links = (replace(one.link(), name=link.name, series=series) for link in cell.scenario.links)
        return replace(one, links=tuple(links))

    cells = list(experiment.cells())
    by_simulation = {simulation_json(cell): simulation(cell) for cell in cells}
    results = Results(cells, by_simulation, {})
    assert experiment.findings(results)
    assert experiment.figures(results)
    assert len(experiment.rows(results)) >= len(cells)


def test_the_fit_of_adt_to_the_square_root_rule_is_told(result: MakeResult) -> None:
    figure_2 = Users()
    cells = figure_2.cells()
    by_simulation = {simulation_json(cell): result(limit=40_000) for cell in cells}
    *_, fit = figure_2.findings(Results(cells, by_simulation, {}))
    # 40 kB of 1500-byte packets over a pipe of 750 packets, for 2 to 1000 users.
    lowest, highest = (40_000 / 1_500 / 750 * math.sqrt(users) for users in (2, 1_000))
    assert f"{lowest:.2f} to {highest:.2f} times" in fit
