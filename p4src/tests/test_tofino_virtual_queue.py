"""The virtual queue of `tna/` against exact fractions: run as its P4 source stands there, and
compiled for v1model with all that is around it.

The tests print their largest errors; `pytest -rP` shows them.
"""

import random

import pytest

from p4src.tests.tofino_queues import (
    HOUR_NS,
    KINDS,
    MIXES,
    RATES_GBPS,
    STAMP_NS,
    CompiledQueue,
    SourceQueue,
    arrivals,
)

EACH_KIND = pytest.mark.parametrize("kind", KINDS)
# From 16 ms to 36 hours, in which all counts and the stamp come round.
SILENCES_NS = [HOUR_NS // 3600 * 2**k // 64 + 7 for k in range(24)]


@EACH_KIND
@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_the_backlog_is_never_off_by_more_than_one_frame(
    kind: str, rate_gbps: int, mix: str
) -> None:
    sizes = MIXES[mix]
    step_bytes = rate_gbps  # of the byte clock: 8 ns
    now_ns = STAMP_NS - 1_000_000
    queue = KINDS[kind](rate_gbps, 40 * max(sizes), now_ns)
    errors = []
    for gap_ns, frame in arrivals(rate_gbps, rate_gbps, sizes, 4000):
        now_ns += gap_ns
        packet = queue.pass_through(now_ns, frame)
        assert packet.backlog_bytes <= queue.limit_bytes
        errors.append(packet.error_bytes)
        assert -max(sizes) - step_bytes <= packet.error_bytes < max(sizes) + step_bytes
    hours = (now_ns - queue.start_ns) / HOUR_NS
    least, most = min(errors), max(errors)
    print(f"{kind}, {rate_gbps} Gbit/s, {mix}: {least:+.1f} to {most:+.1f} bytes in {hours:.0f} h")
    assert now_ns > STAMP_NS + HOUR_NS  # the stamp has wrapped


@EACH_KIND
@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_what_is_dropped_had_no_room_but_for_one_frame(kind: str, rate_gbps: int) -> None:
    sizes = MIXES["ethernet"]
    queue = KINDS[kind](rate_gbps, 60_000, 0)
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


@EACH_KIND
@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_an_overloaded_port_admits_its_rate(kind: str, rate_gbps: int, mix: str) -> None:
    source = random.Random(rate_gbps)
    sizes = MIXES[mix]
    queue = KINDS[kind](rate_gbps, 30 * max(sizes), 0)
    now_ns = 0
    offered = 0
    while queue.admitted_bytes < 2000 * max(sizes):
        frame = source.choice(sizes)
        offered += frame
        now_ns = offered * 8 * 2 // (3 * rate_gbps)  # one and a half times the rate
        queue.pass_through(now_ns, frame)
    exact = now_ns * rate_gbps / 8 + queue.limit_bytes
    error = queue.admitted_bytes - exact
    print(f"{kind}, {rate_gbps} Gbit/s, {mix}: {error:+.0f} of {exact:.0f} bytes")
    assert abs(error) <= 3 * max(sizes) + rate_gbps


@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_time_is_either_used_or_idle(rate_gbps: int) -> None:
    queue = SourceQueue(rate_gbps, 60_000, 5)
    now_ns = 5
    source = random.Random(3)
    for _ in range(5000):
        now_ns += source.randrange(0, 4000)
        queue.pass_through(now_ns, source.choice(MIXES["jumbo"]))
    backlog = queue.request(now_ns)
    elapsed = (now_ns // 8 - 5 // 8) * rate_gbps
    assert elapsed == queue.admitted_bytes - backlog + queue.idle_bytes


@EACH_KIND
@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_a_silence_longer_than_the_queue_empties_it(kind: str, rate_gbps: int) -> None:
    queue = KINDS[kind](rate_gbps, 0, 0)
    now_ns = 1
    for silence_ns in SILENCES_NS:
        for _ in range(160):
            queue.pass_through(now_ns, 9216)
        drained = silence_ns * rate_gbps // 8
        now_ns += silence_ns
        backlog = queue.request(now_ns)
        expected = max(0, 160 * 9216 - drained)
        assert backlog == pytest.approx(expected, abs=2 * rate_gbps + 1500), silence_ns


@pytest.mark.parametrize("rate_gbps", [10, 100, 400])
def test_stamps_that_overtake_each_other_lose_no_time(rate_gbps: int) -> None:
    source = random.Random(11)
    queue = SourceQueue(rate_gbps, 60_000, 1000)
    overtaken_ns = 80
    now_ns = 1000
    for _ in range(20_000):
        now_ns += source.randrange(0, 200)
        stamp_ns = now_ns - source.randrange(0, overtaken_ns)
        queue.pass_through(stamp_ns, source.choice(MIXES["jumbo"]))
    backlog = queue.request(now_ns)
    drained = (now_ns // 8 - 125) * rate_gbps
    assert drained == queue.admitted_bytes - backlog + queue.idle_bytes


@EACH_KIND
def test_a_limit_of_zero_admits_everything(kind: str) -> None:
    queue = KINDS[kind](10, 0, 0)
    assert all(queue.pass_through(1, 9216).admitted for _ in range(1000))


@EACH_KIND
@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_below_a_lowered_limit_the_backlog_falls_at_the_rate(kind: str, rate_gbps: int) -> None:
    queue = KINDS[kind](rate_gbps, 300_000, 0)
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


@EACH_KIND
def test_a_limit_above_the_backlog_ends_its_excess(kind: str) -> None:
    queue = KINDS[kind](10, 300_000, 0)
    for _ in range(300):
        queue.pass_through(1, 1500)
    queue.limit_bytes = 10_000
    queue.request(1)
    assert not queue.pass_through(2, 1500).admitted
    queue.limit_bytes = 400_000
    queue.request(3)
    assert queue.pass_through(4, 1500).admitted


@EACH_KIND
def test_a_request_changes_no_backlog_beyond_its_drain(kind: str) -> None:
    asked, left_alone = KINDS[kind](25, 90_000, 0), KINDS[kind](25, 90_000, 0)
    now_ns = 0
    for gap_ns, frame in arrivals(5, 25, MIXES["full"], 3000):
        now_ns += gap_ns
        asked.request(now_ns - gap_ns // 2)
        packets = asked.pass_through(now_ns, frame), left_alone.pass_through(now_ns, frame)
        assert abs(packets[0].backlog_bytes - packets[1].backlog_bytes) <= 2 * 1514


@pytest.mark.parametrize("rate_gbps", RATES_GBPS)
def test_the_compiled_program_computes_what_the_source_says(rate_gbps: int) -> None:
    """Each register, word by word: through the stamp's wrap, with stamps that overtake each other,
    requests, and limits that come and go."""
    chance = random.Random(rate_gbps)
    now_ns = STAMP_NS - 1_000_000
    queues = [kind(rate_gbps, 200_000, now_ns) for kind in (SourceQueue, CompiledQueue)]
    seen = set()
    for gap_ns, frame in arrivals(rate_gbps, rate_gbps, MIXES["jumbo"], 2000):
        now_ns += gap_ns
        stamp_ns = now_ns - chance.choice((0, 0, 0, 80))
        if chance.random() < 0.05:
            limit_bytes = chance.choice((0, 9215, 60_000, 200_000, 1 << 28))
            for queue in queues:
                queue.limit_bytes = limit_bytes
            assert len({queue.request(stamp_ns) for queue in queues}) == 1
        packets = {queue.pass_through(stamp_ns, frame) for queue in queues}
        assert len(packets) == 1
        assert len({queue.words() for queue in queues}) == 1
        seen |= {packet.admitted for packet in packets}
    assert seen == {True, False}
