"""The ports of the command line."""

from p4abs_switch.cli.links import port_configs
from p4abs_switch.server.config import LaterPorts

LEAST_BYTES = 16_000_000


def test_what_waits_at_a_port_is_bounded_whoever_asks_for_it() -> None:
    links = ("2,rate=10Mbit", "3,rate=1Gbit", "4,rate=1Gbit,memory=5kB", "5,qdisc=yes")
    ports = port_configs(("1@a", "2@b"), links)
    assert [port.memory_bytes for port in ports] == [
        LEAST_BYTES,
        LEAST_BYTES,
        31_250_000,  # 250 ms
        5_000,
        LEAST_BYTES,
    ]
    assert LaterPorts().port(7, "c").memory_bytes == LEAST_BYTES
