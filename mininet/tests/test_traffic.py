"""Flows are dealt out evenly and each has a port of its own."""

from collections import Counter

from absdemo.traffic import Pair, spread

PAIRS = [Pair(100 + n, 200 + n, f"10.0.2.{n}", n) for n in range(1, 5)]


def test_flows_are_dealt_out_evenly() -> None:
    counts = Counter(flow.pair.port for flow in spread(10, PAIRS))
    assert max(counts.values()) - min(counts.values()) == 1


def test_flows_of_one_pair_use_different_ports() -> None:
    flows = spread(8, PAIRS)
    assert len({(flow.pair.port, flow.port) for flow in flows}) == 8


def test_the_sender_uses_the_congestion_control_that_was_asked_for() -> None:
    (flow,) = spread(1, PAIRS)
    command = flow.client_command("reno")
    assert command[command.index("-C") + 1] == "reno"
    assert command[command.index("-c") + 1] == flow.pair.receiver_address
