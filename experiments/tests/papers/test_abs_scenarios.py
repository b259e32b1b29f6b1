"""The ABS paper's scenarios have the numbers that the paper states."""

from itertools import pairwise

import pytest
from p4abs_experiments.network import CbrFlows, QueueDisc, Scenario, ShortFlows, TcpFlows, WebUsers
from p4abs_experiments.papers.adaptive_buffer_sizing import EXPERIMENTS
from p4abs_experiments.papers.adaptive_buffer_sizing.figures import (
    figure1,
    figure4,
    figure9,
    figures2_3,
    figures5_6,
    figures7_8,
    non_bottleneck,
)
from p4abs_experiments.papers.adaptive_buffer_sizing.published import TABLE_1
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import Goal, law
from p4abs_experiments.papers.adaptive_buffer_sizing.tables import table1, tables2_3
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tables2_3 import TABLES


def goal_of(scenario: Scenario, link: str | None = None) -> Goal:
    sizing = scenario.link(link).sizing
    assert sizing is not None
    return Goal(sizing.utilization, sizing.loss)


def tcp_count(scenario: Scenario) -> int:
    return sum(entry.count for entry in scenario.traffic if isinstance(entry, TcpFlows))


def test_names_are_distinct() -> None:
    names = [experiment.name for experiment in EXPERIMENTS]
    assert len(set(names)) == len(names)


def test_table_1_has_its_rows_buffers_and_target_queue() -> None:
    assert len(TABLE_1) == 7
    cell = table1.managed("cubic", "REM", 10)
    link = cell.scenario.link()
    assert isinstance(link.buffer, QueueDisc)
    assert link.buffer.attributes["MaxSize"] == "6000B"
    assert link.buffer.attributes["Target"] == "50"
    assert link.buffer.attributes["MeanPktSize"] == "600"
    assert (link.capacity_bps, tcp_count(cell.scenario)) == (10_000_000, 20)
    assert cell.paper.limit_packets == 10
    assert cell.paper.loss == pytest.approx(0.0784)


def test_in_table_1_flows_understand_marks_where_rem_marks() -> None:
    for disc, marks in (("REM", True), ("tail drop", False)):
        [flows] = table1.managed("cubic", disc, 100).scenario.traffic
        assert isinstance(flows, TcpFlows)
        assert flows.ecn is marks


def test_figure_1_has_ten_sources_at_100_megabit() -> None:
    scenario = figure1.cell("htcp", 64).scenario
    (flows,) = scenario.traffic
    assert isinstance(flows, TcpFlows)
    assert (flows.count, flows.packet_bytes, flows.rtt_s) == (10, 1500, (0.030, 0.050))
    assert scenario.link().capacity_bps == 100_000_000
    sizing = scenario.link().sizing
    assert sizing is not None
    assert sizing.initial_limit_bytes == 64 * 1500


@pytest.mark.parametrize("trained", [False, True])
def test_figures_2_and_3_take_the_published_gain_and_interval(trained: bool) -> None:
    sizing = (
        figures2_3.scenario(figures2_3.published("abs-paper", trained), figures2_3.TIGHT)
        .link()
        .sizing
    )
    assert sizing is not None
    assert sizing.interval_s == 0.2
    assert sizing.parameters == {
        "utilization_gain": 3000,
        "loss_gain": 3000,
        "step_size": float(trained),
    }
    assert (Goal(0.95, 0.005), Goal(0.70, 0.05)) == (figures2_3.TIGHT, figures2_3.LOOSE)


def test_figure_4_has_60_40_20_40_60_flows() -> None:
    scenario = figure4.scenario(law("abs"))
    assert goal_of(scenario) == Goal(0.90, 0.02)
    edges = [48.0 * number for number in range(6)]
    assert scenario.duration_s == edges[-1]
    counts = [
        sum(
            entry.count
            for entry in scenario.traffic
            if isinstance(entry, TcpFlows)
            and entry.start_s[0] <= begin_s
            and (entry.stop_s is None or entry.stop_s >= end_s)
        )
        for begin_s, end_s in pairwise(edges)
    ]
    assert tuple(counts) == figure4.FLOWS == (60, 40, 20, 40, 60)


def test_figure_4_sets_have_the_same_round_trip_times_in_steps_and_steady_loads() -> None:
    steady = figure4.steady_scenario(40).traffic
    steps = figure4.scenario(law("abs")).traffic
    for traffic in (steady, steps):
        rtts_s = [entry.rtt_s for entry in traffic if isinstance(entry, TcpFlows)]
        sets = {tuple(rtts_s[start : start + 20]) for start in range(0, len(rtts_s), 20)}
        assert len(sets) == 1
        assert rtts_s[0] == pytest.approx((0.033, 0.033))
        assert rtts_s[19] == pytest.approx((0.147, 0.147))


def test_web_users_have_the_stated_distributions() -> None:
    scenario = figures5_6.scenario(law("abs"), figures5_6.WEB_USERS, figures5_6.DURATION_S)
    ftp, users = scenario.traffic
    assert isinstance(ftp, TcpFlows)
    assert isinstance(users, WebUsers)
    assert ftp.count == 20
    assert (users.pages, users.page_gap_s) == ((10, 2000), 1.0)
    assert (users.objects, users.object_gap_s) == ((1, 5), 0.01)
    assert (users.object_bytes, users.pareto_shape) == (10_000, 1.2)
    assert goal_of(scenario) == Goal(0.90, 0.02)


def test_figure_6_bounds_the_memory_as_stated() -> None:
    assert figures5_6.MEMORY_BYTES == (
        (0.0, 60_000),
        (250.0, 30_000),
        (500.0, 90_000),
        (750.0, 48_000),
        (1000.0, 36_000),
    )
    assert figures5_6.DURATION_S == 1200


def test_figure_7_gives_a_fifth_of_the_capacity_to_udp() -> None:
    udp = next(entry for entry in figures7_8.FIGURE_7.traffic if isinstance(entry, CbrFlows))
    assert udp.count * udp.rate_bps == 0.2 * figures7_8.FIGURE_7.capacity_bps
    others = [
        entry for entry in figures7_8.FIGURE_7.traffic if isinstance(entry, TcpFlows | WebUsers)
    ]
    assert [entry.count for entry in others] == [20, 20]


def test_figure_8_has_ten_flows_of_five_variants_at_100_megabit() -> None:
    scenario = figures7_8.FIGURE_8.scenario("abs")
    assert tcp_count(scenario) == 50
    assert scenario.link().capacity_bps == 100_000_000
    assert {entry.rtt_s for entry in scenario.traffic if isinstance(entry, TcpFlows)} == {
        (0.040, 0.060)
    }
    assert goal_of(scenario) == Goal(0.90, 0.02)


def test_figure_9_has_three_sets_and_two_targets() -> None:
    scenario = figure9.scenario(law("abs"))
    assert [link.capacity_bps for link in scenario.links] == [50_000_000, 20_000_000]
    assert goal_of(scenario, figure9.FIRST) == Goal(0.95, 0.01)
    assert goal_of(scenario, figure9.SECOND) == Goal(0.75, 0.05)
    flows = [
        (type(entry), entry.count)
        for entry in scenario.traffic
        if not isinstance(entry, ShortFlows)
    ]
    assert flows == 3 * [(TcpFlows, 20), (WebUsers, 10), (CbrFlows, 10)]


def test_loads_of_the_non_bottleneck_stay_below_the_target() -> None:
    smooth, bursty = (non_bottleneck.loads()[name][0] for name in ("smooth UDP", "bursty UDP"))
    assert isinstance(smooth, CbrFlows)
    assert isinstance(bursty, CbrFlows)
    assert bursty.on_s is not None
    share = bursty.on_s / (bursty.on_s + bursty.off_s)
    half = non_bottleneck.CAPACITY_BPS / 2
    assert smooth.count * smooth.rate_bps == half
    assert bursty.count * bursty.rate_bps * share == half


def test_table_2_has_the_published_law_with_other_gains() -> None:
    table = TABLES[0]
    gains = {
        (cell.scenario.n_flows, sizing.parameters["loss_gain"])
        for cell in table.cells()
        if (sizing := cell.scenario.link().sizing) is not None and "loss_gain" in sizing.parameters
    }
    assert gains == {(n, gain) for n in (2, 4, 8, 16, 64) for gain in tables2_3.OTHER_GAINS}
