"""Snapshots of several ports, in arrays and one by one."""

import numpy as np
import pytest
from p4abs.measurements import Interval, Snapshot
from p4abs.snapshots import SnapshotsByPort, snapshots_at

MAX = 2**64 - 1
TAKEN = {
    7: Snapshot(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    3: Snapshot(1, MAX, 0, MAX - 1, 0),
    9: Snapshot(2, 0, 0, 0, 1500, None, None, 8, None, 0),
}


def in_arrays(taken: dict[int, Snapshot]) -> SnapshotsByPort:
    return SnapshotsByPort([*taken], Snapshot.batched([*taken.values()]))


def test_arrays_hold_the_snapshots_that_they_were_made_of() -> None:
    assert in_arrays(TAKEN) == TAKEN


def test_a_port_without_snapshot_is_a_key_error() -> None:
    taken = in_arrays(TAKEN)
    assert 8 not in taken
    assert taken.get(8) is None
    with pytest.raises(KeyError):
        taken[8]


@pytest.mark.parametrize(
    "numbers", [(7, 3, 9), (9, 7, 3), (7, 3), (7, 8, 3, 9)], ids=["all", "turned", "some", "more"]
)
def test_ports_get_the_same_snapshots_from_arrays_as_one_by_one(numbers: tuple[int, ...]) -> None:
    columns, present = snapshots_at(numbers, in_arrays(TAKEN))
    expected, expected_present = snapshots_at(numbers, TAKEN)
    assert np.array_equal(present, expected_present)
    assert present.tolist() == [number in TAKEN for number in numbers]
    assert columns == expected


def test_a_limit_that_does_not_fit_into_an_array_is_as_large_as_does() -> None:
    columns = Snapshot.batched([Snapshot(1, 0, 0, 0, MAX), Snapshot(1, 0, 0, 0, 1500)])
    assert columns.limit_bytes.tolist() == [2**63 - 1, 1500]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"idle_s": 1.5}, "idle_s must be between 0 and duration_s"),
        ({"least_backlog_bytes": 9, "greatest_backlog_bytes": 8}, "the least backlog must be"),
    ],
)
def test_an_interval_that_cannot_be_is_refused(wrong: dict[str, float], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Interval(1.0, 900, 0, 900, **wrong)


def timed(timed_bytes: int | None, timed_byte_us: int | None) -> Interval:
    return Interval(1.0, 900, 0, 900, timed_bytes=timed_bytes, timed_byte_us=timed_byte_us)


@pytest.mark.parametrize(
    ("timed_bytes", "timed_byte_us", "round_trip_s"),
    [
        (2_000, 60_000_000, 0.03),
        (2_000, 2_000_000_000, 1.0),
        (0, 0, None),
        (None, None, None),
        (2_000, 0, None),
        (2_000, 2_200_000_000, None),
        (2_000, None, None),
    ],
)
def test_the_round_trip_is_the_mean_by_bytes_and_unknown_where_none_can_have_been_timed(
    timed_bytes: int | None, timed_byte_us: int | None, round_trip_s: float | None
) -> None:
    port = timed(timed_bytes, timed_byte_us)
    assert port.round_trip_s == round_trip_s
    [batched_s] = Interval.batched([port]).round_trip_s
    assert batched_s == pytest.approx(np.nan if round_trip_s is None else round_trip_s, nan_ok=True)
