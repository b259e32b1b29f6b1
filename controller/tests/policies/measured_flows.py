"""Intervals in which the data plane has measured flows."""

from dataclasses import replace

from p4abs.measurements import Interval


def with_flows(
    interval: Interval, flows: float, long_flows: float, round_trip_s: float | None
) -> Interval:
    """The interval with so many flows all the time; None: no round trip was timed."""
    flow_us = 1e6 * interval.duration_s
    timed_bytes = 0 if round_trip_s is None else interval.departed_bytes
    return replace(
        interval,
        active_flow_us=round(flows * flow_us),
        long_flow_us=round(long_flows * flow_us),
        untracked_bytes=0,
        timed_bytes=timed_bytes,
        timed_byte_us=round(timed_bytes * 1e6 * (round_trip_s or 0.0)),
    )
