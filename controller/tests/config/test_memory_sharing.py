"""Who shares out a switch's memory, and what ports have for it."""

import pytest
from p4abs.config import ConfigError, Source, SwitchSettings, load_settings, without_effect
from p4abs.session.ports.limits import PortLimits

TWO_PORTS = [{"number": 2}, {"number": 3}]


def settings(*ports: dict[str, object], **switch: object) -> SwitchSettings:
    tables = {"switch": switch, "port": [{"capacity": "10Mbit", **port} for port in ports]}
    (loaded,) = load_settings(Source(tables), {}).switch
    return loaded


THRESHOLDS = {"memory": "4MiB", "memory-sharing": "dynamic-thresholds"}
REFUSED = {
    "of no memory": (
        {"memory-sharing": "abm"},
        {},
        "memory is missing, which memory-sharing abm needs; give memory, such as '4MiB'",
    ),
    "of less than a frame": (
        THRESHOLDS | {"memory": "1kB"},
        {},
        "memory 1000B: must be at least 1514B, a frame of the ports' mtu",
    ),
    "by an unknown way": (
        THRESHOLDS | {"memory-sharing": "dt"},
        {},
        "'dt': must be 'limits', 'dynamic-thresholds' or 'abm'",
    ),
    "by a Tofino's program": (
        THRESHOLDS | {"target": "stratum"},
        {},
        "memory-sharing dynamic-thresholds: valid with the target stratum: limits",
    ),
    "by BF Runtime": (
        THRESHOLDS | {"target": "bfrt"},
        {},
        "memory-sharing dynamic-thresholds: valid with the target bfrt: limits",
    ),
    "with alpha 0": (THRESHOLDS, {"alpha": 0}, "alpha: 0: must be between 0.01 and 32"),
    "with alpha 100": (THRESHOLDS, {"alpha": 100}, "alpha: 100: must be between 0.01 and 32"),
    "with alpha as text": (THRESHOLDS, {"alpha": "1"}, "must be a number, without quotes"),
    "with alpha as a choice": (THRESHOLDS, {"alpha": True}, "alpha: true: must be a number"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_shared_is_refused_with_what_is_valid(name: str) -> None:
    switch, port, message = REFUSED[name]
    with pytest.raises(ConfigError) as refused:
        settings({"number": 2, **port}, **switch)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_thresholds_take_less_memory_than_limits_do() -> None:
    with pytest.raises(ConfigError, match=r"must be at least .*, the sum of the ports' min-limit"):
        settings(*TWO_PORTS, memory="4kB")
    shared = settings(*TWO_PORTS, **THRESHOLDS | {"memory": "4kB"})
    assert (shared.memory, shared.memory_of_limits) == (4000, None)


def test_limits_share_memory_unless_something_else_is_said() -> None:
    assert settings(*TWO_PORTS, memory="4MiB").memory_of_limits == 2**22


def test_a_ports_alpha_goes_before_that_of_the_defaults() -> None:
    tables = {"defaults": {"alpha": 2}, "port": [{"number": 2}, {"number": 3, "alpha": 0.5}]}
    (loaded,) = load_settings(Source(tables), {}).switch
    assert [port.alpha for port in loaded.port] == [2.0, 0.5]


@pytest.mark.parametrize(
    ("sharing", "port", "said"),
    [
        ("limits", {"alpha": 2}, ["alpha"]),
        ("limits", {"priority": 1}, []),
        ("dynamic-thresholds", {"priority": 1}, ["priority"]),
        ("dynamic-thresholds", {"alpha": 2}, []),
        ("dynamic-thresholds", {"safe-limit": "4MiB", "max-limit": "4MiB"}, []),
        ("abm", {"priority": 1, "alpha": 2}, []),
    ],
)
def test_what_a_way_to_share_does_not_know_is_said(sharing, port, said) -> None:
    both = {"safe-limit": "1MB"}
    ports = [{"number": 2, **both}, {"number": 3, **both, **port}]
    loaded = settings(*ports, **THRESHOLDS | {"memory-sharing": sharing})
    assert [name for name, _ in without_effect(loaded)] == said


@pytest.mark.parametrize(
    ("sharing", "observed", "said"),
    [
        ("abm", [2], ["thresholds are not written while port 2 is observed"]),
        ("abm", [2, 3], ["thresholds are not written while ports 2-3 are observed"]),
        ("abm", [2, 3, 4], []),
        ("limits", [2], []),
    ],
)
def test_ports_that_keep_thresholds_from_the_others_are_said(sharing, observed, said) -> None:
    ports = [
        {"number": number, "mode": "observe" if number in observed else "control"}
        for number in (2, 3, 4)
    ]
    loaded = settings(*ports, **THRESHOLDS | {"memory-sharing": sharing})
    assert [*without_effect(loaded)] == [("memory-sharing", text) for text in said]


def test_a_static_port_keeps_its_limit_of_the_memory_or_is_refused() -> None:
    static = {"number": 4, "policy": "static", "initial-limit": "50kB"}
    assert settings(*TWO_PORTS, static, memory="57kB").port[2].kept_of_memory == 50_000
    with pytest.raises(ConfigError, match="the initial-limit of ports with the policy static"):
        settings(*TWO_PORTS, static, memory="56kB")


def test_a_static_port_that_shares_memory_says_how_much_it_keeps() -> None:
    with pytest.raises(
        ConfigError,
        match=r"port 4: initial-limit is missing, which a port with the policy static needs",
    ):
        settings(*TWO_PORTS, {"number": 4, "policy": "static"}, memory="4MiB")
    settings(*TWO_PORTS, {"number": 4, "policy": "static"})


def test_a_static_port_is_left_with_its_limit() -> None:
    (port,) = settings({"number": 4, "policy": "static", "capacity": "1Gbit"}).port
    assert PortLimits(port).limit_to_leave(64_000, 10**9) == 64_000
