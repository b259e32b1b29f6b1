"""Metrics: their names and units, what they add up to, how many they are."""

import time
from collections import Counter
from dataclasses import replace
from math import nan
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from p4abs import __version__
from p4abs.control import Stall
from p4abs.measurements import Interval
from p4abs.policies import Binding
from p4abs.session import SwitchState
from p4abs.telemetry import Configuration, Metrics
from p4abs.telemetry.metrics.switch_totals import Histograms

from controller.tests.telemetry.samples import SAMPLE, let_pass, samples_of, tell

UNMEASURED = Interval(0.02, 24_000, 1_000, 24_500)
UNITS = ("bytes", "bytes_per_second", "ratio", "seconds")
LABELS = {
    "name",
    "mode",
    "switch",
    "port",
    "agreement",
    "target",
    "source",
    "le",
    "state",
    "reason",
    "hash",
    "version",
    "python",
}

BYTES = st.integers(0, 10**9)
INTERVALS = st.builds(
    Interval,
    duration_s=st.floats(0.5, 1.0),
    admitted_bytes=BYTES,
    dropped_bytes=BYTES,
    departed_bytes=BYTES,
    idle_s=st.none() | st.floats(0, 0.5),
    marked_bytes=st.none() | BYTES,
)


def totals(scraped):
    """All series that must not fall."""
    return {
        key: value
        for key, value in scraped.series.items()
        if key[0].endswith(("_total", "_count", "_sum", "_bucket"))
    }


def assert_never_falls(before, after) -> None:
    assert all(after[key] >= value for key, value in before.items())


def test_switches_come_and_go_and_those_that_stay_are_counted_on(fleet_of, scrape) -> None:
    fleet = fleet_of({"stays": [2], "goes": [2]})
    metrics = Metrics(fleet)
    fleet.watchers.append(metrics)
    stays, goes = fleet.switches.values()
    (comes,) = fleet_of({"comes": [2, 3]}).switches.values()
    for switch in (stays, goes):
        tell(switch, SAMPLE)
    fleet.show([comes, stays])
    for switch in (stays, comes):
        metrics.sampled(switch, samples_of([*switch.meters], SAMPLE))
    scraped = scrape(metrics)
    names = ("stays", "comes", "goes")
    counted = [scraped.value("p4abs_exchange_seconds_count", name) for name in names]
    assert counted == [2, 1, None]


def test_what_is_served_is_as_it_was(followed, scrape, sample, golden) -> None:
    run = followed([2, 3, 4], promised=[3])
    run.controller.reconnections = 3
    run.controller.loop.statistics.ticks = 7
    run.controller.loop.statistics.missed_deadlines = 5
    run.controller.loop.statistics.lost_exchanges = 4
    run.controller.loop.statistics.lateness_s.append(0.0005)
    run.tell(sample())
    run.tell(sample(port=3, interval=UNMEASURED, gains={}, queue_delay_s=None))
    run.controller.loop.stalls.ports = {4: Stall.NO_INTERVAL}
    run.tick()
    run.metrics.samples = SimpleNamespace(left_out=6)
    golden("metrics.txt", scrape(run.metrics).text)


def test_names_carry_base_units_and_every_metric_explains_itself(followed, scrape, sample) -> None:
    run = followed([2], promised=[2])
    run.tell(sample())
    for family in scrape(run.metrics).families.values():
        assert family.name.startswith("p4abs_")
        assert family.documentation.endswith(".")
        assert family.unit == next((unit for unit in UNITS if family.name.endswith(unit)), "")
        assert all(set(each.labels) <= LABELS for each in family.samples)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(st.tuples(st.sampled_from([2, 3]), INTERVALS), max_size=8))
def test_totals_are_the_sums_of_the_samples_and_never_fall(
    followed, scrape, sample, intervals
) -> None:
    run = followed([2, 3])
    before = totals(scrape(run.metrics))
    for port, interval in intervals:
        run.tell(sample(port=port, interval=interval))
        after = totals(scrape(run.metrics))
        assert_never_falls(before, after)
        before = after
    scraped = scrape(run.metrics)
    for port in (2, 3):
        own = [interval for number, interval in intervals if number == port]
        for name, values in {
            "admitted_bytes": [each.admitted_bytes for each in own],
            "dropped_bytes": [each.dropped_bytes for each in own],
            "departed_bytes": [each.departed_bytes for each in own],
            "sampled_seconds": [each.duration_s for each in own],
            "idle_seconds": [each.idle_s for each in own],
            "marked_bytes": [each.marked_bytes for each in own],
        }.items():
            known = [value for value in values if value is not None]
            shown = scraped.value(f"p4abs_{name}_total", port=str(port))
            if shown is None:
                assert not known
                assert name in ("idle_seconds", "marked_bytes")
            else:
                assert shown == pytest.approx(sum(known))


@given(st.lists(st.floats(0, 3), max_size=30), st.sampled_from([(1.0,), (0.5, 1.0, 2.0)]))
def test_a_histogram_counts_what_is_not_above_a_bound(values, bounds) -> None:
    histograms, second = Histograms(bounds, 2), np.array([1])
    for value in [*values, nan, *bounds]:
        histograms.add(second, np.array([value]))
    for label, count in histograms.buckets(1):
        assert count == sum(value <= float(label) for value in [*values, *bounds])
    assert histograms.sum(1) == pytest.approx(sum(values) + sum(bounds))
    assert {count for _, count in histograms.buckets(0)} == {0}


def test_series_grow_with_the_ports_and_with_nothing_else(followed, scrape, sample) -> None:
    def scraped(ports: int):
        run = followed(range(ports))
        for tick in range(3):
            for port in range(ports):
                unreachable = f"utilization 98%: sources offer {port}.{tick}%"
                binding = list(Binding)[(port + tick) % len(Binding)]
                run.tell(sample(port=port, unreachable=unreachable, binding=binding))
        return scrape(run.metrics)

    none, one, many = len(scraped(1).series), len(scraped(2).series), scraped(200)
    a_port = one - none
    assert a_port <= 42
    assert len(many.series) == none + 199 * a_port
    values = Counter(label for label in {pair for key in many.series for pair in key[1:]})
    by_name = Counter(name for name, _ in values)
    assert by_name.pop("port") == 200
    assert max(by_name.values()) <= 25


def test_agreements_are_shown_as_the_ports_meter_has_them(followed, scrape, sample) -> None:
    run = followed([2, 3], promised=[2])
    series = {"port": "2", "agreement": "gold"}
    assert scrape(run.metrics).value("p4abs_agreement_compliance_ratio", **series) is None
    for window in range(20):
        dropped_bytes = 0 if window < 17 else 1_000
        run.tell(sample(interval=Interval(1.0, 24_000, dropped_bytes, 24_000)))
    scraped = scrape(run.metrics)
    for name, value in {
        "compliance_ratio": 0.85,
        "error_budget_ratio": -0.5,
        "burn_rate": 10,
        "broken": 1,
        "windows_judged_total": 20,
        "windows_failed_total": 3,
        "breaches_total": 1,
    }.items():
        assert scraped.value(f"p4abs_agreement_{name}", **series) == pytest.approx(value)
    assert not any(("port", "3") in key and ("agreement", "gold") in key for key in scraped.series)


def test_gauges_are_of_the_last_sample(followed, scrape, sample) -> None:
    run = followed([2])
    run.tell(sample(limit_bytes=1, decided_limit_bytes=1))
    run.tell(sample())
    scraped = scrape(run.metrics)
    assert scraped.value("p4abs_queue_limit_bytes", port="2") == 50_000
    assert scraped.value("p4abs_decided_limit_bytes", port="2") == 50_720
    assert scraped.value("p4abs_gain", port="2", target="loss") == 1.5
    capacity = "p4abs_capacity_bytes_per_second"
    assert scraped.value(capacity, port="2", source="measured") == 9_806_000 / 8
    assert scraped.value(capacity, port="2", source="declared") == 10_000_000 / 8


@pytest.mark.parametrize("drain_time_s", [20e-6, 0.02, 0.084, 1.0])
def test_the_delay_s_percentiles_follow_the_port_s_own_drain_time(
    followed, scrape, sample, drain_time_s
) -> None:
    run, capacity_bps = followed([2]), 9_806_000_000
    limit_bytes = round(drain_time_s * capacity_bps / 8)
    for percent in range(1, 101):
        told = sample(
            measured_capacity_bps=capacity_bps,
            limit_bytes=limit_bytes,
            decided_limit_bytes=limit_bytes,
            occupancy_bytes=limit_bytes * percent // 100,
        )
        run.tell(told)
    scraped = scrape(run.metrics)
    drain_s = scraped.value("p4abs_drain_time_seconds", port="2")
    assert drain_s == pytest.approx(drain_time_s, rel=1e-3)
    for quantile in (0.1, 0.25, 0.5, 0.9, 0.99):
        ratio = _quantile(scraped, quantile)
        assert ratio * drain_s == pytest.approx(quantile * drain_time_s, rel=0.06)


def _quantile(scraped, quantile: float) -> float:
    """As Prometheus interpolates it."""
    buckets = sorted(
        (float(dict(labels)["le"]), count)
        for (name, *labels), count in scraped.series.items()
        if name == "p4abs_queue_delay_ratio_bucket"
    )
    wanted, (bound_before, count_before) = quantile * buckets[-1][1], (0.0, 0.0)
    for bound, count in buckets:
        if count >= wanted:
            share = (wanted - count_before) / (count - count_before)
            return bound_before + (bound - bound_before) * share
        bound_before, count_before = bound, count
    raise AssertionError


def test_the_process_says_what_it_is_and_which_configuration_it_has(followed, scrape) -> None:
    run = followed([2])
    run.fleet.configuration = Configuration("abc", 5.0)
    scraped = scrape(run.metrics)
    names = {name: dict(labels) for name, *labels in scraped.series}
    assert names["p4abs_build_info"]["version"] == __version__
    assert names["p4abs_configuration_info"] == {"hash": "abc"}
    assert scraped.series["p4abs_configuration_reload_successful",] == 1
    run.fleet.configuration = run.fleet.configuration.refused()
    scraped = scrape(run.metrics)
    assert scraped.series["p4abs_configuration_reload_successful",] == 0
    assert {"hash": "abc"} in [
        dict(labels) for name, *labels in scraped.series if name == "p4abs_configuration_info"
    ]


def test_a_port_has_one_state_at_a_time(followed, scrape, sample) -> None:
    def states() -> set[str]:
        series = scrape(run.metrics).series
        return {dict(labels)["state"] for name, *labels in series if name == "p4abs_port_state"}

    run = followed([2])
    assert states() == {"no traffic"}
    second = Interval(1.0, 1_000_000, 250_000, 1_000_000)
    let_pass(run.fleet, run.switch, 15, sample(interval=second))
    assert states() == {"loss above target"}
    run.controller.state = SwitchState.LOST
    assert states() == {"not under control"}


@pytest.mark.parametrize("stepped_s", [0.0, 0.3, 3600.0, -3600.0])
def test_how_old_a_sample_is_can_be_told_when_the_clock_is_set_anew(
    followed, scrape, sample, monkeypatch, stepped_s
) -> None:
    begun_s = sample().time_s
    run = followed([2], now_s=lambda: begun_s + 5.0)
    run.tell(sample())
    monkeypatch.setattr(time, "time", lambda: begun_s + 5.0 + stepped_s)
    sampled_s = scrape(run.metrics).value("p4abs_last_sample_timestamp_seconds", port="2")
    assert time.time() - sampled_s == pytest.approx(5.0, abs=0.5)


def test_a_backup_tells_what_it_has_counted_and_not_how_ports_were_when_it_was_primary(
    followed, scrape, sample
) -> None:
    run = followed([2], promised=[2])
    lossy = Interval(1.0, 1_200_000, 50_000, 1_225_000)
    run.tell(*[sample(interval=lossy, unreachable="loss")] * 10)
    controlled = scrape(run.metrics)
    assert controlled.value("p4abs_agreement_broken", port="2", agreement="gold") == 1
    run.controller.state = SwitchState.BACKUP
    scraped = scrape(run.metrics)
    assert scraped.value("p4abs_dropped_bytes_total", port="2") == 500_000
    assert scraped.value("p4abs_agreement_breaches_total", port="2", agreement="gold") == 1
    gone = {name for name, *_ in {*controlled.series} - {*scraped.series}}
    assert gone == {
        *(f"p4abs_agreement_{of}" for of in ("broken", "burn_rate", "error_budget_ratio")),
        *("p4abs_agreement_compliance_ratio", "p4abs_capacity_bytes_per_second", "p4abs_gain"),
        *("p4abs_last_sample_timestamp_seconds", "p4abs_port_state", "p4abs_queue_limit_bytes"),
        "p4abs_drain_time_seconds",
        "p4abs_decided_limit_bytes",
    }
    run.controller.state = SwitchState.LOST
    assert {*scrape(run.metrics).series} == {*controlled.series}


@pytest.mark.parametrize("state", SwitchState)
def test_the_role_is_told(followed, scrape, state) -> None:
    run = followed([2])
    run.controller.state = state
    scraped = scrape(run.metrics)
    assert scraped.value("p4abs_primary") == float(state.is_primary)
    name = "p4abs_switch_state"
    shown = [each for each in SwitchState if scraped.value(name, state=each.name.lower())]
    assert shown == [state]


def test_before_there_is_a_loop_there_is_a_scrape(followed, scrape) -> None:
    run = followed([2])
    run.controller.loop = None
    run.tick()
    scraped = scrape(run.metrics)
    assert scraped.value("p4abs_intervals_total") is None
    assert scraped.value("p4abs_target_ratio", port="2", target="utilization") == 0.98


def test_the_lateness_of_every_tick_counts(followed, scrape, sample) -> None:
    run = followed([2, 3])
    for lateness_s in (0.0002, 0.004):
        run.controller.loop.statistics.lateness_s.append(lateness_s)
        run.tell(replace(sample(), lateness_s=lateness_s))
        run.tell(replace(sample(port=3), lateness_s=lateness_s))
        run.tick()
    scraped = scrape(run.metrics)
    assert scraped.value("p4abs_interval_lateness_seconds_count") == 2
    assert scraped.value("p4abs_interval_lateness_seconds_bucket", le="0.001") == 1
    assert scraped.value("p4abs_exchange_seconds_count") == 4


def test_a_scrape_of_many_ports_lets_the_loop_run_in_between(
    followed, scrape, sample, monkeypatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("p4abs.telemetry.unhurried.time.sleep", pauses.append)
    run = followed(range(200))
    for port in range(200):
        run.tell(sample(port=port))
    assert len(scrape(run.metrics).series) < 20 * len(pauses)
