"""Real simulations of a second or two: what is measured, and that policies are in command."""

from dataclasses import replace

import numpy as np
import pytest
from p4abs.errors import UserError
from p4abs.policies import InvalidParameter, UnknownPolicy
from p4abs_experiments.network import (
    CbrFlows,
    InvalidScenario,
    Link,
    P4Buffer,
    PlainBuffer,
    QueueDisc,
    Scenario,
    ShortFlows,
    Sizing,
    TcpFlows,
    WebUsers,
)
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.simulate import simulate

CAPACITY_BPS = 16_000_000


@pytest.fixture(scope="module")
def adaptive():
    """Two seconds of two flows under `abs`."""
    sizing = Sizing(initial_limit_bytes=60_000, policy="abs")
    return simulate(Cell(dumbbell(sizing)))


def dumbbell(sizing: Sizing | None, buffer=P4Buffer(), **changes) -> Scenario:  # noqa: B008
    plain = Scenario(
        name="dumbbell",
        links=(Link("bottleneck", CAPACITY_BPS, sizing, buffer),),
        traffic=(TcpFlows(count=2, path=("bottleneck",), rtt_s=(0.02, 0.03), start_s=(0, 0.1)),),
        n_flows=2,
        duration_s=2.0,
        measure_from_s=1.0,
    )
    return replace(plain, **changes)


def static(limit_bytes: int) -> Sizing:
    return Sizing(initial_limit_bytes=limit_bytes)


def test_series_add_up_to_the_figures_of_the_window(adaptive):
    link = adaptive.link()
    window = link.series.time_s > 1.0 + 1e-9
    assert window.sum() == 50
    assert link.series.departed_bytes[window].sum() == link.departed_bytes
    assert link.series.dropped_bytes[window].sum() == link.dropped_bytes
    assert link.utilization == pytest.approx(8 * link.departed_bytes / CAPACITY_BPS)
    assert link.mean_limit_bytes == pytest.approx(link.series.limit_bytes[window].mean())
    assert link.series.utilization(CAPACITY_BPS, 1.0)[-1] == pytest.approx(link.utilization)
    assert link.series.loss(1.0)[-1] == pytest.approx(link.loss)


def test_a_policy_moves_the_limit_and_tells_its_gains(adaptive):
    series = adaptive.link().series
    assert np.ptp(series.limit_bytes) > 1_000
    assert set(series.gains) == {"utilization", "loss"}
    assert len(series.gains["loss"]) == len(series.time_s) == 100


def test_flows_get_what_the_link_sends(adaptive):
    flows = adaptive.of("tcp").flows
    assert len(flows) == 2
    assert all(0.02 <= flow.rtt_s <= 0.03 for flow in flows)
    assert adaptive.of("tcp").goodput_bps < CAPACITY_BPS
    assert sum(flow.offered_bytes for flow in flows) == (
        adaptive.link().admitted_bytes + adaptive.link().dropped_bytes
    )
    assert sum(flow.lost_bytes for flow in flows) == adaptive.link().dropped_bytes


def test_a_cell_gives_the_same_result_again(adaptive):
    again = simulate(Cell(dumbbell(Sizing(initial_limit_bytes=60_000, policy="abs"))))
    np.testing.assert_array_equal(
        again.link().series.departed_bytes, adaptive.link().series.departed_bytes
    )
    np.testing.assert_array_equal(
        again.link().series.limit_bytes, adaptive.link().series.limit_bytes
    )


def test_a_static_limit_stays(adaptive):
    series = simulate(Cell(dumbbell(static(30_000)))).link().series
    assert set(series.limit_bytes) == {30_000}
    assert series.occupancy_bytes.max() <= 30_000


def test_the_p4_program_and_the_plain_buffer_agree():
    p4 = simulate(Cell(dumbbell(static(20_000))))
    plain = simulate(Cell(dumbbell(static(20_000), PlainBuffer())))
    assert p4.link().departed_bytes == plain.link().departed_bytes
    assert p4.link().dropped_bytes == plain.link().dropped_bytes > 0


def test_a_memory_bound_holds_from_its_time_on():
    sizing = Sizing(initial_limit_bytes=60_000, policy="abs", memory=((0.0, 100_000), (1.0, 9_000)))
    series = simulate(Cell(dumbbell(sizing))).link().series
    assert series.limit_bytes[series.time_s <= 1.0].min() > 9_000
    assert series.limit_bytes[series.time_s > 1.03].max() <= 9_000


def test_links_on_a_path_are_sized_on_their_own():
    links = (
        Link("first", CAPACITY_BPS, static(30_000)),
        Link("second", CAPACITY_BPS // 2, Sizing(initial_limit_bytes=20_000, policy="abs")),
    )
    traffic = (TcpFlows(count=2, path=("first", "second"), rtt_s=(0.02, 0.02)),)
    result = simulate(Cell(dumbbell(None, links=links, traffic=traffic)))
    assert result.link("first").std_limit_bytes == 0
    assert result.link("second").std_limit_bytes > 0
    assert result.link("first").dropped_bytes == 0 < result.link("second").utilization


def test_congestion_windows_are_recorded_on_request(adaptive):
    scenario = dumbbell(static(30_000), record_windows=True)
    windows = [flow.window_bytes for flow in simulate(Cell(scenario)).of("tcp").flows]
    assert [len(window) for window in windows] == [100, 100]
    assert all(window.max() > 10_000 for window in windows)
    assert adaptive.of("tcp").flows[0].window_bytes.size == 0


def test_all_kinds_of_traffic():
    path = ("bottleneck",)
    traffic = (
        TcpFlows(count=1, path=path, rtt_s=(0.02, 0.02), size_bytes=50_000, name="file"),
        CbrFlows(count=2, path=path, rate_bps=1e6),
        WebUsers(count=3, path=path, rtt_s=(0.02, 0.03)),
        ShortFlows(path=path, flows_per_s=20, size_bytes=8_000, rtt_s=(0.02, 0.03)),
    )
    result = simulate(Cell(dumbbell(static(60_000), traffic=traffic, measure_from_s=0.0)))
    assert [entry.name for entry in result.traffic] == ["file", "cbr", "web", "short"]
    (file,) = result.of("file").flows
    assert file.completion_s is not None
    assert 0.02 < file.completion_s < 1.0
    assert result.of("cbr").goodput_bps == pytest.approx(2e6, rel=0.5)
    assert result.of("web").completed > 0
    assert result.of("short").completed == pytest.approx(40, abs=25)
    assert 0.04 < result.of("short").completion_mean_s < 0.5
    assert result.of("short").completion_p95_s >= result.of("short").completion_p50_s


def test_a_queue_disc_takes_no_policy():
    red = QueueDisc("RedQueueDisc", {"MaxSize": "60000B", "MinTh": "10000", "MaxTh": "30000"})
    assert simulate(Cell(dumbbell(None, red))).link().utilization > 0.5
    with pytest.raises(InvalidScenario, match="no policy can size"):
        simulate(Cell(dumbbell(static(9_000), red)))


def test_a_sized_buffer_needs_its_sizing():
    with pytest.raises(InvalidScenario, match="only a queue disc"):
        simulate(Cell(dumbbell(None)))


def test_an_unknown_policy_lists_the_valid_ones():
    with pytest.raises(UnknownPolicy, match=r"valid: abs, .*static"):
        simulate(Cell(dumbbell(Sizing(initial_limit_bytes=9_000, policy="magic"))))


def test_a_missing_parameter_is_named():
    with pytest.raises(InvalidParameter, match="packet_bytes"):
        simulate(Cell(dumbbell(Sizing(initial_limit_bytes=9_000, policy="fpq"))))


def test_an_unknown_congestion_control_is_named():
    traffic = (TcpFlows(count=1, path=("bottleneck",), rtt_s=(0, 0), congestion_control="tahoe"),)
    with pytest.raises(UserError, match="tahoe"):
        simulate(Cell(dumbbell(static(9_000), traffic=traffic)))


@pytest.mark.parametrize("buffer", [P4Buffer, PlainBuffer])
def test_sources_with_ecn_are_marked_where_the_buffer_marks(buffer):
    def flows(*, ecn: bool, marking: bool):
        plain = dumbbell(Sizing(initial_limit_bytes=12_000), buffer(ecn_marking=marking))
        sources = TcpFlows(count=2, path=("bottleneck",), rtt_s=(0.02, 0.03), ecn=ecn)
        return simulate(Cell(replace(plain, traffic=(sources,)))).of("tcp").flows

    marked = flows(ecn=True, marking=True)
    assert sum(flow.marked_packets for flow in marked) > 0
    assert sum(flow.lost_packets for flow in marked) == 0
    for blind in (flows(ecn=False, marking=True), flows(ecn=True, marking=False)):
        assert sum(flow.marked_packets for flow in blind) == 0
        assert sum(flow.lost_packets for flow in blind) > 0
