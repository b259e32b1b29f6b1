"""Memory that queues share (p4src/adaptive/memory/shared.p4), in virtual time and to the byte."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p4src.tests.v1model_queues import ALPHA_1, LOST_US, SCALE_1, SOURCE, STALL_US, Queues, frame

SMALL_BYTES = 3_000
DROP_PORT = 511


@dataclass(frozen=True)
class Step:
    """Time passes, then a frame arrives."""

    wait_us: int
    port: int
    size: int


STEPS = st.lists(
    st.builds(
        Step,
        wait_us=st.sampled_from([0, 0, 0, 0, 1, 500, 1_500, 20_000, STALL_US + 1]),
        port=st.sampled_from([2, 3, 4]),
        size=st.integers(60, 1514),
    ),
    min_size=40,
    max_size=80,
)


@settings(max_examples=25)
@given(STEPS, st.integers(1_514, 12_000), st.integers(1, 4 * ALPHA_1), st.sampled_from([1, 2, 5]))
def test_what_is_occupied_is_what_stands_in_the_queues_and_never_more_than_there_is(
    steps: list[Step], memory: int, alpha: int, share: int
) -> None:
    """Also where frames are lost behind the program, and with one port that has no threshold."""
    queues = Queues(small_bytes=SMALL_BYTES)
    queues.set_memory(memory)
    queues.share(2, alpha)
    queues.share(4, ALPHA_1, memory_class=7)
    queues.scale(7, SCALE_1 // share)
    for step in steps:
        queues.run(step.wait_us)
        queues.offer(step.port, step.size)
        held = sum(map(queues.backlog, queues.ports))
        assert queues.queued() <= queues.occupied <= min(held, memory)
        if queues.now_us < LOST_US:
            assert queues.occupied == held
    # Once they have drained, and a frame has left each port, all is free.
    queues.run(STALL_US + 12_000)
    for port in queues.ports:
        queues.offer(port, 60)
    queues.run(1_000)
    assert queues.occupied == sum(map(queues.backlog, queues.ports)) == queues.queued() == 0


@settings(max_examples=25)
@given(STEPS, st.integers(1_514, 12_000), st.integers(1, 4 * ALPHA_1), st.sampled_from([1, 2, 5]))
def test_a_frame_is_admitted_exactly_up_to_its_threshold_or_by_an_empty_queue(
    steps: list[Step], memory: int, alpha: int, share: int
) -> None:
    queues = Queues()
    queues.set_memory(memory)
    queues.share(2, alpha)
    queues.share(4, alpha, memory_class=7)
    queues.scale(7, SCALE_1 // share)
    scales = {2: SCALE_1, 4: SCALE_1 // share}
    for step in steps:
        queues.run(step.wait_us)
        free = memory - queues.occupied
        backlog = queues.backlog(step.port)
        fits = step.size <= free
        if step.port in scales and backlog:
            threshold = (free * alpha // ALPHA_1) * scales[step.port] // SCALE_1
            fits = fits and backlog + step.size <= threshold
        assert queues.offer(step.port, step.size) == fits


def test_what_was_lost_is_free_when_nothing_has_moved_for_long_enough() -> None:
    """Though no frame comes to its port: the mailbox looks at it."""
    queues = Queues(small_bytes=SMALL_BYTES)
    for _ in range(20):
        queues.offer(4, 1514)
    for _ in range((STALL_US + LOST_US) // 100_000):
        queues.run(100_000)
        queues.snapshot(4)
        assert queues.queued() < queues.occupied
    queues.run(200_000)
    queues.snapshot(4)
    assert queues.occupied == queues.queued() == 0


def test_what_a_paused_link_holds_is_not_free() -> None:
    queues = Queues()
    queues.pause(2, 9_000_000)
    queues.set_memory(5_000)
    for _ in range(900):
        queues.offer(2, 500)
        queues.offer(3, 500)
        queues.snapshot(2)
        assert queues.queued() == queues.occupied <= 5_000
        queues.run(10_000)
    queues.run(10_000)
    assert queues.occupied == queues.queued() == 0


def test_what_leaves_after_it_was_taken_for_lost_is_given_back_once() -> None:
    queues = Queues()
    queues.pause(2, STALL_US + 2 * LOST_US)
    for _ in range(3):
        queues.offer(2, 1_000)
    for _ in range(2 * LOST_US // 100_000):
        queues.run(100_000)
        queues.snapshot(2)
    assert (queues.occupied, queues.queued()) == (0, 3_000)
    assert queues.offer(2, 60)
    assert queues.occupied == 60
    queues.run(STALL_US + 1_500)
    assert (queues.occupied, queues.queued()) == (60, 1_060)
    queues.run(5_000)
    assert queues.occupied == queues.queued() == 0


def test_a_link_that_takes_longer_for_a_frame_than_the_stall_timeout_keeps_its_memory() -> None:
    queues = Queues(rate_bps=8_000)
    for _ in range(3):
        queues.offer(2, 1500)
    queues.run(STALL_US + 1)
    assert queues.offer(2, 60)
    assert queues.occupied == queues.queued() == 3060
    queues.run(STALL_US)
    assert queues.occupied == queues.queued() == 1560


def test_a_port_that_nothing_leaves_by_does_not_keep_the_memory() -> None:
    """An entry that forwards to the port that drops."""
    queues = Queues()
    queues.set_memory(5_000)
    queues.forward(frame(9, 6)[:6], DROP_PORT)
    for _ in range(20):
        queues.engine.inject(SOURCE, frame(9, 1_000), 0)
    queues.run(0)
    assert queues.occupied == 5_000
    queues.run(STALL_US + 1)
    for _ in range(3):
        queues.snapshot(DROP_PORT)
        queues.run(LOST_US)
    assert queues.occupied == 0


@pytest.mark.parametrize(("count", "alpha"), [(1, 1.0), (4, 1.0), (4, 0.5), (8, 2.0), (16, 8.0)])
def test_queues_come_to_rest_where_dynamic_thresholds_say(count: int, alpha: float) -> None:
    """alpha / (1 + n alpha) of the memory each (Choudhury and Hahne 1998, equation 2)."""
    size, memory = 200, 400_000
    queues = Queues(ports=range(2, 2 + count))
    queues.set_memory(memory)
    for port in queues.ports:
        queues.share(port, round(alpha * ALPHA_1))
    for _ in range(memory // size + 1):
        for port in queues.ports:
            queues.offer(port, size)
    expected = alpha * memory / (1 + count * alpha)
    for port in queues.ports:
        assert queues.backlog(port) == pytest.approx(expected, abs=2 * (1 + alpha) * size)


def test_the_memory_of_a_program_that_is_loaded_anew_is_free() -> None:
    queues = Queues()
    for _ in range(5):
        queues.offer(2, 1000)
    assert queues.occupied == 4000  # one is in transmission
    queues.engine.load(queues.program)
    assert queues.occupied == 0
    queues.run(10_000)
    assert queues.occupied == 0
