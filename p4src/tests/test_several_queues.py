"""Several queues of a port: each is limited, counted and timed by itself, whichever is served."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p4src.tests.v1model_queues import ALPHA_1, LOST_US, SOURCE, STALL_US, Queues, frame

PORT = 2
QUEUES = 3
ARRIVALS = st.lists(
    st.tuples(
        st.sampled_from([0, 0, 1, 300, 900, 2_500]),
        st.integers(0, QUEUES - 1),
        st.integers(60, 1_514),
    ),
    min_size=25,
    max_size=50,
)


def index(queue: int, port: int = PORT) -> int:
    return queue * 512 + port


def ipv6(dscp: int, size: int = 100) -> bytes:
    """A packet of this DSCP for the station behind the port."""
    return frame(PORT, size, b"\x86\xdd" + (6 << 28 | dscp << 22).to_bytes(4, "big"))


def ipv4(dscp: int, size: int = 100) -> bytes:
    """Likewise, of addresses 0.0.0.0 and nothing else in its header."""
    words = [0x4500 | dscp << 2, size - 14]
    checksum = 0xFFFF - sum(words) % 0xFFFF
    header = struct.pack(">HH6xH", *words, checksum)
    return frame(PORT, size, b"\x08\x00" + header)


class SeveralQueues(Queues):
    """A port of three queues under strict priority; DSCP n takes queue n."""

    def __init__(self, rate_bps: int = 8_000_000) -> None:
        super().__init__("shared_queue", ports=(PORT,), rate_bps=rate_bps, queues=QUEUES)
        for queue in range(1, QUEUES):
            self.select(queue, queue)

    def select(self, dscp: int, queue: int) -> None:
        table = "AbsIngress.queue_selection.queue_selection"
        action = "AbsIngress.queue_selection.set_queue"
        self.tables.add(table, [(PORT,), (dscp,)], action, queue)

    def offer_to(self, queue: int, size: int = 1_000) -> bool:
        """Whether the queue lets the packet in."""
        before = self.register("admitted_bytes", index(queue))
        self.engine.inject(SOURCE, ipv6(queue, size), self.now_us * 1_000)
        self.run(0)
        return self.register("admitted_bytes", index(queue)) != before


def idle_us(arrivals: list[tuple[int, int]], left: list[int], until_us: int) -> int:
    """The time in which no frame of a queue waits or is sent; `arrivals` are (time, size)."""
    idle, busy_until = 0, 0
    for (arrived_us, _), left_us in zip(arrivals, left, strict=True):
        idle += max(0, arrived_us - busy_until)
        busy_until = left_us
    return idle + until_us - busy_until


@settings(max_examples=10)
@given(ARRIVALS)
def test_idle_time_is_when_a_queue_has_nothing_to_send(
    arrivals: list[tuple[int, int, int]],
) -> None:
    """By the link's rate, a byte a microsecond: unsaturated time less unsaturated bytes."""
    queues = SeveralQueues()
    offered: dict[int, list[tuple[int, int]]] = {queue: [] for queue in range(QUEUES)}
    for wait_us, queue, size in arrivals:
        queues.run(wait_us)
        assert queues.offer_to(queue, size)
        offered[queue].append((queues.now_us, size))
    queues.run(100_000)
    leavings: dict[int, list[int]] = {queue: [] for queue in range(QUEUES)}
    for left_us, (_, bytes_) in zip(queues.left_us, queues.sent, strict=True):
        dscp = int.from_bytes(bytes_[14:16], "big") >> 6 & 63
        leavings[dscp].append(left_us)
    for queue in range(QUEUES):
        seen = queues.snapshot(index(queue))
        expected = idle_us(offered[queue], leavings[queue], queues.now_us)
        assert seen.unsaturated_us - seen.unsaturated_bytes == expected


@settings(max_examples=10)
@given(ARRIVALS, st.lists(st.integers(60, 6_000), min_size=QUEUES, max_size=QUEUES))
def test_each_queue_keeps_its_own_limit(
    arrivals: list[tuple[int, int, int]], limits: list[int]
) -> None:
    queues = SeveralQueues()
    for queue, limit in enumerate(limits):
        queues.exchange(index(queue), limit)
    for wait_us, queue, size in arrivals:
        queues.run(wait_us)
        backlogs = [queues.snapshot(index(each)).backlog_bytes for each in range(QUEUES)]
        assert sum(backlogs) == queues.queued(PORT)
        has_room = backlogs[queue] == 0 or backlogs[queue] + size <= limits[queue]
        assert queues.offer_to(queue, size) == has_room


@settings(max_examples=10)
@given(
    ARRIVALS,
    st.integers(1_514, 12_000),
    st.lists(st.integers(1, 4 * ALPHA_1), min_size=QUEUES - 1, max_size=QUEUES - 1),
)
def test_each_queue_meets_its_own_threshold_of_the_shared_memory(
    arrivals: list[tuple[int, int, int]], memory: int, alphas: list[int]
) -> None:
    """The last one has none."""
    queues = SeveralQueues()
    queues.set_memory(memory)
    for queue, alpha in enumerate(alphas):
        queues.share(PORT, alpha, queue=queue)
    for wait_us, queue, size in arrivals:
        queues.run(wait_us)
        free = memory - queues.occupied
        backlog = queues.backlog(index(queue))
        fits = size <= free
        if backlog and queue < len(alphas):
            fits = fits and backlog + size <= free * alphas[queue] // ALPHA_1
        assert queues.offer_to(queue, size) == fits


def test_an_overtaken_queue_is_neither_idle_nor_lost() -> None:
    """A higher queue takes the link for longer than anything is taken for lost."""
    queues = SeveralQueues(rate_bps=400_000)
    queues.set_memory(100_000)
    queues.exchange(index(0), 5_000)
    queues.offer_to(2)
    queues.offer_to(2)
    while queues.offer_to(0):
        pass
    before = queues.snapshot(index(0))
    taken_us = LOST_US + 2 * STALL_US
    for _ in range(taken_us // 20_000):
        queues.offer_to(2)
        queues.run(20_000)
        after = queues.snapshot(index(0))
    assert (before.backlog_bytes, after.departed_bytes) == (5_000, before.departed_bytes)
    assert after.unsaturated_us == before.unsaturated_us
    assert queues.occupied == queues.queued(PORT)


def test_an_overtaken_queue_lets_in_a_frame_a_second_beyond_its_limit() -> None:
    """Its end may have been lost: the frame's departure repairs the count."""
    queues = SeveralQueues()
    queues.exchange(index(0), 2_000)
    queues.offer_to(2)
    for _ in range(4_500):
        queues.offer_to(2)
        queues.offer_to(0, 100)
        queues.run(1_000)
    assert 2_000 < queues.snapshot(index(0)).backlog_bytes <= 2_000 + 4 * 100


def test_a_paused_link_is_no_overtaken_queue() -> None:
    queues = SeveralQueues()
    queues.offer_to(2)
    queues.pause(PORT, 3_000_000)
    queues.offer_to(1)
    queues.run(2_000_000)
    before = queues.snapshot(index(1)).unsaturated_us
    queues.run(500_000)
    assert queues.snapshot(index(1)).unsaturated_us - before == 500_000


@pytest.mark.parametrize(
    ("bytes_", "queue"),
    [
        (ipv4(1), 1),
        (ipv6(2), 2),
        (ipv4(0), 0),
        (ipv6(63), 0),
        (frame(PORT, 100), 0),
        (frame(PORT, 100, b"\x81\x00\x00\x07" + ipv6(2)[12:96]), 2),
    ],
    ids=["IPv4", "IPv6", "DSCP 0", "no entry", "not IP", "tagged"],
)
def test_a_packet_takes_the_queue_of_its_dscp(bytes_: bytes, queue: int) -> None:
    queues = SeveralQueues()
    queues.engine.inject(SOURCE, bytes_, 0)
    queues.run(0)
    admitted = [queues.register("admitted_bytes", index(each)) for each in range(8)]
    assert admitted == [100 if each == queue else 0 for each in range(8)]


def test_the_mailbox_passes_over_queues_that_do_not_exist() -> None:
    for build, count in (("queue", 512), ("shared_queue", 4_096)):
        queues = Queues(build)
        assert queues.exchange(count - 1).operation == 0x80
        assert queues.exchange(count).operation == 0
