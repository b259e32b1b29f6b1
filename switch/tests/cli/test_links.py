"""The ports of the command line."""

import pytest
from p4abs_switch import Switch
from p4abs_switch._engine import Device
from p4abs_switch.cli.links import port_configs
from p4abs_switch.errors import UserError

MIN_BYTES = 16_000_000


def test_what_waits_at_a_port_is_bounded_whoever_asks_for_it() -> None:
    links = ("2,rate=10Mbit", "3,rate=1Gbit", "4,rate=1Gbit,memory=5kB", "5,qdisc=yes")
    ports = port_configs(("1@a", "2@b"), links)
    assert [port.memory_bytes for port in ports] == [
        MIN_BYTES,
        MIN_BYTES,
        31_250_000,  # 250 ms
        5_000,
        MIN_BYTES,
    ]


def test_a_port_that_is_added_later_is_as_the_switch_s_config_says_and_bounded() -> None:
    switch = Switch((), None)
    Device(1, switch, queues=2, through_qdisc=True).add_port(7, "c")
    [(port, _)] = switch.ports()
    assert (port.port, port.interface, port.queues, port.through_qdisc) == (7, "c", 2, True)
    assert (port.memory_bytes, port.rate_bps) == (MIN_BYTES, None)


def test_a_port_s_ring_has_the_size_that_is_given_or_the_engine_s() -> None:
    given, unsaid = port_configs(("1@a", "2@b"), ("1,ring=16MB",))
    assert (given.ring_bytes, unsaid.ring_bytes) == (16_000_000, None)


@pytest.mark.parametrize("size", ["1kB", "65kB", "2GB"])
def test_a_ring_of_no_use_is_refused_with_the_sizes_that_are(size: str) -> None:
    wanted = rf"^--port 1,ring={size}: ring: '{size}': must be between 64KiB and 1GiB$"
    with pytest.raises(UserError, match=wanted):
        port_configs(("1@a",), (f"1,ring={size}",))


@pytest.mark.parametrize(("rate", "is_valid"), [("1Tbit", True), ("2Tbit", False)])
def test_the_highest_rate_is_the_engine_s(rate: str, is_valid: bool) -> None:
    if is_valid:
        [port] = port_configs((), (f"2,rate={rate}",))
        assert port.rate_bps == 10**12
        return
    with pytest.raises(UserError, match=r"rate: '2Tbit': must be between 1kbit and 1Tbit$"):
        port_configs((), (f"2,rate={rate}",))
