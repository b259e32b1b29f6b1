"""The controller's promises under 10,000 seeded faults of its switches, in virtual time."""

import pytest

from controller.tests.chaos.faults import KINDS, Chaos
from controller.tests.chaos.world import World

# Ports are controlled one by one, or batched where they are many (p4abs/control/ways.py).
PER_PORT, BATCHED = (range(1, 5), 3), (range(1, 14), 1)
RUNS = [(seed, PER_PORT, 1900) for seed in range(1, 6)] + [(6, BATCHED, 500)]
assert sum(faults for _, _, faults in RUNS) == 10_000


@pytest.mark.parametrize(("seed", "size", "faults"), RUNS)
def test_whatever_a_switch_does_the_controller_keeps_its_promises(seed, size, faults) -> None:
    with World(seed, *size) as world:
        chaos = Chaos(world, seed)
        chaos.run(faults)
    assert world.wrong == []
    assert world.over_memory == []
    assert world.late == []
    assert chaos.counts.total() == faults
    assert chaos.counts.keys() == KINDS.keys()
    # Limits move all the while: 93 to 415 of them in 16 seeds of 500 faults.
    assert sum(len(switch.limits_seen) for switch in world.switches.values()) > faults / 8
