"""Limits that no queue reaches go down to it."""

import math
from dataclasses import dataclass, field

import pytest
from p4abs.policies.abs.headroom import MAX_IDLE_SHARE, USED_SHARE, Headroom

INTERVAL_S = 0.02
FILLING_S = 2.0
LIMIT_BYTES = 100_000


@dataclass
class Port:
    """A port with this limit; `lowered_to` is what its limit was lowered to."""

    filling_s: float = FILLING_S
    state: Headroom = field(default_factory=Headroom)
    lowered_to: list[float] = field(default_factory=list)

    def see(
        self, for_s: float, queue_bytes: float, idle_share: float = 0.0, drops: bool = False
    ) -> None:
        for _ in range(round(for_s / INTERVAL_S)):
            self.state = self.state.after(
                INTERVAL_S,
                idle_share * INTERVAL_S,
                queue_bytes,
                LIMIT_BYTES,
                self.filling_s,
                dropped=drops,
            )
            if self.state.ends:
                self.lowered_to.append(self.state.max_bytes)


def test_a_limit_that_no_queue_reaches_goes_to_the_largest_queue() -> None:
    port = Port()
    port.see(FILLING_S / 2 - INTERVAL_S, 0.99 * USED_SHARE * LIMIT_BYTES)  # drains after losses
    port.see(2 * INTERVAL_S, 20_000)
    port.see(INTERVAL_S, 40_000)
    port.see(FILLING_S / 2 - 3 * INTERVAL_S, 20_000)
    assert not port.lowered_to
    port.see(3 * INTERVAL_S, 20_000)
    assert port.lowered_to == [40_000]


def test_the_next_time_begins_anew() -> None:
    port = Port()
    port.see(1.4 * FILLING_S, 40_000)
    assert port.lowered_to == [40_000]
    port.see(FILLING_S, 20_000)
    assert port.lowered_to == [40_000, 20_000]
    port.see(FILLING_S / 2, 10_000)
    assert port.state.mean_bytes < 20_000


@pytest.mark.parametrize(
    ("queue_bytes", "drops"), [(20_000, True), (1.01 * USED_SHARE * LIMIT_BYTES, False)]
)
def test_a_drop_and_a_queue_near_the_limit_use_it(queue_bytes: float, drops: bool) -> None:
    port = Port()
    for _ in range(10):
        port.see(0.9 * FILLING_S, 20_000)
        port.see(INTERVAL_S, queue_bytes, drops=drops)
    assert not port.lowered_to


@pytest.mark.parametrize("idle_share", [1.0, 1.1 * MAX_IDLE_SHARE])
def test_a_link_that_idles_says_nothing_of_its_limit(idle_share: float) -> None:
    port = Port()
    port.see(10 * FILLING_S, 20_000, idle_share)
    assert not port.lowered_to


def test_where_the_queue_or_the_flows_are_not_known_nothing_changes() -> None:
    without_queue, without_flows = Port(), Port(filling_s=math.nan)
    without_queue.see(10 * FILLING_S, math.nan)
    without_flows.see(10 * FILLING_S, 20_000)
    assert not without_queue.lowered_to
    assert not without_flows.lowered_to


@pytest.mark.parametrize("buffer_share", [0.3, 1.0, 3.0])
def test_windows_that_grow_by_half_a_frame_per_round_trip_use_the_limit_in_time(
    buffer_share: float,
) -> None:
    """One flow, from the half of its largest window on, behind a buffer of this share of what the
    link holds."""
    frame_bytes, round_trip_s = 1_500, 0.1
    pipe_bytes = LIMIT_BYTES / buffer_share
    bytes_per_s = pipe_bytes / round_trip_s
    window_bytes = (pipe_bytes + LIMIT_BYTES) / 2
    state = Headroom()
    while window_bytes < pipe_bytes + LIMIT_BYTES:
        queue_bytes = max(window_bytes - pipe_bytes, 0)
        trip_s = round_trip_s + queue_bytes / bytes_per_s
        idle_s = max(1 - window_bytes / pipe_bytes, 0) * trip_s
        frames = (pipe_bytes + LIMIT_BYTES) / frame_bytes
        filling_s = frames * (round_trip_s + state.mean_bytes / bytes_per_s)
        state = state.after(trip_s, idle_s, queue_bytes, LIMIT_BYTES, filling_s, dropped=False)
        assert not state.ends
        window_bytes += frame_bytes / 2
