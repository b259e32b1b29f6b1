"""What flows are compared with."""

from p4abs_experiments.families.flow_count.truth import mean_rtt_s
from p4abs_experiments.simulation.result import FlowResult


def flow(rtt_s: float, goodput_bps: float) -> FlowResult:
    return FlowResult(rtt_s, goodput_bps, *(0,) * 5)


def test_round_trip_times_count_by_what_flows_send() -> None:
    assert mean_rtt_s([flow(0.1, 3e6), flow(0.2, 1e6)]) == 0.125


def test_of_flows_that_sent_nothing_there_is_no_mean() -> None:
    assert mean_rtt_s([flow(0.1, 0.0)]) is None
    assert mean_rtt_s([]) is None
