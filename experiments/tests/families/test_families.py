"""The families: what they cover, and what they make of results without a simulation."""

import math
from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from p4abs.config.values import PRIORITIES
from p4abs_experiments.campaign import Plan
from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.goal import Verdict
from p4abs_experiments.experiment.judgement import goals as goals_of
from p4abs_experiments.experiment.optimum import Optimum, OptimumTask
from p4abs_experiments.families import (
    EXPERIMENTS,
    intervals,
    links,
    objectives,
    sources,
    targets,
    two_way,
)
from p4abs_experiments.families.disturbances import (
    BEGIN_S,
    KINDS,
    LENGTHS_S,
    Disturbances,
    returning,
)
from p4abs_experiments.families.light_loads import LightLoads
from p4abs_experiments.families.links import LINKS
from p4abs_experiments.families.memory.priorities import Priorities
from p4abs_experiments.families.objectives import P4BS
from p4abs_experiments.families.two_way import BothWaysSized
from p4abs_experiments.network import Scenario, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import optimum_key_of, simulation_json
from p4abs_experiments.network.policies import adaptive_policies, fixed_limit_bytes
from p4abs_experiments.network.priorities import RankedPool
from p4abs_experiments.network.times import Span
from p4abs_experiments.simulation.result import CellResult, LinkSeries, TrafficResult
from p4abs_experiments.size import Size

MakeResult = Callable[..., CellResult]

MAX_PACKETS = 6e6
"""In a run: a minute or two of processor time."""


@pytest.fixture
def simulated(result: MakeResult) -> Callable[[Cell], CellResult]:
    """Every link of a cell with 97 % utilization, 1 % loss and a limit of 40 kB throughout."""

    def simulate(cell: Cell) -> CellResult:
        whole = result()
        time_s = np.arange(0.5, cell.scenario.duration_s + 0.5, 0.5)
        ones = np.ones(len(time_s))
        series = LinkSeries(
            time_s,
            40_000 * ones,
            *[ones] * 4,
            active_flow_us=20_000 * ones,
            long_flow_us=ones,
            timed_bytes=ones,
            timed_byte_us=ones,
        )
        link = replace(whole.link(), series=series, queue_delay_p99_s=0.02)
        return replace(
            whole,
            links=tuple(replace(link, name=each.name) for each in cell.scenario.links),
            traffic=tuple(TrafficResult(each.name, ()) for each in cell.scenario.traffic),
        )

    return simulate


def results_of(experiment: Experiment, simulate: Callable[[Cell], CellResult]) -> Results:
    plan = Plan(experiment, Size.FULL)
    return Results(
        plan.cells(),
        {simulation_json(cell): simulate(cell) for cell in plan.cells()},
        {optimum_key_of(each.scenario, each.link): found(each, simulate) for each in plan.optima()},
    )


def found(task: OptimumTask, simulate: Callable[[Cell], CellResult]) -> Optimum:
    cell = Cell(task.scenario, policy="optimum")
    return Optimum(
        task.scenario.link().name, 38_000.0, "utilization", (), ((cell, simulate(cell)),)
    )


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_no_run_takes_longer_than_is_bearable(experiment: Experiment) -> None:
    cells = Plan(experiment, Size.FULL).cells()
    assert max(cell.packets for cell in cells) <= MAX_PACKETS


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_what_adapts_is_measured_with_five_seeds_or_more(experiment: Experiment) -> None:
    seeds: dict[str, set[int]] = {}
    for cell in Plan(experiment, Size.FULL).cells():
        if adaptive_policies(cell.scenario):
            seeds.setdefault(simulation_json(replace(cell, seed=0)), set()).add(cell.seed)
    assert seeds
    assert {len(each) for each in seeds.values()} == {len(experiment.seeds)}
    assert len(experiment.seeds) >= 5


def test_the_links_reach_from_2_mbps_to_10_gbps_and_from_50_us_to_300_ms() -> None:
    rates = [link.capacity_bps for link in LINKS.values()]
    rtts = [sum(link.rtt_s) / 2 for link in LINKS.values()]
    spreads = [link.rtt_s[1] / link.rtt_s[0] for link in LINKS.values()]
    assert (min(rates), max(rates)) == (2_000_000, 10_000_000_000)
    assert min(rtts) == pytest.approx(50e-6)
    assert max(rtts) == pytest.approx(0.3)
    assert max(spreads) == pytest.approx(30)


def test_a_link_far_above_its_optimum_is_a_goal_missed(
    simulated: Callable[[Cell], CellResult],
) -> None:
    results = results_of(links.FAMILY, simulated)
    large = {key: replace(optimum, limit_bytes=30_000.0) for key, optimum in results.optima.items()}
    _, price = goals_of(links.FAMILY.rows(replace(results, optima=large)))
    assert price.verdict is Verdict.MISSED
    assert "in 0 of 11 cells" in price.sentence


def test_a_thousand_drops_are_due_at_every_loss_target() -> None:
    for scenario in targets.LOSS_TARGETS.scenarios:
        sizing, rate_bps = scenario.link().sizing, scenario.link().capacity_bps
        assert sizing is not None
        window_s = scenario.duration_s - scenario.measure_from_s
        packets = 5 * window_s * rate_bps / 8 / scenario.traffic[0].packet_bytes
        assert packets * sizing.loss >= 999


def test_p4bs_is_told_the_flows_and_round_trip_times_that_there_are() -> None:
    cells = [cell for cell in objectives.FAMILY.cells() if cell.policy in P4BS]
    assert len(cells) == 3 * len(P4BS)
    for cell in cells:
        (flows,), sizing = cell.scenario.traffic, cell.scenario.link().sizing
        assert isinstance(flows, TcpFlows)
        assert sizing is not None
        assert sizing.parameters["n_flows"] == flows.count
        assert sizing.parameters["mean_rtt_s"] == sum(flows.rtt_s) / 2


def test_flows_of_the_sources_are_not_simulated_again_for_objectives() -> None:
    known = {simulation_json(cell) for cell in sources.FAMILY.cells()}
    ours = [cell for cell in objectives.FAMILY.cells() if cell.policy_label == "abs"]
    assert [cell.scenario.name for cell in ours if simulation_json(cell) in known] == [
        "4 cubic",
        "256 newreno",
    ]


def test_both_ways_have_data_whose_acknowledgements_take_the_other() -> None:
    for experiment in (two_way.ONE_WAY, BothWaysSized()):
        for cell in experiment.cells():
            there, back = cell.scenario.traffic
            assert isinstance(there, TcpFlows)
            assert isinstance(back, TcpFlows)
            assert (there.path, there.reverse_path) == (back.reverse_path, back.path)
            assert cell.scenario.name.startswith(f"{there.count} there, {back.count} back")


def test_an_optimum_of_one_way_is_searched_while_the_other_stays_as_under_abs() -> None:
    cells, tasks = two_way.ONE_WAY.cells(), two_way.ONE_WAY.optima()
    for cell, task in zip(cells, tasks, strict=True):
        (there, back), (tried, other) = cell.scenario.links, task.cells(50_000)[0].scenario.links
        assert (fixed_limit_bytes(there), fixed_limit_bytes(tried)) == (None, 50_000)
        assert fixed_limit_bytes(back) == fixed_limit_bytes(other) == 100_000


def test_two_controllers_have_no_optimum_to_be_compared_with() -> None:
    adapted = [cell for cell in BothWaysSized().cells() if cell.policy_label == "abs"]
    assert len(adapted) == 3
    for cell in adapted:
        assert [fixed_limit_bytes(link) for link in cell.scenario.links] == [None, None]
    assert not BothWaysSized().optima()


def test_links_of_one_memory_are_alike_but_for_priorities_that_a_port_may_have() -> None:
    for cell in Priorities().cells():
        scenario = cell.scenario
        (pool,) = scenario.pools
        assert isinstance(pool, RankedPool)
        assert {*pool.priorities} <= {*PRIORITIES}
        first, *others = scenario.links
        assert all(replace(link, name=first.name) == first for link in others)
        flows, *more = scenario.traffic
        assert all(replace(each, path=flows.path, name=flows.name) == flows for each in more)


def test_of_links_that_share_a_memory_the_one_above_all_others_is_judged(
    simulated: Callable[[Cell], CellResult],
) -> None:
    def first_alone(cell: Cell) -> CellResult:
        whole = simulated(cell)
        first, *others = whole.links
        return replace(whole, links=(replace(first, utilization=0.98), *others))

    results = results_of(Priorities(), first_alone)
    (target,) = goals_of(Priorities().rows(results))
    assert target.verdict is Verdict.MET
    assert "in 6 of 6 cells" in target.sentence


@pytest.mark.parametrize(
    ("limit_bytes", "verdict"), [(17_000, Verdict.MET), (18_000, Verdict.MISSED)]
)
def test_limits_above_the_memory_are_a_goal_missed(
    simulated: Callable[[Cell], CellResult], limit_bytes: int, verdict: Verdict
) -> None:
    def limited(cell: Cell) -> CellResult:
        whole = simulated(cell)
        return replace(
            whole,
            links=tuple(
                replace(link, series=replace(link.series, limit_bytes=np.array([limit_bytes])))
                for link in whole.links
            ),
        )

    (memory,) = Priorities().goals(results_of(Priorities(), limited))
    assert memory.verdict is verdict


def limits(*stretches: tuple[float, float]) -> LinkSeries:
    """A limit that is constant in stretches of so many seconds each, sampled every 0.1 s."""
    values = np.concatenate([np.full(round(10 * length_s), value) for length_s, value in stretches])
    time_s = (np.arange(len(values)) + 1) / 10
    return LinkSeries(time_s, values, *[np.zeros(len(values))] * 4)


def test_a_limit_that_doubles_for_ten_sawteeth_is_back_when_the_next_five_are_level() -> None:
    back = returning(limits((50, 100.0), (1, 100.0), (10, 200.0), (30, 105.0)), 10, (50, 51), 1.0)
    assert back.highest == 2
    # Ten sawteeth too high; a mean of five within 10 % may hold a quarter of one of them.
    assert 9.5 <= back.sawteeth <= 10


def test_a_limit_that_never_comes_back_takes_forever() -> None:
    back = returning(limits((50, 100.0), (40, 140.0)), 10, (50, 51), 1.0)
    assert (back.highest, back.sawteeth) == (1.4, math.inf)


def spans_of(scenario: Scenario) -> tuple[Span, ...]:
    """When something is disturbed."""
    link = scenario.link()
    return (*scenario.traffic[0].pauses, *link.stalls, *link.outages)


def test_every_disturbance_is_as_long_as_its_name_says() -> None:
    *disturbed, undisturbed = Disturbances().cells()
    assert not spans_of(undisturbed.scenario)
    for cell in disturbed:
        scenario = cell.scenario
        ((begin_s, end_s),) = spans_of(scenario)
        assert scenario.name.endswith(f"of {end_s - begin_s:g} s")


@pytest.mark.parametrize(
    ("level", "away_s", "verdict"),
    [
        (140.0, 10.0, Verdict.MET),
        (160.0, 10.0, Verdict.MISSED),
        (140.0, 40.0, Verdict.UNDECIDED),
    ],
)
def test_a_disturbance_is_judged_by_the_highest_limit_and_the_mean_time_until_it_is_back(
    result: MakeResult, level: float, away_s: float, verdict: Verdict
) -> None:
    """One run of twenty is disturbed for longer than is allowed."""

    def simulate(cell: Cell) -> CellResult:
        away = (level, away_s) if cell.seed == 1 else (100.0, away_s)
        series = limits((BEGIN_S + 5, 100.0), away[::-1], (60 - away_s, 100.0))
        link = replace(result().link(), name=cell.scenario.link().name, series=series)
        return replace(result(), links=(link,))

    found = Disturbances()
    goals = found.goals(results_of(found, simulate))
    assert len(goals) == len(KINDS) * len(LENGTHS_S)
    assert {each.verdict for each in goals if "of 5 s" in each.sentence} == {verdict}


def with_first_link(whole: CellResult, **changes: float) -> CellResult:
    return replace(whole, links=(replace(whole.links[0], **changes), *whole.links[1:]))


@pytest.mark.parametrize(("loss", "verdict"), [(0.0205, Verdict.MET), (0.0211, Verdict.MISSED)])
def test_a_small_buffer_behind_a_light_load_must_not_lose_more_than_asked(
    simulated: Callable[[Cell], CellResult], loss: float, verdict: Verdict
) -> None:
    results = results_of(LightLoads(), lambda cell: with_first_link(simulated(cell), loss=loss))
    assert goals_of(LightLoads().rows(results))[0].verdict is verdict


def test_nothing_but_loss_binds_a_link_that_is_no_bottleneck(
    simulated: Callable[[Cell], CellResult],
) -> None:
    results = results_of(LightLoads(), simulated)
    assert {each.binding for each in results.optima.values()} == {"utilization"}
    assert {row.binding for row in LightLoads().rows(results)} == {"loss"}


@pytest.mark.parametrize(
    ("spread_bytes", "verdict"), [(100.0, Verdict.MET), (8_000.0, Verdict.UNDECIDED)]
)
def test_control_intervals_are_judged_by_the_ends_of_their_intervals(
    simulated: Callable[[Cell], CellResult], spread_bytes: float, verdict: Verdict
) -> None:
    """The means are about equal. What seeds alone decide, as a link's round-trip times, differs by
    half of the limit, and does not matter."""
    chance = Random(1)

    def simulate(cell: Cell) -> CellResult:
        limit_bytes = 40_000.0 + 1_000.0 * cell.seed + chance.gauss(0.0, spread_bytes)
        return with_first_link(simulated(cell), mean_limit_bytes=limit_bytes)

    results = results_of(intervals.FAMILY, simulate)
    assert intervals.FAMILY.goals(results)[0].verdict is verdict


def test_a_control_interval_whose_limit_is_larger_is_seen(
    simulated: Callable[[Cell], CellResult],
) -> None:
    def simulate(cell: Cell) -> CellResult:
        sizing = cell.scenario.link().sizing
        assert sizing is not None
        longer = sizing.interval_s > 0.01
        return with_first_link(simulated(cell), mean_limit_bytes=45_000 if longer else 40_000)

    results = results_of(intervals.FAMILY, simulate)
    assert intervals.FAMILY.goals(results)[0].verdict is Verdict.MISSED
