"""Limits that are left behind, on a switch that exists in virtual time only."""

import pytest
from p4abs.access.register_access import ExchangeTimeout
from p4abs.config import Source, load_settings
from p4abs.session.safe_limits import leave_limits, safe_limits, shared_out

PORTS = [
    {"number": 1, "capacity": "10Mbit", "priority": 2},
    {"number": [2, 3], "capacity": "10Mbit"},
]
(SETTINGS,) = load_settings(Source({"port": PORTS, "switch": {"memory": "500kB"}}), {}).switch


def test_safe_limits_which_no_policy_has_asked_for_are_shared_as_among_equals() -> None:
    # 250 ms of 10 Mbit/s are 312.5 kB.
    limits = safe_limits(
        SETTINGS, dict.fromkeys([1, 2, 3], 10_000), dict.fromkeys([1, 2, 3], 10**7)
    )
    assert limits == dict.fromkeys([1, 2, 3], 166_666)


def test_a_safe_limit_that_is_configured_is_not_less_for_those_that_are_not() -> None:
    ports = [{"number": 1, "capacity": "10Mbit", "safe-limit": "400kB"}, *PORTS[1:]]
    (settings,) = load_settings(Source({"port": ports, "switch": {"memory": "500kB"}}), {}).switch
    limits = safe_limits(
        settings, dict.fromkeys([1, 2, 3], 10_000), dict.fromkeys([1, 2, 3], 10**7)
    )
    assert limits == {1: 400_000, 2: 50_000, 3: 50_000}


def test_what_ranks_higher_comes_first() -> None:
    wanted = dict.fromkeys([1, 2, 3], 312_500)
    limits = shared_out(SETTINGS, wanted, {1: 2, 2: 0, 3: 0})
    assert limits == {1: 312_500, 2: 93_750, 3: 93_750}


@pytest.mark.parametrize("unlimited", [1, 2])
def test_a_port_without_a_limit_gets_one_of_what_others_leave(unlimited: int) -> None:
    wanted = {1: 150_000, 2: 150_000, 3: 150_000} | {unlimited: 0}
    limits = shared_out(SETTINGS, wanted, {1: 2, 2: 0, 3: 0})
    assert sum(limits.values()) <= 500_000
    assert 100_000 < limits[unlimited] < 400_000
    assert unlimited == 1 or limits[1] == 150_000


async def test_a_limit_without_an_answer_is_written_again_and_no_other(switch) -> None:
    switch.lost = {1, 3}
    await leave_limits(switch, {2: 2000, 3: 3000, 4: 4000})
    assert switch.written == [(2, 2000), (3, 3000), (4, 4000), (3, 3000), (3, 3000)]


async def test_a_limit_that_is_never_answered_fails_and_the_others_are_written(switch) -> None:
    switch.lost = {0, 2, 3}
    with pytest.raises(ExchangeTimeout, match="reply 3"):
        await leave_limits(switch, {2: 2000, 3: 3000})
    assert switch.ports[3].limit_bytes == 3000
    assert switch.exchanges == 3
