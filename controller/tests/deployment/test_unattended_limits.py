"""Limits that nobody has asked for: they fit into the buffers that switches have."""

import pytest
from p4abs.access.capabilities import Capabilities
from p4abs.config import PortSettings, Source, load_settings
from p4abs.session.ports.limits import PortLimits
from p4abs.session.requirements import fitted

CHIP_BYTES = 64 * 2**20


def port(capacity: str, **keys: object) -> PortSettings:
    return PortSettings.model_validate({"number": 1, "capacity": capacity, **keys})


@pytest.mark.parametrize(
    ("capacity", "limit_bytes"),
    [("10Mbit", 312_500), ("1Gbit", 31_250_000), ("10Gbit", CHIP_BYTES), ("400Gbit", CHIP_BYTES)],
)
def test_250_ms_of_a_fast_link_are_no_more_than_a_chip_has(capacity: str, limit_bytes: int) -> None:
    fast = port(capacity)
    assert fast.capacity is not None
    assert PortLimits(fast).first_limit(0, fast.capacity) == limit_bytes
    assert PortLimits(fast).limit_to_leave(3_028, fast.capacity) == limit_bytes


def test_what_was_in_force_or_is_asked_for_stays() -> None:
    fast = port("100Gbit", **{"max-limit": "1GB"})
    assert PortLimits(fast).limit_to_leave(500_000_000, 100_000_000_000) == 500_000_000
    asked = port("100Gbit", **{"max-limit": "1GB", "safe-limit": "900MB"})
    assert PortLimits(asked).limit_to_leave(3_028, 100_000_000_000) == 900_000_000


def test_a_static_limit_is_left_as_it_is() -> None:
    assert PortLimits(port("1Gbit", policy="static")).limit_to_leave(64_000, 10**9) == 64_000


def offered(memory_bytes: int | None) -> Capabilities:
    return Capabilities("", "", lambda number: "", memory_bytes=memory_bytes)


@pytest.mark.parametrize(
    ("known", "given", "taken"),
    [
        (None, None, None),
        (22_000_000, None, 22_000_000),
        (22_000_000, "4MB", 4_000_000),
        (100_000, None, None),
    ],
    ids=["unknown", "known", "given", "too small for the least limits"],
)
def test_memory_is_what_the_switch_s_queues_share_where_that_is_known(known, given, taken) -> None:
    tables = {"port": [{"number": "1-64", "capacity": "100Gbit"}]}
    (settings,) = load_settings(Source(tables), {} if given is None else {"memory": given}).switch
    assert fitted(offered(known), settings).memory == taken
