"""ABM's number of congested queues, from queues at the ends of intervals."""

from types import SimpleNamespace

import numpy as np
import pytest
from p4abs.sharing import Congestion

B = 1_000_000


def follow(congestion: Congestion, backlogs: dict[int, int]) -> dict[int, float]:
    steps = SimpleNamespace(
        ports=np.array([*backlogs]), occupancy_bytes=np.array([*backlogs.values()])
    )
    return dict(congestion.follow(steps))


def test_empty_queues_are_not_congested_and_one_is_what_there_is_at_least() -> None:
    assert follow(Congestion(B, [1.0] * 3, [0, 0, 2]), {0: 0, 1: 0, 2: 0}) == {0: 1.0, 2: 1.0}


def test_queues_count_by_how_near_they_are_to_their_thresholds() -> None:
    """Of a million bytes half is free: alpha 1 allows 500 kB, alpha 1/2 half of that."""
    congestion = Congestion(B, [1.0, 0.5, 1.0, 1.0], [0, 0, 0, 0])
    assert follow(congestion, {0: 250_000, 1: 125_000, 2: 125_000, 3: 0}) == {0: 1.2}


def test_a_queue_above_its_threshold_counts_once() -> None:
    congestion = Congestion(B, [0.125] * 2, [0, 0])
    assert follow(congestion, {0: 400_000, 1: 400_000}) == {0: 2.0}


def test_classes_count_by_themselves() -> None:
    congestion = Congestion(B, [0.25] * 4, [7, 7, 7, 0])
    backlogs = {0: 200_000, 1: 200_000, 2: 200_000, 3: 0}
    assert follow(congestion, backlogs) == {0: 1.0, 7: 3.0}


def test_a_port_without_a_new_interval_keeps_its_queue() -> None:
    congestion = Congestion(B, [0.25] * 2, [0, 0])
    follow(congestion, {0: 400_000, 1: 400_000})
    assert follow(congestion, {1: 400_000}) == {0: 2.0}
    assert follow(congestion, {0: 0}) == {0: 1.0}


@pytest.mark.parametrize("queues", [1, 2, 5, 20])
def test_queues_that_fill_what_they_may_are_all_counted(queues: int) -> None:
    """Each goes to its threshold, alpha / n times what is free, and that is where it stays."""
    alpha, congestion = 0.5, Congestion(B, [0.5] * queues, [0] * queues)
    number, backlog = 1.0, 0
    for _ in range(50):
        # What is above a threshold that has fallen has drained by the end of the interval.
        backlog = int(alpha / number * B / (1 + queues * alpha / number))
        number = follow(congestion, dict.fromkeys(range(queues), backlog))[0]
    assert number == queues
    assert queues * backlog == pytest.approx(alpha * B / (1 + alpha), rel=0.01)


def test_full_memory_leaves_no_threshold_to_divide_by() -> None:
    assert follow(Congestion(B, [1.0] * 2, [0, 0]), {0: B, 1: 0}) == {0: 1.0}
