"""What meters make of samples."""

from dataclasses import replace

import pytest
from p4abs.measurements import Interval
from p4abs.telemetry.port_meter import SwitchMeter
from p4abs.telemetry.summary import percentile

from controller.tests.telemetry.samples import SAMPLE, samples_of


def test_loss_is_the_ratio_of_sums_not_the_mean_of_ratios() -> None:
    meter = SwitchMeter({2: ()})
    meter.add(samples_of([2], replace(SAMPLE, interval=Interval(0.02, 1_000, 1_000, 1_000))))
    meter.add(samples_of([2], replace(SAMPLE, interval=Interval(0.02, 98_000, 0, 98_000))))
    assert meter.ports[2].totals()["loss"] == pytest.approx(0.01)


def test_each_port_gets_its_own_samples_in_whatever_order_they_come() -> None:
    meter, order = SwitchMeter({2: (), 3: (), 4: ()}), [4, 2, 3]
    early, late = replace(SAMPLE, port=3), replace(SAMPLE, port=4, limit_bytes=70_000)
    other = replace(SAMPLE, limit_bytes=90_000)
    meter.add(samples_of(order, other, early))
    meter.add(samples_of(order, late))
    assert [meter.ports[port].last for port in (2, 3, 4)] == [other, early, late]
    means = [meter.ports[port].total.mean_limit_bytes for port in (2, 3, 4)]
    assert means == pytest.approx([90_000, 50_000, 70_000])


def test_smoothed_figures_forget_within_seconds() -> None:
    meter = SwitchMeter({2: ()})
    for utilization in [1.0] * 500 + [0.5] * 250:
        meter.add(samples_of([2], replace(SAMPLE, utilization=utilization)))
    assert meter.ports[2].recent.utilization == pytest.approx(0.5, abs=0.01)
    assert meter.ports[2].totals()["utilization"] == pytest.approx(2 / 3 + 0.5 / 3)


def test_what_was_lost_is_forgotten_when_nothing_arrives_any_more() -> None:
    meter = SwitchMeter({2: ()})
    lossy, idle = Interval(0.02, 2_000_000, 500_000, 2_000_000), Interval(0.02, 0, 0, 0, 0.02)
    for interval in [lossy] * 500 + [idle] * 1500:
        meter.add(samples_of([2], replace(SAMPLE, interval=interval)))
    recent = meter.ports[2].recent
    assert recent.offered_bytes < 1
    assert recent.loss == pytest.approx(0.0, abs=1e-4)
    assert meter.ports[2].totals()["loss"] == pytest.approx(0.2)


def test_percentiles_are_by_nearest_rank() -> None:
    values = [float(value) for value in range(1, 101)]
    assert (percentile(values, 50), percentile(values, 99), percentile(values, 100)) == (
        50,
        99,
        100,
    )
    assert percentile([7.0], 99) == 7
    assert percentile([], 50) is None
