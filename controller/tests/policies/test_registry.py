"""Policies by name, their parameters and targets, and what is refused."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from p4abs.policies import (
    POLICIES,
    InvalidParameter,
    InvalidTarget,
    Policy,
    Targets,
    UnknownPolicy,
    create,
    registry,
    required_parameters,
)

TARGETS = Targets(0.98, 0.02, None, 1_500, 750_000)
NO_NUMBERS = [-1, float("nan"), float("inf"), "fast"]
LAWS_WITH_GAINS = ("abs-paper", "abs-paper-abs")
MakePolicy = Callable[..., Policy[Any]]


def default_parameters(name: str) -> dict[str, Any]:
    return {
        field.name: field.default
        for field in fields(POLICIES[name])
        if field.init and field.default is not MISSING
    }


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_is_made_under_its_own_name(make_policy: MakePolicy, name: str) -> None:
    assert make_policy(name, 10e6, TARGETS).name == name


@pytest.mark.parametrize("name", POLICIES)
def test_default_parameters_are_accepted_back(make_policy: MakePolicy, name: str) -> None:
    defaults = default_parameters(name)
    assert make_policy(name, 10e6, TARGETS, **defaults) == make_policy(name, 10e6, TARGETS)


def test_an_unknown_policy_lists_the_valid_ones() -> None:
    with pytest.raises(UnknownPolicy, match=r"'red'.*abs, abs-paper, abs-paper-abs, adt, "):
        create("red", 10e6, TARGETS)


def test_a_removed_policy_names_the_one_to_use() -> None:
    with pytest.raises(UnknownPolicy, match=r"^'abs-1': .*removed; use abs, "):
        create("abs-1", 10e6, TARGETS, loss_gain=0.3)


def test_an_unknown_parameter_lists_the_valid_ones() -> None:
    with pytest.raises(InvalidParameter, match=r"'gain'.*valid:.*packet_bytes"):
        create("abs-paper", 10e6, TARGETS, gain=1)
    with pytest.raises(InvalidParameter, match=r"'rtt'.*valid: factor, n_flows, mean_rtt_s"):
        create("stanford", 10e6, TARGETS, rtt=1)


@pytest.mark.parametrize("name", [name for name in POLICIES if required_parameters(name)])
def test_missing_parameters_are_named_and_only_they(name: str) -> None:
    required = required_parameters(name)
    with pytest.raises(InvalidParameter, match=f"requires parameters: {', '.join(required)}$"):
        create(name, 10e6, TARGETS)
    for missing in required:
        others = {parameter: 1 for parameter in required if parameter != missing}
        with pytest.raises(InvalidParameter, match=f"{name}: .*requires parameters: {missing}$"):
            create(name, 10e6, TARGETS, **others)


def test_laws_that_measure_need_no_knowledge_of_the_traffic() -> None:
    assert [name for name in POLICIES if not required_parameters(name)] == [
        "abs",
        "abs-paper",
        "abs-paper-abs",
        "adt",
        "bdp",
        "delay-cap",
        "dql",
        "stanford",
        "static",
    ]


def test_the_delay_cap_policy_requires_the_target() -> None:
    with pytest.raises(InvalidTarget, match=r"delay-cap: .*requires the target max_delay"):
        create("delay-cap", 10e6, TARGETS)


@pytest.mark.parametrize("name", LAWS_WITH_GAINS)
@pytest.mark.parametrize("value", NO_NUMBERS)
def test_gains_that_are_no_gains_are_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidParameter, match="loss_gain"):
        create(name, 10e6, TARGETS, loss_gain=value)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter)
        for name in POLICIES
        if name not in LAWS_WITH_GAINS
        for parameter in (*required_parameters(name), *default_parameters(name))
    ],
)
@pytest.mark.parametrize("value", NO_NUMBERS)
def test_a_parameter_out_of_range_is_refused_by_name(
    make_policy: MakePolicy, name: str, parameter: str, value: object
) -> None:
    with pytest.raises(InvalidParameter, match=f"{name}: {parameter}="):
        make_policy(name, 10e6, TARGETS, **{parameter: value})


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("abs", {"precision": 1e-300}),
        ("abs", {"precision": 1e160}),
        ("adt", {"averaging_weight": 1.01}),
        ("adt", {"step_factor": 1}),
        ("bscl", {"loss_synchronization": 1.01}),
        ("fluid", {"synchronization": 1.01}),
        ("fluid", {"decrease_factor": 2}),
        ("stanford", {"n_flows": 0.5}),
        ("fluid", {"mean_rtt_s": 1e300}),
        ("bscl", {"mean_rtt_s": 1e300, "n_flows": 1e300, "packet_bytes": 1e300}),
    ],
)
def test_absurd_parameters_are_refused(
    make_policy: MakePolicy, name: str, parameters: dict[str, float]
) -> None:
    with pytest.raises(InvalidParameter, match=name):
        make_policy(name, 10e6, TARGETS, **parameters)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("capacity_bps", [0.0, -1.0, float("inf"), float("nan")])
def test_a_capacity_that_is_none_is_refused(
    make_policy: MakePolicy, name: str, capacity_bps: float
) -> None:
    with pytest.raises(InvalidParameter, match="capacity"):
        make_policy(name, capacity_bps, TARGETS)


@pytest.mark.parametrize(
    ("targets", "named"),
    [
        ((0.0, 0.02, None, 1_500, 9_000), "utilization"),
        ((1.0, 0.02, None, 1_500, 9_000), "utilization"),
        ((0.98, 1.5, None, 1_500, 9_000), "loss"),
        ((0.98, float("nan"), None, 1_500, 9_000), "loss"),
        ((0.98, 0.02, 0.0, 1_500, 9_000), "max_delay"),
        ((0.98, 0.02, None, 0, 9_000), "min_limit"),
        ((0.98, 0.02, None, 1_500, 1_499), "max_limit"),
    ],
)
def test_targets_out_of_range_are_refused_by_name(
    targets: tuple[float, float, float | None, int, int], named: str
) -> None:
    with pytest.raises(InvalidTarget, match=named):
        Targets(*targets)


@pytest.mark.parametrize("name", POLICIES)
def test_a_delay_cap_below_the_lowest_limit_is_refused(make_policy: MakePolicy, name: str) -> None:
    with pytest.raises(InvalidTarget, match=r"max_delay.*1250 bytes.*min_limit=1500"):
        make_policy(name, 10e6, Targets(0.98, 0.02, 0.001, 1_500, 9_000))


def test_a_policy_that_a_package_registers_is_made_like_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = EntryPoint("still", "p4abs.policies.static:Static", registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    policies = registry._Policies()
    assert policies["still"] is POLICIES["static"]
    assert "still" in policies
    assert [*policies][-1] == "still"
    assert len(policies) == len([*policies])


def test_a_policy_of_the_experiments_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: [])
    monkeypatch.setattr(registry, "POLICIES", registry._Policies())
    with pytest.raises(UnknownPolicy, match=r"^'p4bs': .*install the package p4abs-experiments"):
        create("p4bs", 10e6, TARGETS)
