"""Arithmetic at the widest numbers that P4 programs may have: 2048 bits."""

import pytest
from p4abs_switch import PortConfig, Switch

from .conftest import PROGRAMS


@pytest.mark.parametrize("machine_code", [False, True])
@pytest.mark.parametrize("operand", [0, 2, 3, 4, 255])
def test_the_widest_numbers_saturate_at_their_limits(machine_code: bool, operand: int) -> None:
    switch = Switch([PortConfig(1)])
    switch.load((PROGRAMS / "saturating_2048_bits.json").read_bytes(), machine_code)
    switch.inject(1, bytes([operand, 0, 0, 0, 0]), 0)
    [(_, _, frame)] = switch.run_until(0)
    # The lowest byte of a number 3 below the highest, and of one 3 above the lowest.
    high, low = min(0xFC + operand, 0xFF), max(3 - operand, 0)
    assert list(frame) == [operand, high, low, high, low]
