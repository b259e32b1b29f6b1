"""Limits that are left behind, on a switch that exists in virtual time only."""

import pytest
from p4abs.access.register_access import ExchangeTimeout
from p4abs.session.safe_limits import leave_limits


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
