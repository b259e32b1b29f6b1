"""The queue limit of the v1model programs: who is let in, marked and turned away."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p4src.tests.v1model_queues import ALPHA_1, BUILDS, REAL_QUEUES, STALL_US, Queues, frame

PORT = 2
MTU_BYTES = 9216
NOT_ECT, ECT_1, ECT_0, CE = range(4)
ARRIVALS = st.lists(
    st.tuples(st.sampled_from([0, 0, 1, 700, 2_000, 12_000]), st.integers(60, MTU_BYTES)),
    min_size=30,
    max_size=60,
)


def ipv6(size: int, ecn: int) -> bytes:
    header = (0x6000_0000 | ecn << 20).to_bytes(4, "big") + (size - 54).to_bytes(2, "big")
    return frame(PORT, size, b"\x86\xdd" + header)


@pytest.mark.parametrize("build", BUILDS)
@settings(max_examples=15)
@given(ARRIVALS, st.integers(1, 12_000))
def test_a_frame_is_let_in_exactly_if_the_queue_is_empty_or_has_room_for_it(
    build: str, arrivals: list[tuple[int, int]], limit: int
) -> None:
    queues = Queues(build)
    queues.exchange(PORT, limit)
    for wait_us, size in arrivals:
        queues.run(wait_us)
        backlog = queues.snapshot(PORT).backlog_bytes
        assert queues.offer(PORT, size) == (backlog == 0 or backlog + size <= limit)


@pytest.mark.parametrize("build", BUILDS)
def test_frames_longer_than_the_limit_arrive_beside_short_ones(build: str) -> None:
    """An MTU of 9000 with a delay cap of 5 ms at 10 Mbit/s."""
    queues = Queues(build)
    queues.exchange(PORT, 6_250)
    for turn in range(2_000):
        queues.offer(PORT, (1_000, 8_000)[turn % 2])
        queues.run(3_000)
    lengths = [len(bytes_) for _, bytes_ in queues.sent]
    assert lengths.count(8_000) > 100 < lengths.count(1_000)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("ecn", [NOT_ECT, ECT_1, ECT_0, CE])
def test_what_an_empty_queue_lets_in_is_not_marked(build: str, ecn: int) -> None:
    queues = Queues(build)
    queues.exchange(PORT, limit=1, marking=1)
    sent = ipv6(1_000, ecn)
    assert queues.offer_frame(PORT, sent)
    queues.run(1_000)
    assert queues.sent == [(PORT, sent)]
    assert queues.snapshot(PORT).marked_bytes == 0


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize(("ecn", "is_marked"), [(NOT_ECT, 0), (ECT_1, 0), (ECT_0, 1), (CE, 1)])
def test_only_senders_that_take_a_mark_for_a_drop_are_marked(
    build: str, ecn: int, is_marked: int
) -> None:
    """Those that set ECT(1) expect marks from a short queue (RFC 9331)."""
    queues = Queues(build)
    queues.exchange(PORT, limit=1_500, marking=1)
    while queues.snapshot(PORT).backlog_bytes < 1_000:
        queues.offer(PORT, 1_000)
    assert queues.offer_frame(PORT, ipv6(1_000, ecn)) == bool(is_marked)
    seen = queues.snapshot(PORT)
    assert (seen.marked_bytes, seen.dropped_bytes) == (1_000 * is_marked, 1_000 * (1 - is_marked))
    queues.run(10_000)
    if is_marked:
        assert queues.sent[-1] == (PORT, ipv6(1_000, CE))


def test_a_full_memory_has_no_room_for_an_empty_queue_either() -> None:
    queues = Queues()
    queues.set_memory(5_000)
    queues.exchange(3, marking=1)
    for _ in range(6):
        assert queues.offer(PORT, 1_000)  # one is in transmission
    assert not queues.offer(3, 60)
    assert queues.snapshot(3).dropped_bytes == 60
    queues.run(1_000)
    assert not queues.offer(3, 1_001)
    assert queues.offer(3, 1_000)


def test_a_threshold_leaves_an_empty_queue_a_frame_that_the_memory_has_room_for() -> None:
    queues = Queues()
    queues.set_memory(20_000)
    queues.share(3, 1)
    for _ in range(10):
        queues.offer(PORT, 1_000)
    assert queues.offer(3, 1_500)  # it is in transmission
    assert queues.offer(3, 1_500)
    assert not queues.offer(3, 60)
    queues.share(4, ALPHA_1)
    assert queues.offer(4, 1_500)


@pytest.mark.parametrize("build", REAL_QUEUES)
def test_a_paused_link_lets_in_a_frame_a_second_beyond_its_limit(build: str) -> None:
    queues = Queues(build)
    paused_s = 8
    queues.pause(PORT, paused_s * 1_000_000)
    queues.exchange(PORT, 5_000)
    for _ in range(paused_s * 100 - 1):
        queues.offer(PORT, 500)
        queues.run(10_000)
        assert queues.snapshot(PORT).backlog_bytes == queues.queued(PORT)
    beyond = queues.queued(PORT) - 5_000
    assert (paused_s - 2) * 500 <= beyond <= paused_s * 500
    queues.run(100_000)
    assert queues.snapshot(PORT).backlog_bytes == 0


@pytest.mark.parametrize("build", REAL_QUEUES)
def test_a_queue_that_goes_on_is_not_idle_while_it_drains(build: str) -> None:
    """Though it had been found to stand still."""
    queues = Queues(build)
    queues.pause(PORT, 3_000_000)
    for _ in range(50):
        queues.offer(PORT, 1_000)
    for _ in range(149):
        queues.run(20_000)
        queues.snapshot(PORT)
    queues.run(20_000)
    before = queues.snapshot(PORT)
    assert before.backlog_bytes == 49_000
    queues.run(40_000)
    after = queues.snapshot(PORT)
    assert after.departed_bytes - before.departed_bytes == 40_000
    assert after.unsaturated_us == before.unsaturated_us


@pytest.mark.parametrize("build", REAL_QUEUES)
@pytest.mark.parametrize("limit", [0, 60, 30_000])
def test_one_frame_repairs_the_count_of_a_queue_that_lost_its_end(build: str, limit: int) -> None:
    queues = Queues(build, small_bytes=3_000)
    for _ in range(20):
        queues.offer(4, 1_000)
    queues.exchange(4, limit)
    queues.run(STALL_US)
    assert queues.snapshot(4).backlog_bytes == 16_000
    queues.run(5_000)
    assert queues.offer(4, 1_000)
    assert queues.snapshot(4).backlog_bytes == 0
    assert queues.offer(4, 1_000)  # the one before is in transmission


def test_a_fast_virtual_queue_drains_however_long_it_was_silent() -> None:
    """Also where rate and time are a product of more than 64 bits."""
    for rate in (1 << 36, (1 << 36) - 1, 10**13 * 2**20 // 8_000_000):
        queues = Queues("virtual_queue")
        queues.engine.registers_write([("drain_rate", PORT, 1)])
        queues.offer(PORT, 1_000)
        queues.engine.registers_write([("drain_rate", PORT, rate)])
        assert queues.snapshot(PORT).backlog_bytes == 1_000
        queues.run(300_000_000)
        assert queues.snapshot(PORT).backlog_bytes == 0


def test_a_slow_virtual_queue_drains_for_minutes() -> None:
    queues = Queues("virtual_queue")
    queues.engine.registers_write([("drain_rate", PORT, 1 << 10)])
    for _ in range(200):
        queues.offer(PORT, 1_000)
    queues.run(150_000_000)
    assert queues.snapshot(PORT).departed_bytes == 150_000_000 >> 10
