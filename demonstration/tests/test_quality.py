"""A phase that the machine has disturbed is no result; one that it has not is."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from p4abs_demonstration.measure.measurements import conclude
from p4abs_demonstration.measure.phases import Phase
from p4abs_demonstration.measure.quality import MISSED_INTERVALS_MAX, FrameCounts, assess
from p4abs_demonstration.measure.samples import Sample

INTERVAL_S = 0.02
TICK_S = 0.25
FRAME_BYTES = 1500
RATE_BYTES_PER_S = 1_250_000
PHASE = Phase("abs", "", begin_s=0, start_s=10, end_s=20)
END_S = 25.0


def samples(loss: float = 0.02) -> list[Sample]:
    """A link that is always busy and loses a little before its queue."""
    departed = round(RATE_BYTES_PER_S * INTERVAL_S)
    dropped = round(departed * loss)
    return [
        Sample(n * INTERVAL_S, INTERVAL_S, departed, dropped, departed, 60_000, 90_000, "loss")
        for n in range(1, round(END_S / INTERVAL_S) + 1)
    ]


def counts(loss: float = 0.02, seed: int = 1) -> list[FrameCounts]:
    """What the kernel counts beside them, read a little late or early, with frames under way."""
    draw = random.Random(seed)
    ticks = [n * TICK_S for n in range(round(END_S / TICK_S))]
    return [
        FrameCounts(
            time_s,
            round((1 + loss) * RATE_BYTES_PER_S * time_s) + draw.randrange(5) * FRAME_BYTES,
            round(RATE_BYTES_PER_S * max(0, time_s - 0.01)) - draw.randrange(5) * FRAME_BYTES,
            round(4 * RATE_BYTES_PER_S * time_s / FRAME_BYTES),
            0,
        )
        for time_s in ticks
    ]


def from_then_on(found: Sequence[FrameCounts], begin_s: float, **changes: int) -> list[FrameCounts]:
    """Counters that have grown by `changes` since `begin_s`."""
    return [
        replace(count, **{name: getattr(count, name) + by for name, by in changes.items()})
        if count.time_s >= begin_s
        else count
        for count in found
    ]


@pytest.mark.parametrize("seed", range(5))
def test_a_machine_that_keeps_time_gives_results(seed: int) -> None:
    result = conclude(samples(), counts(seed=seed), PHASE, 8 * RATE_BYTES_PER_S, INTERVAL_S)
    assert result.statistics is not None
    assert result.quality.reason() == ""


@pytest.mark.parametrize("missed", [0.0, 0.03, 0.08, 0.5, 1.0])
def test_the_share_of_missed_intervals_is_told_and_decides(missed: float) -> None:
    draw = random.Random(2)
    kept = [s for s in samples() if s.time_s < 10 or draw.random() >= missed]
    # A longer interval takes the place of those that were missed: no byte goes unseen.
    joined = [
        replace(s, duration_s=s.time_s - before, admitted_bytes=round(n), departed_bytes=round(n))
        for s, before in zip(kept[1:], (s.time_s for s in kept), strict=False)
        for n in [RATE_BYTES_PER_S * (s.time_s - before)]
    ]
    quality = assess(joined, counts(loss=0), PHASE, INTERVAL_S)
    assert quality.missed_intervals == pytest.approx(missed, abs=0.02)
    assert quality.disturbed == (missed > MISSED_INTERVALS_MAX)


def test_a_phase_without_samples_is_disturbed_and_not_an_error() -> None:
    early = [sample for sample in samples() if sample.time_s < PHASE.start_s]
    result = conclude(early, counts(), PHASE, 8 * RATE_BYTES_PER_S, INTERVAL_S)
    assert result.statistics is None
    assert "100.0% of intervals missed" in result.quality.reason()


def test_a_short_phase_at_whose_end_the_switch_is_served_late_is_no_loss() -> None:
    short = replace(PHASE, start_s=18)
    late = from_then_on(counts(), 19.5, offered_bytes=RATE_BYTES_PER_S // 20)
    assert not assess(samples(), late, short, INTERVAL_S).disturbed


@pytest.mark.parametrize("share", [0.02, 0.1, 0.9])
def test_bytes_that_the_program_never_saw_are_told(share: float) -> None:
    lost = round(share * RATE_BYTES_PER_S * 10)
    found = from_then_on(counts(), 15, offered_bytes=lost)
    quality = assess(samples(), found, PHASE, INTERVAL_S)
    assert quality.disturbed
    assert quality.unseen_traffic == pytest.approx(share / (1.02 + share), rel=0.1)


def test_bytes_that_were_sent_and_never_delivered_are_told() -> None:
    found = from_then_on(counts(), 12, delivered_bytes=-round(0.05 * RATE_BYTES_PER_S * 10))
    quality = assess(samples(), found, PHASE, INTERVAL_S)
    assert quality.unseen_traffic == pytest.approx(0.05 / 1.02, rel=0.1)


def test_a_single_frame_that_the_kernel_has_dropped_is_told() -> None:
    quality = assess(samples(), from_then_on(counts(), 15, dropped_frames=1), PHASE, INTERVAL_S)
    assert quality.disturbed
    assert 0 < quality.unseen_traffic < 0.001


@pytest.mark.parametrize("begin_s", [2, 22])
def test_what_was_lost_outside_of_the_measured_part_does_not_count(begin_s: float) -> None:
    lost = RATE_BYTES_PER_S
    found = from_then_on(
        counts(), begin_s, offered_bytes=lost, delivered_bytes=-lost, dropped_frames=100
    )
    assert not assess(samples(), found, PHASE, INTERVAL_S).disturbed


def test_bytes_that_the_switch_takes_late_are_not_lost() -> None:
    late = [
        replace(count, offered_bytes=count.offered_bytes + RATE_BYTES_PER_S // 2)
        if 13 <= count.time_s < 19.5
        else count
        for count in counts()
    ]
    assert not assess(samples(), late, PHASE, INTERVAL_S).disturbed
