"""Every policy can be made here, whatever it requires."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from p4abs.policies import Policy, Targets, create, required_parameters

REQUIRED = {"n_flows": 16, "mean_rtt_s": 0.05, "packet_bytes": 600}
"""A value for each parameter that some policy requires."""


@pytest.fixture(scope="session")
def required_values() -> Callable[[str], dict[str, float]]:
    """Values for the parameters that the policy of this name requires."""
    return _required_values


def _required_values(name: str) -> dict[str, float]:
    return {parameter: REQUIRED[parameter] for parameter in required_parameters(name)}


def _make_policy(
    name: str, capacity_bps: float, targets: Targets, **parameters: Any
) -> Policy[Any]:
    if name == "delay-cap" and targets.max_delay_s is None:
        targets = replace(targets, max_delay_s=0.1)
    return create(name, capacity_bps, targets, **{**_required_values(name), **parameters})


@pytest.fixture(scope="session")
def make_policy() -> Callable[..., Policy[Any]]:
    """`create` that fills in the required parameters, and a delay cap of 0.1 s where needed."""
    return _make_policy
