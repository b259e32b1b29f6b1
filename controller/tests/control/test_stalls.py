"""Ports whose intervals do not end are said, whatever the cause."""

import pytest
from p4abs.access.register_access import Snapshots
from p4abs.control.notices import LEAST_EXCHANGES, NO_INTERVAL, NO_NEWS, Stalls
from p4abs.snapshot import Snapshot


def at(time_us: int, admitted_bytes: int) -> Snapshot:
    return Snapshot(time_us, admitted_bytes, 0, admitted_bytes, 10_000)


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        pytest.param(True, {2: NO_NEWS}, id="a clock of its own"),
        pytest.param(False, {}, id="the time of the last packet"),
    ],
)
def test_a_port_whose_answers_repeat_is_told_from_one_without_traffic(moves, found) -> None:
    """Where the time of a port without traffic stands still, nothing tells them apart."""
    said: list[str] = []
    stalls = Stalls((1, 2), 0.2, said.append)
    for exchange in range(3 * LEAST_EXCHANGES):
        quiet = at(exchange if moves else 0, 500)
        stalls.add(Snapshots({1: quiet, 2: at(7, 500)}), None)
    assert dict(stalls.ports) == found
    assert [line for line in said if "one instant" in line] == said
    assert len(said) == len(found)


def test_counters_that_move_while_time_stands_are_said() -> None:
    stalls = Stalls((1,), 0.2, lambda line: None)
    for exchange in range(3 * LEAST_EXCHANGES):
        stalls.add(Snapshots({1: at(7, 500 * exchange)}), None)
    assert dict(stalls.ports) == {1: NO_INTERVAL}
