"""Samples as tests write them, and as the control loop tells them."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan

import numpy as np
from p4abs.control import Sample, Samples
from p4abs.control.sample import Steps
from p4abs.measurements import Interval
from p4abs.policies import Binding, Decisions
from p4abs.policies.policy import number_of
from p4abs.telemetry import Fleet, WatchedSwitch

SAMPLE = Sample(
    time_s=1_700_000_000.25,
    port=2,
    interval=Interval(
        0.02,
        24_000,
        1_000,
        24_500,
        0.0004,
        2_000,
        31_000,
        500,
        320_000,
        160_000,
        70,
        9_000,
        450_000_000,
    ),
    measured_capacity_bps=9_806_000,
    utilization=0.98,
    loss=0.04,
    limit_bytes=50_000,
    occupancy_bytes=12_500,
    queue_delay_s=0.01,
    decided_limit_bytes=50_720,
    binding=Binding.LOSS,
    unreachable="",
    gains={"utilization": 0.05, "loss": 1.5},
    lateness_s=0.0005,
    exchange_s=0.0008,
)


def tell(switch: WatchedSwitch, *samples: Sample) -> None:
    """Tells them one after the other."""
    for sample in samples:
        switch.sampled(samples_of([*switch.meters], sample))


def let_pass(fleet: Fleet, switch: WatchedSwitch, seconds: int, *samples: Sample) -> None:
    """So many seconds, in each of which these ports have a sample; the fleet's clock goes on."""
    begun_s = max(SAMPLE.time_s, *(each.time_s for each in samples)) if samples else fleet.now_s()
    for second in range(seconds):
        now_s = begun_s + second
        fleet.now_s = lambda now_s=now_s: now_s
        if samples:
            told = [replace(sample, time_s=now_s) for sample in samples]
            switch.sampled(samples_of([*switch.meters], *told))
        switch.tick()


def samples_of(ports: Sequence[int], *samples: Sample) -> Samples:
    """One tick's, of different ports of a switch with these `ports`."""
    ordered = sorted(samples, key=lambda sample: ports.index(sample.port))
    names = dict.fromkeys(name for sample in ordered for name in sample.gains)
    first = ordered[0]
    steps = Steps(
        np.array([ports.index(sample.port) for sample in ordered]),
        Interval.batched([sample.interval for sample in ordered]),
        np.array([sample.limit_bytes for sample in ordered]),
        Decisions(
            np.array([sample.decided_limit_bytes for sample in ordered]),
            np.array([number_of(sample.binding) for sample in ordered]),
            {name: np.array([each.gains.get(name, nan) for each in ordered]) for name in names},
            lambda row: ordered[row].unreachable,
        ),
        np.array([sample.occupancy_bytes for sample in ordered]),
        _known([sample.measured_capacity_bps for sample in ordered]),
        _known([sample.measured_capacity_bps for sample in ordered]),
    )
    return Samples(
        first.time_s,
        ports,
        steps,
        _known([sample.utilization for sample in ordered]),
        _known([sample.queue_delay_s for sample in ordered]),
        first.lateness_s,
        first.exchange_s,
    )


def _known(values: Sequence[float | None]) -> np.ndarray:
    return np.array(values, np.float64)
