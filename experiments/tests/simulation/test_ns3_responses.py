"""Congestion controls against their response functions: mean window by loss events."""

import math
from dataclasses import dataclass
from itertools import pairwise

import pytest
from p4abs_experiments.simulation.ns3 import Simulation

HEADERS_BYTES = 14 + 20 + 20
RENO = math.sqrt(1.5)
"""Mean window times the root of the share of packets that begin a loss event (RFC 5681's
increase and decrease, one segment a round-trip time and one half)."""


@dataclass(frozen=True)
class Sawteeth:
    """One flow over a tail-drop queue that is short against the path."""

    window: float  # mean, segments
    loss_events: float  # per packet
    shortest_s: float


def sawteeth(
    control: str,
    *,
    window: int,
    rtt_s: float,
    duration_s: float,
    from_s: float,
    packet_bytes: int = 600,
) -> Sawteeth:
    """Between the first and the last loss event after `from_s`, on a path that carries about
    `window` segments. Losses within two round-trip times are one event."""
    rate_bps = round(8 * packet_bytes * window / rtt_s)
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("path", rate_bps, max(4, window // 20) * packet_bytes)
        flow = simulation.add_tcp_flow(
            [port], rtt_s=rtt_s, packet_bytes=packet_bytes, congestion_control=control,
            jitter_s=0.0,
        )  # fmt: skip
        simulation.run_until(from_s)
        events: list[tuple[float, int, int]] = []  # when, packets sent, samples so far
        windows: list[float] = []
        lost = flow.lost_packets()
        for step in range(round(4 * duration_s / rtt_s)):
            now_s = from_s + step * rtt_s / 4
            simulation.run_until(now_s)
            windows.append(flow.congestion_window_bytes() / (packet_bytes - HEADERS_BYTES))
            if flow.lost_packets() > lost:
                lost = flow.lost_packets()
                if not events or now_s - events[-1][0] > 2 * rtt_s:
                    events.append((now_s, flow.sent_packets(), len(windows)))
    assert len(events) >= 4
    (_, sent, begin), (_, all_sent, end) = events[0], events[-1]
    return Sawteeth(
        window=sum(windows[begin:end]) / (end - begin),
        loss_events=(len(events) - 1) / (all_sent - sent),
        shortest_s=min(after - before for (before, _, _), (after, _, _) in pairwise(events)),
    )


@pytest.mark.parametrize("control", ["newreno", "cubic"])
def test_reno_and_cubic_on_a_short_path_meet_renos_response_function(control: str) -> None:
    """RFC 9438, section 4.3: there CUBIC's Reno-friendly region is all there is."""
    saw = sawteeth(control, window=33, rtt_s=0.01, duration_s=10, from_s=5)
    assert saw.window * math.sqrt(saw.loss_events) == pytest.approx(RENO, rel=0.04)


def test_cubic_and_reno_share_a_short_path_in_equal_parts() -> None:
    with Simulation(1) as simulation:
        attributes = {"MaxSize": "200000B", "MinTh": "6000", "MaxTh": "60000", "MeanPktSize": "600"}
        port = simulation.add_queue_disc_port("path", 48_000_000, "RedQueueDisc", attributes)
        flows = [
            simulation.add_tcp_flow(
                [port], rtt_s=0.01, packet_bytes=600, congestion_control=control
            )
            for control in ("newreno", "cubic") * 2
        ]
        simulation.run_until(2)
        before = [flow.goodput_bytes() for flow in flows]
        simulation.run_until(12)
        got = [flow.goodput_bytes() - bytes_ for flow, bytes_ in zip(flows, before, strict=True)]
    assert got[1] + got[3] == pytest.approx(got[0] + got[2], rel=0.25)


def test_reno_with_a_wide_window_grows_by_a_segment_a_round_trip() -> None:
    """ns-3.37's own, which adds whole bytes, needs 1.5 times the time at this window."""
    saw = sawteeth(
        "newreno", window=250, rtt_s=0.1, duration_s=60, from_s=15, packet_bytes=1500
    )  # fmt: skip
    assert saw.window * math.sqrt(saw.loss_events) == pytest.approx(RENO, rel=0.04)
    assert saw.shortest_s == pytest.approx(262 / 2 * 0.1, rel=0.08)


def test_cubic_on_a_long_path_meets_its_own_response_function() -> None:
    """RFC 9438, figure 5: window = (C (3 + b) / (4 (1 - b)))^(1/4) (RTT / p)^(3/4)."""
    saw = sawteeth("cubic", window=200, rtt_s=0.2, duration_s=80, from_s=40, packet_bytes=1500)
    expected = (0.4 * 3.7 / (4 * 0.3)) ** 0.25 * (0.2 / saw.loss_events) ** 0.75
    assert saw.window == pytest.approx(expected, rel=0.12)
    assert saw.window > 1.5 * RENO / math.sqrt(saw.loss_events)


def test_highspeed_meets_the_response_function_of_its_rfc() -> None:
    """RFC 3649, section 5: window = 0.12 / p^0.835. Its table, taken in steps, is faster."""
    saw = sawteeth("highspeed", window=500, rtt_s=0.2, duration_s=45, from_s=15)
    assert saw.window == pytest.approx(0.12 / saw.loss_events**0.835, rel=0.15)


def test_scalable_loses_once_in_a_fixed_number_of_round_trips() -> None:
    """Kelly 2003: an eighth less, then 2 % more (ns-3's factor 50) a round-trip time."""
    saw = sawteeth("scalable", window=200, rtt_s=0.1, duration_s=20, from_s=15)
    growing = math.log(8 / 7) / math.log(1.02)
    assert 0.1 * growing < saw.shortest_s < 0.1 * (growing + 4)


@pytest.mark.parametrize(("control", "share"), [("newreno", 0.5), ("cubic", 0.7)])
def test_a_wide_window_is_reduced_evenly_over_a_round_trip(control: str, share: float) -> None:
    """RFC 6937: as many packets leave as arrive, times the reduction. ns-3.37's own arithmetic
    overflows at windows of 64 kB: it sends nothing, and then at full rate."""
    rate_bps, rtt_s, packet_bytes = 30_000_000, 0.1, 1500
    with Simulation(1) as simulation:
        port = simulation.add_plain_port("path", rate_bps, round(0.5 * rate_bps * rtt_s / 8))
        flow = simulation.add_tcp_flow(
            [port], rtt_s=rtt_s, packet_bytes=packet_bytes, congestion_control=control,
            jitter_s=0.0,
        )  # fmt: skip
        simulation.run_until(10)
        lost, now_s = flow.lost_packets(), 10.0
        while flow.lost_packets() == lost:
            now_s += 0.005
            simulation.run_until(now_s)
        # The loss is known a round-trip time of 150 ms later, less half of the path.
        simulation.run_until(now_s + 0.12)
        sent = []
        for step in range(11):
            simulation.run_until(now_s + 0.12 + 0.01 * step)
            sent.append(flow.sent_packets())
    full = rate_bps * 0.01 / 8 / packet_bytes
    each = [after - before for before, after in pairwise(sent)]
    assert all(packets == pytest.approx(share * full, abs=2) for packets in each)
