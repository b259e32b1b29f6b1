"""The number of flows: when a change is seen, and what is none."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from p4abs.policies.abs.flow_count import LOW_BLOCKS, MIN_BLOCK_S, SETTLING_S, FlowCount

WINDOW_S = 0.125
DRAIN_TIME_S = 0.1


@dataclass
class Count:
    """A count under way, and when it has seen changes."""

    count: FlowCount = field(default_factory=FlowCount)
    now_s: float = 0.0
    changes: list[tuple[float, float, float]] = field(default_factory=list)

    def see(
        self,
        for_s: float,
        flows: float,
        young: float = 0.0,
        drain_time_s: float = DRAIN_TIME_S,
        *,
        queue: float = 0.0,
        loses: bool = True,
    ) -> None:
        for _ in range(round(for_s / WINDOW_S)):
            self.now_s += WINDOW_S
            self.count = self.count.after(
                WINDOW_S, flows * WINDOW_S, young * WINDOW_S, drain_time_s, queue, loses=loses
            )
            if self.count.changes:
                self.changes.append((self.now_s, self.count.before, self.count.flows))


def steady(flows: float, young: float = 0.0) -> Count:
    """A count of flows that have been there for long."""
    count = Count()
    count.see(2 * MIN_BLOCK_S, flows)
    count.see(20.0, flows, young)
    count.changes.clear()
    count.now_s = 0.0
    return count


def test_flows_that_stay_are_counted_and_change_nothing() -> None:
    count = steady(16)
    count.see(10.0, 16)
    assert count.count.flows == pytest.approx(16)
    assert not count.changes


def test_flows_that_begin_are_seen_within_a_quarter_of_a_second() -> None:
    count = steady(16)
    count.see(0.5, 32, young=16)
    count.see(5.0, 32)
    [(seen_s, before, _)] = count.changes
    assert seen_s <= 0.25
    assert before == pytest.approx(16)
    assert count.count.flows == pytest.approx(32, rel=0.02)


def test_their_number_is_known_while_they_are_young() -> None:
    count = steady(16)
    count.see(0.5, 32, young=16)
    assert count.count.flows == pytest.approx(32, rel=0.1)


def test_one_window_that_shows_too_many_of_them_is_believed_by_half() -> None:
    count = steady(16)
    count.see(0.375, 32, young=16)
    before = count.count.flows
    count.see(WINDOW_S, 64, young=48)
    assert before < count.count.flows <= 40


@pytest.mark.parametrize("drain_time_s", [0.1, 0.8])
def test_flows_that_end_are_seen_after_three_blocks(drain_time_s: float) -> None:
    count = steady(32)
    count.see(4.0, 16, drain_time_s=drain_time_s)
    [(seen_s, before, after)] = count.changes
    assert seen_s <= (LOW_BLOCKS + 1) * max(drain_time_s / 2, MIN_BLOCK_S)
    assert (before, after) == (pytest.approx(32), pytest.approx(16, rel=0.1))
    assert count.count.flows == pytest.approx(16, rel=0.1)


@pytest.mark.parametrize(("flows", "queue"), [(16, 0.76), (24, 0.9)])
def test_flows_that_still_fill_the_queue_have_not_ended(flows: float, queue: float) -> None:
    count = steady(32)
    count.see(LOW_BLOCKS * MIN_BLOCK_S, flows, queue=queue)
    count.see(20.0, flows, queue=1.0)
    assert not count.changes
    assert count.count.flows == pytest.approx(flows, rel=0.1)


@pytest.mark.parametrize(("flows", "queue"), [(16, 0.74), (24, 0.85)])
@pytest.mark.parametrize("shrinks_in", range(LOW_BLOCKS))
def test_a_queue_that_shrinks_in_any_of_the_three_blocks_is_enough(
    flows: float, queue: float, shrinks_in: int
) -> None:
    count = steady(32)
    for block in range(LOW_BLOCKS):
        count.see(WINDOW_S, flows, queue=queue if block == shrinks_in else 1.0)
        count.see(WINDOW_S, flows, queue=1.0)
    assert [before for _, before, _ in count.changes] == [pytest.approx(32)]


def test_a_queue_that_shrank_before_the_three_blocks_does_not_count() -> None:
    count = steady(32)
    count.see(MIN_BLOCK_S, 16, queue=0.5)
    count.see(MIN_BLOCK_S, 32, queue=1.0)
    count.see(LOW_BLOCKS * MIN_BLOCK_S, 16, queue=1.0)
    assert not count.changes


@pytest.mark.parametrize("windows_before", range(4))
def test_a_pause_of_all_flows_is_no_end_and_its_end_no_beginning(windows_before: int) -> None:
    count = steady(16)
    count.see(windows_before * WINDOW_S, 16)
    pause_s = 0.375
    count.see(pause_s, 0)
    count.see(WINDOW_S, 16 * (pause_s + WINDOW_S) / WINDOW_S)
    count.see(5.0, 16)
    assert not count.changes


def test_old_flows_that_are_taken_for_new_ones_are_not_more() -> None:
    count = steady(16)
    count.see(0.5, 16, young=12)
    count.see(2.0, 16)
    assert not count.changes


@pytest.mark.parametrize("packets", [2, 3])
@pytest.mark.parametrize("lasts_s", [0.25, 1.0, 20.0])
def test_a_flood_of_short_flows_that_lose_nothing_is_not_more_flows_nor_its_end_fewer(
    packets: int, lasts_s: float
) -> None:
    forged = 100.0 * (packets - 1)
    count = steady(16)
    count.see(lasts_s, 16 + forged, young=forged, loses=False)
    count.see(20.0, 16, loses=False)
    assert not count.changes
    assert count.count.flows == pytest.approx(16, rel=0.01)


def test_a_flood_hides_no_flows_that_end() -> None:
    count = steady(32)
    count.see(2.0, 32 + 100, young=100, loses=False)
    count.see(20.0, 16, loses=False)
    assert [before for _, before, _ in count.changes] == [pytest.approx(32)]
    assert count.count.flows == pytest.approx(16, rel=0.01)


def test_usual_short_flows_that_end_are_not_fewer_long_ones() -> None:
    count = steady(24, young=8)
    count.see(5.0, 16)
    assert not count.changes
    assert count.count.flows == pytest.approx(16, rel=0.05)


def test_short_flows_that_are_usually_there_count_neither_way() -> None:
    count = steady(24, young=8)
    assert count.count.flows == pytest.approx(16, rel=0.05)
    count.see(5.0, 24, young=8)
    assert not count.changes


def test_a_change_of_less_than_a_quarter_is_none() -> None:
    count = steady(16)
    count.see(0.5, 19, young=3)
    count.see(5.0, 19)
    count.see(5.0, 16)
    assert not count.changes
    assert count.count.flows == pytest.approx(16, rel=0.1)


def test_where_the_number_is_noise_a_change_has_to_be_larger() -> None:
    def noisy(extra: int) -> Count:
        count = steady(16)
        for _ in range(40):
            count.see(WINDOW_S, 16 + 4, young=4)
            count.see(3 * WINDOW_S, 16)
        count.changes.clear()
        count.see(0.5, 16 + extra, young=extra)
        return count

    assert not noisy(6).changes
    assert noisy(48).changes


def test_where_the_number_is_noise_more_flows_have_to_be_missing() -> None:
    def noisy(fewer: int) -> Count:
        count = steady(16)
        for _ in range(20):
            count.see(MIN_BLOCK_S, 12)
            count.see(MIN_BLOCK_S, 20)
        count.changes.clear()
        count.see(LOW_BLOCKS * MIN_BLOCK_S, 16 - fewer)
        return count

    assert not noisy(4).changes
    assert noisy(12).changes


def test_a_link_without_flows_keeps_its_number_for_those_that_come_next() -> None:
    count = steady(16)
    count.see(5.0, 0)
    assert not count.changes
    assert count.count.flows == pytest.approx(16)
    count.see(0.5, 8, young=8)
    count.see(12.0, 8)
    assert count.count.flows == pytest.approx(8, rel=0.05)


def test_a_link_that_has_never_had_flows_has_a_number_and_no_error() -> None:
    count = Count()
    count.see(5.0, 0)
    assert 0 < count.count.flows < 1
    count.see(0.5, 16, young=16)
    count.see(5.0, 16)
    assert count.count.flows == pytest.approx(16, rel=0.01)


def test_a_change_that_is_under_way_is_one() -> None:
    count = steady(16)
    for flows in (20, 24, 28, 32):
        count.see(WINDOW_S, flows, young=flows - 16)
    count.see(SETTLING_S, 32)
    count.see(3.0, 32)
    assert len(count.changes) == 1
    assert count.count.flows == pytest.approx(32, rel=0.02)


def test_ports_together_are_as_each_alone() -> None:
    rng = np.random.default_rng(1)
    alone = [FlowCount() for _ in range(5)]
    together = FlowCount().over(5)
    for step in range(400):
        flows = rng.integers(1, 40, 5) * (1 + (step // 100))
        young = rng.integers(0, 2, 5) * flows * 0.5
        drain_time_s = rng.choice([0.1, 0.7], 5)
        queue = rng.uniform(0.0, 1.5, 5)
        seen = (flows * WINDOW_S, young * WINDOW_S, drain_time_s, queue)
        loses = rng.random(5) < 0.5
        together = together.after(np.full(5, WINDOW_S), *seen, loses=loses)
        alone = [
            each.after(WINDOW_S, *(float(column[port]) for column in seen), loses=bool(loses[port]))
            for port, each in enumerate(alone)
        ]
    assert together == FlowCount.batched(alone)
