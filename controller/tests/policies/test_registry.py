"""Policies by name, their parameters and targets, and what is refused."""

import pytest
from p4abs.policies import (
    POLICIES,
    InvalidParameter,
    InvalidTarget,
    Targets,
    UnknownPolicy,
    create,
    default_parameters,
)

TARGETS = Targets(0.98, 0.02, None, 1_500, 750_000)


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_is_made_under_its_own_name(name: str) -> None:
    assert create(name, 10e6, TARGETS).name == name


@pytest.mark.parametrize("name", POLICIES)
def test_default_parameters_are_accepted_back(name: str) -> None:
    defaults = default_parameters(name)
    assert create(name, 10e6, TARGETS, **defaults) == create(name, 10e6, TARGETS)


def test_an_unknown_policy_lists_the_valid_ones() -> None:
    with pytest.raises(UnknownPolicy, match=r"'red'.*abs, abs-paper, abs-paper-abs, static"):
        create("red", 10e6, TARGETS)


def test_an_unknown_parameter_lists_the_valid_ones() -> None:
    with pytest.raises(InvalidParameter, match=r"'gain'.*valid:.*packet_bytes"):
        create("abs-paper", 10e6, TARGETS, gain=1)


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "static"])
@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "fast"])
def test_gains_that_are_no_gains_are_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidParameter, match="loss_gain"):
        create(name, 10e6, TARGETS, loss_gain=value)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("capacity_bps", [0.0, -1.0, float("inf"), float("nan")])
def test_a_capacity_that_is_none_is_refused(name: str, capacity_bps: float) -> None:
    with pytest.raises(InvalidParameter, match="capacity"):
        create(name, capacity_bps, TARGETS)


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


def test_a_delay_cap_below_the_lowest_limit_is_refused() -> None:
    with pytest.raises(InvalidTarget, match=r"max_delay.*1250 bytes.*min_limit=1500"):
        create("abs", 10e6, Targets(0.98, 0.02, 0.001, 1_500, 9_000))
