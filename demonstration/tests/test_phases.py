"""The schedule covers the duration; statistics are ratios of sums over measured windows."""

from itertools import pairwise

import pytest
from p4abs_demonstration.measure.phases import (
    NoSamples,
    Phase,
    measure,
    percentile,
    schedule,
)
from p4abs_demonstration.measure.samples import Sample

CAPACITY_BPS = 8e6  # 1 MB/s
PHASE = Phase("abs", "", begin_s=0, start_s=1, end_s=3)


def sample(time_s: float, **changes: float | str) -> Sample:
    """Half of the capacity used, nothing lost, unless changed."""
    values: dict[str, float | str] = {
        "duration_s": 0.5,
        "admitted_bytes": 250_000,
        "dropped_bytes": 0,
        "departed_bytes": 250_000,
        "backlog_bytes": 0,
        "limit_bytes": 1000,
        "binding": "loss",
    }
    return Sample(time_s=time_s, **(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("duration_s", [10, 20, 60, 3600])
def test_phases_follow_each_other_and_fill_the_duration(duration_s: float) -> None:
    phases = schedule(duration_s, "abs")
    assert phases[0].begin_s == 0
    assert phases[-1].end_s == pytest.approx(duration_s)
    for before, after in pairwise(phases):
        assert before.end_s == after.begin_s


def test_every_phase_leaves_its_transient_out() -> None:
    for phase in schedule(60, "abs"):
        assert phase.begin_s < phase.start_s < phase.end_s


def test_load_is_halved_once_and_comes_back() -> None:
    assert [phase.half_load for phase in schedule(60, "abs")] == [False, False, True, False]


def test_the_load_changes_where_flows_leave_and_where_they_return() -> None:
    assert [phase.changes_load for phase in schedule(60, "abs")] == [False, False, True, True]


def test_the_limit_soon_after_a_change_is_told_in_multiples_of_the_mean() -> None:
    phase = Phase("half-load", "", begin_s=0, start_s=4, end_s=6)
    samples = [sample(time_s, limit_bytes=1000) for time_s in (2.8, 3.2, 4.5, 5.0)]
    assert measure(samples, phase, CAPACITY_BPS).soon_limit_ratio is None
    samples += [sample(2.95, limit_bytes=1000), sample(3.05, limit_bytes=3000)]
    assert measure(samples, phase, CAPACITY_BPS).soon_limit_ratio == 2


def test_samples_outside_of_the_window_do_not_count() -> None:
    samples = [sample(0.9, departed_bytes=0), sample(1.5), sample(3.0, departed_bytes=0)]
    assert measure(samples, PHASE, CAPACITY_BPS).utilization == 0.5


def test_loss_is_the_ratio_of_sums_not_the_mean_of_ratios() -> None:
    samples = [
        sample(1.5, admitted_bytes=0, dropped_bytes=100),
        sample(2.0, admitted_bytes=900, dropped_bytes=0),
    ]
    assert measure(samples, PHASE, CAPACITY_BPS).loss == 0.1


def test_mean_limit_is_weighted_by_time() -> None:
    samples = [
        sample(1.5, limit_bytes=1000, duration_s=0.1),
        sample(2.0, limit_bytes=2000, duration_s=0.3),
    ]
    assert measure(samples, PHASE, CAPACITY_BPS).mean_limit_bytes == pytest.approx(1750)


def test_queue_delay_is_the_backlogs_drain_time() -> None:
    samples = [sample(2.0, backlog_bytes=100_000)]
    assert measure(samples, PHASE, CAPACITY_BPS).queue_delay_p50_s == 0.1


def test_binding_is_the_most_frequent_one() -> None:
    samples = [sample(1.5, binding="loss"), sample(2, binding="utilization"), sample(2.5)]
    assert measure(samples, PHASE, CAPACITY_BPS).binding == "loss"


def test_nothing_offered_is_no_loss() -> None:
    idle = sample(2.0, admitted_bytes=0, departed_bytes=0)
    assert measure([idle], PHASE, CAPACITY_BPS).loss == 0


def test_a_window_without_samples_is_an_error() -> None:
    with pytest.raises(NoSamples, match=r"1\.0 s to 3\.0 s"):
        measure([], PHASE, CAPACITY_BPS)


def test_percentiles_are_values_that_occurred() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.99) == 99
    assert percentile([7.0], 0.99) == 7
