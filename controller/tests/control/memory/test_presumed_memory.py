"""What a port may hold of the memory while its answers do not tell: lost, repeated, or of old."""

import numpy as np
import pytest
from p4abs.control import ControlledPort, MemoryPool
from p4abs.control.memory import Lending, Queues, Rank, lending
from p4abs.control.ways import switch_control
from p4abs.measurements import NOTHING, Snapshot
from p4abs.policies import Targets
from p4abs.policies.static import Static

SIZE_BYTES, MIN_BYTES, CAPACITY_BPS = 100_000, 5000, 10_000_000


def queues(
    before: list[Snapshot | None], after: list[Snapshot | None], answered: list[bool]
) -> Queues:
    def columns(snapshots: list[Snapshot | None]):
        known = np.array([each is not None for each in snapshots])
        return Snapshot.batched([each or NOTHING for each in snapshots]), known

    return Queues.between(*columns(before), *columns(after), np.array(answered))


def at(time_us: int, limit_bytes: int, queued_bytes: int = 0) -> Snapshot:
    return Snapshot(time_us, 10 * time_us + queued_bytes, 0, 10 * time_us, limit_bytes)


class Pair:
    """Two ports: one whose answers are as given, and a busy one that would have all memory."""

    def __init__(self, first: Snapshot, begin_bytes: int = 50_000) -> None:
        ranks = [Rank(0, MIN_BYTES), Rank(0, MIN_BYTES)]
        self.lending = Lending(ranks, np.array([begin_bytes, 50_000]), SIZE_BYTES)
        self.before: list[Snapshot | None] = [first, at(1, 50_000, 50_000)]

    def exchange(
        self, now: Snapshot | None, own_bytes: int, other_bytes: int = SIZE_BYTES
    ) -> list[int]:
        last = self.before[1]
        assert last is not None
        limit_bytes = int(self.lending.limit_bytes[1])
        busy = at(last.timestamp_us + 1, limit_bytes, limit_bytes)
        after = [now or self.before[0], busy]
        self.lending.share(
            SIZE_BYTES,
            np.array([own_bytes, other_bytes]),
            queues(self.before, after, [now is not None, True]),
        )
        self.before = after
        limits: list[int] = self.lending.limit_bytes.tolist()
        return limits


@pytest.mark.parametrize("answers", ["lost", "repeated"])
def test_what_a_limit_may_have_let_in_is_nobody_elses_until_an_answer_is_new(answers: str) -> None:
    # It tells of the limit before the one that is in force.
    first = at(1, 30_000, 30_000)
    pair = Pair(first)
    for _ in range(20):
        _, other = pair.exchange(None if answers == "lost" else first, 10_000)
        assert other == 50_000
    pair.exchange(at(50, 10_000, 10_000), 10_000)
    for time_us in (51, 52, 53):
        own, other = pair.exchange(at(time_us, 10_000, 10_000), 10_000)
    assert (own, other) == (10_000, 90_000)


def test_where_time_stands_without_traffic_a_new_limit_proves_an_answer_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As by RegisterEntry and BF Runtime: a snapshot's time is that of the last packet."""
    monkeypatch.setattr(lending, "KEPT_EXCHANGES", lending.REMEMBERED_EXCHANGES + 1)
    pair = Pair(at(1, 50_000))
    silent = Snapshot(1, 10, 0, 10, 50_000)
    for _ in range(80):
        own, other = pair.exchange(silent, 50_000)
        silent = Snapshot(1, 10, 0, 10, own)
    assert (own, other) == (MIN_BYTES, SIZE_BYTES - MIN_BYTES)


def test_a_limit_found_in_force_is_held_until_the_switch_takes_another() -> None:
    """A controller has taken over, and the switch refuses the port's first limit."""
    pair = Pair(at(1, 0), begin_bytes=10_000)
    pair.lending.presume([0], np.array([50_000]))
    pair.before[0] = None
    for _ in range(10):
        _, other = pair.exchange(None, 10_000)
        assert other == 50_000


def test_no_limit_rises_while_more_is_held_than_there_is() -> None:
    """A queue that had no limit for a while is longer than its limit may ever be."""
    pair = Pair(at(1, 50_000, 50_000))
    for time_us in range(2, 6):
        own, _ = pair.exchange(at(time_us, 50_000, 80_000), 70_000, 30_000)
        assert own == 50_000
    for time_us in range(6, 12):
        own, other = pair.exchange(at(time_us, own, own), 70_000, 30_000)
    assert (own, other) == (70_000, 30_000)


def test_ports_that_could_not_be_read_are_left_alone_and_hold_the_rest_together() -> None:
    """The other controller had let one have nearly all of it, and that one refuses to fall."""
    policy = Static(CAPACITY_BPS, Targets(0.98, 0.02, None, MIN_BYTES, SIZE_BYTES))
    ports = [
        ControlledPort(n, CAPACITY_BPS, policy, 30_000, rank=Rank(0, MIN_BYTES)) for n in range(3)
    ]
    control = switch_control(ports)
    pool = MemoryPool(SIZE_BYTES)
    control.share(pool)
    control.presume({0: at(1, 10_000)}, {1: 45_000, 2: 45_000}, pool)
    assert control.limits_to_write().keys() == {0}
    control.decide({0: at(1, 10_000), 1: at(1, 8000)}, pool)
    for time_us in range(2, 10):
        limits = control.limits_to_write()
        assert 2 not in limits
        taken = {port: at(time_us, control.limits()[port]) for port in (0, 1)}
        control.decide(taken, pool)
        assert sum(control.limits()[port] for port in (0, 1)) <= SIZE_BYTES - 82_000
    control.decide({2: at(10, 82_000)}, pool)
    assert control.limits()[2] <= 82_000


def test_first_limits_rise_into_what_nobody_holds() -> None:
    """Of the limits that a controller begins with, one that is to fall may be refused."""
    policy = Static(CAPACITY_BPS, Targets(0.98, 0.02, None, MIN_BYTES, SIZE_BYTES))
    rank = Rank(0, MIN_BYTES)
    ports = [ControlledPort(n, CAPACITY_BPS, policy, 50_000, rank=rank) for n in range(2)]
    control = switch_control(ports)
    pool = MemoryPool(SIZE_BYTES)
    control.share(pool)
    control.presume({0: at(1, 80_000), 1: at(1, 0, 15_000)}, {}, pool)
    assert control.limits() == {0: 50_000, 1: MIN_BYTES + 5000}
    control.presume({0: at(1, 0), 1: at(1, 0)}, {}, pool)
    assert sum(control.limits().values()) <= SIZE_BYTES


def test_what_stands_in_a_paused_links_queue_is_held_however_long_it_pauses() -> None:
    paused = Snapshot(1, 60_000, 0, 0, 50_000)
    pair = Pair(paused)
    for time_us in range(2, 500):
        _, other = pair.exchange(Snapshot(time_us, 60_000, 0, 0, 10_000), 10_000)
        assert other <= SIZE_BYTES - 60_000 or time_us == 2


def test_a_port_found_without_a_limit_begins_with_its_least() -> None:
    """Another one, found at the same time, has more than was presumed."""
    policy = Static(CAPACITY_BPS, Targets(0.98, 0.02, None, MIN_BYTES, SIZE_BYTES))
    rank = Rank(0, MIN_BYTES)
    ports = [ControlledPort(n, CAPACITY_BPS, policy, 45_000, rank=rank) for n in range(3)]
    control = switch_control(ports)
    pool = MemoryPool(SIZE_BYTES)
    control.share(pool)
    control.presume({0: at(1, 10_000)}, {1: 45_000, 2: 45_000}, pool)
    control.decide({0: at(1, 10_000)}, pool)
    control.decide({0: at(2, 10_000), 1: at(2, 0), 2: at(2, 80_000)}, pool)
    assert control.limits()[1] <= SIZE_BYTES - 80_000 - 10_000
