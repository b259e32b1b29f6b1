"""Changes in flight: what a link delivers is what arithmetic says."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from p4abs_experiments.network import CbrFlows, Link, P4Buffer, PlainBuffer, Scenario, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.result import LinkResult
from p4abs_experiments.simulation.simulate import simulate

CAPACITY_BPS = 16_000_000
DURATION_S = 4.0
PACKET_BYTES = 600
LIMIT_BYTES = 100 * PACKET_BYTES


def loaded_link(load: float, link: Link, **traffic) -> Scenario:
    """A link with UDP of a constant rate from time 0 on."""
    udp = CbrFlows(
        count=1,
        path=(link.name,),
        rate_bps=load * CAPACITY_BPS,
        delay_s=(0.0, 0.0),
        start_s=(0.0, 0.0),
        **traffic,
    )
    return Scenario(
        name="disturbed",
        links=(link,),
        traffic=(udp,),
        n_flows=0,
        duration_s=DURATION_S,
        measure_from_s=0.0,
    )


def link(limit_bytes: int = LIMIT_BYTES, **disturbances) -> Link:
    sizing = Sizing(initial_limit_bytes=limit_bytes)
    return Link("link", CAPACITY_BPS, sizing, PlainBuffer(), **disturbances)


def result_of(scenario: Scenario) -> LinkResult:
    return simulate(Cell(scenario)).link()


def packets(count: float) -> float:
    return count * PACKET_BYTES


spans = st.lists(st.integers(min_value=1, max_value=39), min_size=0, max_size=6, unique=True).map(
    lambda tenths: pairs(sorted(tenths))
)


def pairs(tenths: list[int]) -> tuple[tuple[float, float], ...]:
    return tuple(
        (begin / 10, end / 10) for begin, end in zip(tenths[::2], tenths[1::2], strict=False)
    )


def length_s(times: tuple[tuple[float, float], ...]) -> float:
    return sum(to_s - from_s for from_s, to_s in times)


few = settings(max_examples=12)


@few
@given(spans)
def test_an_overloaded_link_loses_the_time_of_its_stalls_and_is_never_idle(stalls) -> None:
    result = result_of(loaded_link(1.5, link(stalls=stalls)))
    sending_s = DURATION_S - length_s(stalls)
    assert 8 * result.departed_bytes / CAPACITY_BPS == pytest.approx(
        sending_s, abs=8 * packets(1 + len(stalls)) / CAPACITY_BPS
    )
    assert result.idle == 0
    assert result.admitted_bytes - result.departed_bytes >= LIMIT_BYTES - packets(1)


@few
@given(spans)
def test_an_overloaded_link_loses_the_time_of_its_outages_and_what_arrives_in_them(outages) -> None:
    cell = simulate(Cell(loaded_link(1.5, link(outages=outages))))
    (flow,) = cell.of("cbr").flows
    lost_in_outages = flow.lost_bytes - cell.link().dropped_bytes
    assert lost_in_outages == pytest.approx(
        1.5 * CAPACITY_BPS / 8 * length_s(outages), abs=packets(1 + len(outages))
    )
    # What stands in the queue when the link goes down leaves when it is up again.
    assert 8 * cell.link().departed_bytes / CAPACITY_BPS == pytest.approx(
        DURATION_S - length_s(outages), abs=8 * packets(1 + len(outages)) / CAPACITY_BPS
    )
    assert cell.link().idle == 0


@few
@given(spans)
def test_a_stall_delays_what_a_large_buffer_takes_and_is_no_idle_time(stalls) -> None:
    result = result_of(loaded_link(0.5, link(10_000_000, stalls=stalls)))
    assert result.dropped_bytes == 0
    waiting_bytes = result.admitted_bytes - result.departed_bytes
    idle_at_most_s = DURATION_S - 8 * result.departed_bytes / CAPACITY_BPS - length_s(stalls)
    # At half load a packet may find the link idle and stalled for half a packet's time.
    slack_s = 8 * packets(2 * (1 + len(stalls))) / CAPACITY_BPS
    assert result.idle * DURATION_S == pytest.approx(idle_at_most_s, abs=slack_s)
    assert result.departed_bytes + waiting_bytes == pytest.approx(
        0.5 * CAPACITY_BPS * DURATION_S / 8, abs=packets(1)
    )


@few
@given(spans)
def test_a_paused_source_of_constant_rate_is_silent(pauses) -> None:
    result = result_of(loaded_link(0.5, link(), pauses=pauses))
    assert result.departed_bytes == pytest.approx(
        0.5 * CAPACITY_BPS / 8 * (DURATION_S - length_s(pauses)), abs=packets(1 + len(pauses))
    )


rates = st.lists(st.integers(min_value=1, max_value=30), max_size=4).map(
    lambda megabits: tuple((0.7 * (i + 1), 10**6 * rate) for i, rate in enumerate(megabits))
)


@few
@given(rates)
def test_a_link_sends_at_the_rate_of_the_moment(capacity_changes) -> None:
    changing = link(capacity_changes=capacity_changes)
    scenario = replace(loaded_link(2.0, changing), measure_from_s=0.35)
    result = result_of(scenario)
    sizes = [CAPACITY_BPS, *(rate_bps for _, rate_bps in capacity_changes)]
    times = [0.35, *(from_s for from_s, _ in capacity_changes), DURATION_S]
    bits = sum(rate_bps * (times[i + 1] - times[i]) for i, rate_bps in enumerate(sizes))
    assert result.capacity_bps == pytest.approx(bits / (DURATION_S - 0.35), abs=1)
    # The frame in transmission is finished at the old rate.
    assert result.departed_bytes == pytest.approx(bits / 8, abs=packets(2 * len(times) + 30))
    assert result.utilization == pytest.approx(1.0, abs=0.02)
    assert result.idle <= 1e-9


@pytest.mark.parametrize("buffer", [P4Buffer(), PlainBuffer()])
def test_happenings_are_the_same_with_the_program_in_the_loop(buffer) -> None:
    disturbed = replace(
        link(stalls=((0.5, 0.6),), outages=((1.0, 1.2),), capacity_changes=((2.0, 10**7),)),
        buffer=buffer,
    )
    result = result_of(loaded_link(1.1, disturbed, pauses=((3.0, 3.5),)))
    plain = result_of(
        loaded_link(1.1, replace(disturbed, buffer=PlainBuffer()), pauses=((3.0, 3.5),))
    )
    assert result.departed_bytes == plain.departed_bytes
    assert result.idle == plain.idle
    assert 0.05 < result.idle < 0.15
