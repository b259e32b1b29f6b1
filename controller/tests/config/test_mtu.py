"""The longest frame of a port, and what follows from it for the port's limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.config import ConfigError, PortSettings, Source, load_settings
from p4abs.session.ports.limits import PortLimits
from p4abs.units import parse_rate

PORT = {"number": 2, "capacity": "10Mbit"}
REFUSED = {
    "of less than a frame": ({"mtu": "63B"}, "mtu: '63B': must be between 64B and 9216B"),
    "of more than a frame": (
        {"mtu": "9217B", "min-limit": "20kB"},
        "mtu: '9217B': must be between 64B and 9216B",
    ),
    "without a unit": ({"mtu": 1514}, "mtu: 1514: must be a size"),
    "above min-limit": (
        {"mtu": "9216B", "min-limit": "9215B"},
        "min-limit: '9215B': must be at least 9216B, a frame of the port's mtu",
    ),
    "that max-delay leaves no room for": (
        {"mtu": "9000B", "max-delay": "10ms"},
        "max-delay 10ms: must be above 14.4ms, the time that the link takes to send min-limit "
        "(17.58KiB, by default 2 frames of the port's mtu; at least 9000B)",
    ),
    "that max-limit leaves no room for": (
        {"mtu": "9000B", "max-limit": "10kB"},
        "max-limit 9.766KiB: must be at least min-limit "
        "(17.58KiB, by default 2 frames of the port's mtu; at least 9000B)",
    ),
    "above a max-limit that min-limit is above, too": (
        {"mtu": "9000B", "min-limit": "12kB", "max-limit": "10kB"},
        "max-limit 9.766KiB: must be at least min-limit (11.72KiB)",
    ),
    "above initial-limit": (
        {"mtu": "9000B", "initial-limit": "10kB"},
        "initial-limit 9.766KiB: must be within the port's limits, 17.58KiB to 1.192MiB",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_mtu_is_refused(name: str) -> None:
    keys, message = REFUSED[name]
    with pytest.raises(ConfigError) as refused:
        load_settings(Source({"switch": {}, "port": [PORT | keys]}), {})
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.integers(64, 9216))
def test_the_lowest_limit_is_two_frames_of_the_mtu_unless_given(mtu: int) -> None:
    port = PortSettings.model_validate(PORT | {"mtu": f"{mtu}B"})
    assert port.min_limit == 2 * mtu
    assert PortLimits(port).first_limit(1, parse_rate("10Mbit")) == 2 * mtu
    of_one = PORT | {"mtu": f"{mtu}B", "min-limit": f"{mtu}B"}
    assert PortSettings.model_validate(of_one).min_limit == mtu


def test_shared_memory_holds_a_frame_of_each_port() -> None:
    ports = [PORT, PORT | {"number": 3, "mtu": "9kB"}]
    switch = {"memory": "8999B", "memory-sharing": "dynamic-thresholds"}
    with pytest.raises(ConfigError, match="must be at least 9000B, a frame of the ports' mtu"):
        load_settings(Source({"switch": switch, "port": ports}), {})
    with pytest.raises(ConfigError, match=r"must be at least .*, the sum of the ports' min-limit"):
        load_settings(Source({"switch": {"memory": "20kB"}, "port": ports}), {})
