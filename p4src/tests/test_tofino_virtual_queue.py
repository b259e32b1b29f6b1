"""The virtual queue of `tna/`, run as its P4 source stands there, against exact arithmetic.

Exact means integers of an eighth of a byte: at R Gbit/s a link drains R of them per nanosecond. The
tests print their largest errors; `pytest -rP` shows them.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p4src.tests import p4_controls

TNA = Path(__file__).resolve().parents[1] / "tna"
CONTROLS = p4_controls.load(TNA / "byte_clock.p4", TNA / "virtual_queue.p4")
STAMP_NS = 1 << 48
RATES_GBPS = (1, 9, 10, 24, 25, 40, 49, 50, 98, 100, 200, 400)
MIXES = {
    "least": (64,),
    "ethernet": (64, 576, 1514),
    "full": (1514,),
    "jumbo": (64, 65, 1514, 9215, 9216),
}
HOUR_NS = 3_600_000_000_000


@dataclass(frozen=True)
class Packet:
    """What one packet did, and the exact backlog that its fate leaves, in eighths of a byte."""

    frame_bytes: int
    admitted: bool
    backlog_bytes: int
    exact_eighths: int

    @property
    def error_bytes(self) -> float:
        return self.backlog_bytes - self.exact_eighths / 8


@dataclass
class Queue:
    """The program's control for one port, beside an exact queue that admits the same frames."""

    rate_gbps: int
    limit_bytes: int
    start_ns: int
    control: Any = field(default_factory=lambda: CONTROLS["VirtualQueue"]())
    time_words: Any = field(default_factory=lambda: CONTROLS["TimeWords"]())
    exact_eighths: int = 0
    idle_bytes: int = 0
    admitted_bytes: int = 0
    dropped_bytes: int = 0

    def __post_init__(self) -> None:
        self.control.drain_rate.table_action["drain_rate"] = f"gbps_{self.rate_gbps}"
        self.last_ns = self.start_ns
        self.request(self.start_ns)
        self.idle_bytes = 0

    def request(self, now_ns: int) -> int:
        """A mailbox request; yields the backlog."""
        return self.pass_through(now_ns, 0).backlog_bytes

    def pass_through(self, now_ns: int, frame_bytes: int) -> Packet:
        passage = SimpleNamespace()
        stamp_ns = now_ns % STAMP_NS
        words = SimpleNamespace()
        is_request = frame_bytes == 0
        time = SimpleNamespace()
        self.time_words.apply(stamp_ns, time)
        self.control.apply(0, is_request, frame_bytes, time, self.limit_bytes, words, passage)
        admitted_bytes = 0 if passage.dropped else frame_bytes
        elapsed_ns = max(0, now_ns - self.last_ns)
        self.last_ns += elapsed_ns
        self.exact_eighths = max(0, self.exact_eighths - elapsed_ns * self.rate_gbps)
        self.exact_eighths += 8 * admitted_bytes
        if self.control.ahead < 1 << 31 and not passage.dropped:
            self.idle_bytes += max(0, words.first - self.control.answer)
        self.admitted_bytes += admitted_bytes
        self.dropped_bytes += frame_bytes - admitted_bytes
        assert passage.admitted_bytes == self.admitted_bytes & 0xFFFFFFFF
        assert passage.dropped_bytes == self.dropped_bytes & 0xFFFFFFFF
        backlog = self.control.backlog.bytes
        assert passage.dropped or passage.left == backlog
        return Packet(frame_bytes, not passage.dropped, backlog, self.exact_eighths)


def arrivals(
    seed: int, rate_gbps: int, sizes: tuple[int, ...], packets: int
) -> Iterator[tuple[int, int]]:
    """Gap in ns and frame: bursts of up to eight times the rate, lulls, silences of hours."""
    source = random.Random(seed)
    sent = 0
    while sent < packets:
        load = source.choice((0.3, 0.9, 1.0, 1.1, 2.0, 8.0))
        for _ in range(source.randrange(1, 400)):
            frame = source.choice(sizes)
            yield round(source.expovariate(1) * frame * 8 / rate_gbps / load), frame
            sent += 1
        lull_ns = 10 ** source.uniform(0, 7)
        silence_ns = source.choice((0.03, 0.5, 2, 40)) * HOUR_NS * source.random()
        yield round(silence_ns if source.random() < 0.3 else lull_ns), source.choice(sizes)


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_the_backlog_is_never_off_by_more_than_one_frame(rate_gbps: int, mix: str) -> None:
    sizes = MIXES[mix]
    step_bytes = rate_gbps  # of the byte clock: 8 ns
    now_ns = STAMP_NS - 1_000_000
    queue = Queue(rate_gbps, 40 * max(sizes), now_ns)
    errors = []
    for gap_ns, frame in arrivals(rate_gbps, rate_gbps, sizes, 4000):
        now_ns += gap_ns
        packet = queue.pass_through(now_ns, frame)
        assert packet.backlog_bytes <= queue.limit_bytes
        errors.append(packet.error_bytes)
        assert -max(sizes) - step_bytes <= packet.error_bytes < max(sizes) + step_bytes
    hours = (now_ns - queue.start_ns) / HOUR_NS
    least, most = min(errors), max(errors)
    print(f"{rate_gbps} Gbit/s, {mix}: {least:+.1f} to {most:+.1f} bytes in {hours:.0f} h")
    assert now_ns > STAMP_NS + HOUR_NS  # the stamp has wrapped


@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_what_is_dropped_had_no_room_but_for_one_frame(rate_gbps: int) -> None:
    sizes = MIXES["ethernet"]
    queue = Queue(rate_gbps, 60_000, 0)
    now_ns = 0
    drops = 0
    for gap_ns, frame in arrivals(7, rate_gbps, sizes, 8000):
        now_ns += gap_ns
        packet = queue.pass_through(now_ns, frame)
        if not packet.admitted:
            drops += 1
            # Admitted, it would have been beyond the limit, less the drain that is still pending.
            assert packet.exact_eighths / 8 + 2 * frame + max(sizes) + rate_gbps > queue.limit_bytes
    assert drops > 100


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_an_overloaded_port_admits_its_rate(rate_gbps: int, mix: str) -> None:
    source = random.Random(rate_gbps)
    sizes = MIXES[mix]
    queue = Queue(rate_gbps, 30 * max(sizes), 0)
    now_ns = 0
    offered = 0
    while queue.admitted_bytes < 2000 * max(sizes):
        frame = source.choice(sizes)
        offered += frame
        now_ns = offered * 8 * 2 // (3 * rate_gbps)  # one and a half times the rate
        queue.pass_through(now_ns, frame)
    exact = now_ns * rate_gbps / 8 + queue.limit_bytes
    error = queue.admitted_bytes - exact
    print(f"{rate_gbps} Gbit/s, {mix}: {error:+.0f} of {exact:.0f} bytes")
    assert abs(error) <= 3 * max(sizes) + rate_gbps


@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_time_is_either_used_or_idle(rate_gbps: int) -> None:
    queue = Queue(rate_gbps, 60_000, 5)
    now_ns = 5
    source = random.Random(3)
    for _ in range(5000):
        now_ns += source.randrange(0, 4000)
        queue.pass_through(now_ns, source.choice(MIXES["jumbo"]))
    backlog = queue.request(now_ns)
    elapsed = (now_ns // 8 - 5 // 8) * rate_gbps
    assert elapsed == queue.admitted_bytes - backlog + queue.idle_bytes


@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
@pytest.mark.parametrize("silence_ns", [HOUR_NS // 3600 * 2**k // 64 + 7 for k in range(24)])
def test_a_silence_longer_than_the_queue_empties_it(rate_gbps: int, silence_ns: int) -> None:
    queue = Queue(rate_gbps, 0, 0)
    for _ in range(1000):
        queue.pass_through(1, 1500)
    drained = silence_ns * rate_gbps // 8
    backlog = queue.request(1 + silence_ns)
    assert backlog == pytest.approx(max(0, 1000 * 1500 - drained), abs=2 * rate_gbps + 1500)


@pytest.mark.parametrize("rate_gbps", [10, 100, 400])
def test_stamps_that_overtake_each_other_lose_no_time(rate_gbps: int) -> None:
    source = random.Random(11)
    queue = Queue(rate_gbps, 60_000, 1000)
    overtaken_ns = 80
    now_ns = 1000
    for _ in range(20_000):
        now_ns += source.randrange(0, 200)
        stamp_ns = now_ns - source.randrange(0, overtaken_ns)
        queue.pass_through(stamp_ns, source.choice(MIXES["jumbo"]))
    backlog = queue.request(now_ns)
    drained = (now_ns // 8 - 125) * rate_gbps
    assert drained == queue.admitted_bytes - backlog + queue.idle_bytes


def test_a_limit_of_zero_admits_everything() -> None:
    queue = Queue(10, 0, 0)
    assert all(queue.pass_through(1, 9216).admitted for _ in range(1000))


@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_below_a_lowered_limit_the_backlog_falls_at_the_rate(rate_gbps: int) -> None:
    queue = Queue(rate_gbps, 300_000, 0)
    for _ in range(300):
        queue.pass_through(1, 1500)
    queue.limit_bytes = 60_000
    queue.request(1)
    gap_ns = max(1, 3000 // rate_gbps)
    now_ns = 1
    while (packet := queue.pass_through(now_ns := now_ns + gap_ns, 1500)).admitted is False:
        assert abs(packet.error_bytes) <= 2 * 1500 + rate_gbps
    assert (now_ns - 1) * rate_gbps / 8 == pytest.approx(
        300_000 - 60_000, abs=3 * 1500 + 8 * rate_gbps
    )
    for _ in range(1000):
        packet = queue.pass_through(now_ns := now_ns + gap_ns, 1500)
        assert packet.backlog_bytes <= 60_000


def test_a_limit_above_the_backlog_ends_its_excess() -> None:
    queue = Queue(10, 300_000, 0)
    for _ in range(300):
        queue.pass_through(1, 1500)
    queue.limit_bytes = 10_000
    queue.request(1)
    assert not queue.pass_through(2, 1500).admitted
    queue.limit_bytes = 400_000
    queue.request(3)
    assert queue.pass_through(4, 1500).admitted


def test_a_request_changes_no_backlog_beyond_its_drain() -> None:
    asked, left_alone = Queue(25, 90_000, 0), Queue(25, 90_000, 0)
    now_ns = 0
    for gap_ns, frame in arrivals(5, 25, MIXES["full"], 3000):
        now_ns += gap_ns
        asked.request(now_ns - gap_ns // 2)
        packets = asked.pass_through(now_ns, frame), left_alone.pass_through(now_ns, frame)
        assert abs(packets[0].backlog_bytes - packets[1].backlog_bytes) <= 2 * 1514
