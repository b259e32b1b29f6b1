"""The limits that links begin with that share a memory by them."""

import numpy as np
from p4abs.control.memory.pool import filled

from p4abs_experiments.network import Pool, Scenario
from p4abs_experiments.network.policies import fixed_limit_bytes


def first_limits(scenario: Scenario) -> dict[str, int]:
    """In bytes, by link, for the links whose limits share a memory."""
    limits: dict[str, int] = {}
    for pool in scenario.pools:
        if pool.sharing == "limits":
            limits |= _first_limits(scenario, pool)
    return limits


def _first_limits(scenario: Scenario, pool: Pool) -> dict[str, int]:
    wanted, minimum = [], []
    for name in pool.links:
        link = scenario.link(name)
        assert link.sizing is not None
        fixed = fixed_limit_bytes(link)
        wanted.append(link.sizing.initial_limit_bytes if fixed is None else fixed)
        minimum.append(min(link.sizing.min_limit_bytes, wanted[-1]))
    equal = np.zeros(len(wanted), np.int64)
    limits = filled(pool.size_bytes, np.array(wanted), np.array(minimum), equal)
    return dict(zip(pool.links, limits.tolist(), strict=True))
