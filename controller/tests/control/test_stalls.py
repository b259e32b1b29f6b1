"""Ports whose intervals do not end are said, whatever the cause."""

from types import SimpleNamespace

import grpc
import pytest
from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.control.stalls import MIN_EXCHANGES, Stall, Stalls
from p4abs.measurements import Snapshot

ENDED = SimpleNamespace(ports=[0])


def at(time_us: int, admitted_bytes: int) -> Snapshot:
    return Snapshot(time_us, admitted_bytes, 0, admitted_bytes, 10_000)


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        pytest.param(True, {2: Stall.NO_NEWS}, id="a clock of its own"),
        pytest.param(False, {}, id="the time of the last packet"),
    ],
)
def test_a_port_whose_answers_repeat_is_told_from_one_without_traffic(moves, found) -> None:
    """Where the time of a port without traffic stands still, nothing tells them apart."""
    said: list[str] = []
    stalls = Stalls((1, 2), 0.2, said.append)
    for exchange in range(3 * MIN_EXCHANGES):
        quiet = at(exchange if moves else 0, 500)
        stalls.add(Snapshots({1: quiet, 2: at(7, 500)}), None)
    assert dict(stalls.ports) == found
    assert [line for line in said if "one instant" in line] == said
    assert len(said) == len(found)


def test_counters_that_move_while_time_stands_are_said() -> None:
    stalls = Stalls((1,), 0.2, lambda line: None)
    for exchange in range(4 * MIN_EXCHANGES):
        stalls.add(Snapshots({1: at(7, 500 * exchange)}), None)
    assert dict(stalls.ports) == {1: Stall.NO_INTERVAL}


@pytest.mark.parametrize("interval_s", [0.02, 0.2, 1.0])
def test_a_link_that_stands_is_no_stall_where_time_is_that_of_the_last_packet(interval_s) -> None:
    """Each second the queue admits one packet beyond its limit, and then an interval ends."""
    said: list[str] = []
    stalls = Stalls((1,), interval_s, said.append)
    last_us = 0
    for exchange in range(round(20 / interval_s)):
        time_us = exchange * interval_s // 1.01 * 1_010_000
        stands = Snapshot(int(time_us), 10_000, 1_500 * exchange, 0, 10_000)
        stalls.add(Snapshots({1: stands}), ENDED if time_us > last_us else None)
        last_us = time_us
    assert said == []


@pytest.mark.parametrize(
    ("failure", "stall", "lines"),
    [
        pytest.param(
            PortRefused(2, RpcError("read", grpc.StatusCode.NOT_FOUND, "no entry")),
            Stall.REFUSED,
            ["port 2: intervals end again, or the traffic has stopped"],
            id="refused, which the loop says",
        ),
        pytest.param(
            ExchangeTimeout("read: no answer within 0.5 s"),
            Stall.NO_ANSWER,
            [
                "port 2: no answer; other ports are not affected",
                "port 2: intervals end again, or the traffic has stopped",
            ],
            id="silent",
        ),
    ],
)
def test_a_port_that_is_not_read_is_stalled_until_it_is(failure, stall, lines) -> None:
    said: list[str] = []
    stalls = Stalls((1, 2), 0.2, said.append)
    for exchange in range(2 * MIN_EXCHANGES):
        stalls.add(Snapshots({1: at(exchange, 500)}, {2: failure}), None)
    assert dict(stalls.ports) == {2: stall}
    for exchange in range(MIN_EXCHANGES):
        stalls.add(Snapshots({1: at(exchange, 500), 2: at(exchange, 500)}), None)
    assert dict(stalls.ports) == {}
    assert said == lines
