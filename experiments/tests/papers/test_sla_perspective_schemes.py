"""Table 3 from the project's policies, at the size of the paper's testbed."""

import math

import pytest
from p4abs.policies import Targets
from p4abs.policies.registry import POLICIES
from p4abs_experiments.papers.sla_perspective import published, scale, schemes
from p4abs_experiments.papers.sla_perspective.traffic import LONG, long_flows, web

CAPACITY_BPS = scale.CAPACITY_BPS * scale.SCALE
TARGETS = Targets(0.98, schemes.BSCL_LOSS, None, 1, 10**9)
LONG_FLOWS = published.LONG_FLOW_SIZES
WEB = published.WEB_SIZES


def packets(scheme: str, n_flows: float, **more: float) -> float:
    parameters = {**schemes.parameters(scheme, n_flows), **more}
    rule = POLICIES[scheme](CAPACITY_BPS, TARGETS, **parameters)  # type: ignore[call-arg]
    return rule.buffer_bytes / published.PACKET_BYTES  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("n_flows", LONG_FLOWS)
def test_three_columns_of_table_3_follow_from_the_policies(n_flows: int) -> None:
    printed = LONG_FLOWS[n_flows]
    assert packets("bdp", n_flows) == pytest.approx(printed.bdp)
    assert math.floor(packets("stanford", n_flows)) == printed.stanford
    assert packets("fpq", n_flows) == pytest.approx(printed.fpq)


@pytest.mark.parametrize("n_flows", [150, 300, 600, 1200])
def test_bscl_at_many_flows_is_its_loss_part(n_flows: int) -> None:
    assert packets("bscl", n_flows) == pytest.approx(LONG_FLOWS[n_flows].bscl)


@pytest.mark.parametrize(("n_flows", "synchronization"), [(30, 0.55), (60, 0.41)])
def test_bscl_at_few_flows_needs_the_seeds_loss_synchronization(
    n_flows: int, synchronization: float
) -> None:
    sized = packets("bscl", n_flows, loss_synchronization=synchronization)
    assert sized == pytest.approx(LONG_FLOWS[n_flows].bscl, abs=1)


@pytest.mark.parametrize("scheme", ["stanford", "bscl", "fpq"])
@pytest.mark.parametrize("level", WEB)
def test_the_flows_behind_a_web_row_give_it_back(scheme: str, level: int) -> None:
    printed = WEB[level]
    n_flows = schemes.flows_behind(scheme, printed)
    assert packets(scheme, n_flows) == pytest.approx(getattr(printed, scheme), abs=0.5)


@pytest.mark.parametrize("level", WEB)
def test_the_web_population_is_that_of_the_fpq_column(level: int) -> None:
    users = schemes.flows_behind("fpq", WEB[level]) / scale.SCALE
    assert web(level).n_flows == pytest.approx(users, rel=0.025)


@pytest.mark.parametrize("level", LONG_FLOWS)
def test_a_tenth_of_the_long_flows_has_small_packets(level: int) -> None:
    load = long_flows(level)
    assert load.mix == LONG
    assert load.n_flows == level / scale.SCALE == sum(entry.count for entry in load.traffic)  # type: ignore[union-attr]
    small = load.n_flows - load.traffic[0].count  # type: ignore[union-attr]
    assert small == pytest.approx(load.n_flows / 10, abs=0.5)


@pytest.mark.parametrize("buffer", published.DROP_TAIL_PACKETS[1:])
def test_buffers_keep_their_seconds(buffer: int) -> None:
    full_size_s = 8 * buffer * published.PACKET_BYTES / CAPACITY_BPS
    assert scale.seconds(scale.limit_bytes(buffer)) == pytest.approx(full_size_s, rel=1e-4)


def test_a_buffer_of_one_packet_stays_one_packet() -> None:
    assert scale.limit_bytes(1) == scale.LARGEST_FRAME_BYTES
