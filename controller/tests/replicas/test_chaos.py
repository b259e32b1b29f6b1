"""Replicas in trouble, in virtual time: never two writers, no orphan, no limit out of bounds."""

import random
from collections import Counter

import pytest

from controller.tests.replicas.world import INTERVAL_S, Node, World

REPLICAS, SWITCHES = 3, 2
FAULTS = 70
RUNS = [
    (1, "mailbox"),
    (2, "mailbox"),
    (24, "mailbox"),
    (3, "register-entry"),
    (27, "register-entry"),
]
BETWEEN_FAULTS_S = 8 * INTERVAL_S
LONGEST_FAULT_S = 1.0
# After SIGTERM it waits for a second whether somebody takes over.
ENDING_S = 2.0
JUMPS_S = [0.01, 0.1, 1.0, 100.0]


class Chaos:
    """Faults at random, one after the other; each passes after a while, others may begin before."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.counts: Counter[str] = Counter()
        self._generator = random.Random(seed)

    def run(self, faults: int) -> None:
        while self.counts.total() < faults:
            self.world.run(self._generator.expovariate(1 / BETWEEN_FAULTS_S))
            self._strike()
        self.world.run(ENDING_S + LONGEST_FAULT_S)

    def _strike(self) -> None:
        node = self._generator.choice(self.world.nodes)
        switch = self._generator.randrange(len(self.world.switches))
        for_s = self._generator.uniform(INTERVAL_S, LONGEST_FAULT_S)
        kinds = {
            "kill": lambda: self._kill(node, for_s),
            "terminate": lambda: self._terminate(node, for_s),
            "stop": lambda: self._stop(node, for_s),
            "cut": lambda: self._cut(node, switch, for_s),
            "silence": lambda: self._silence(node, switch, for_s),
            "jump": lambda: node.jump(self._generator.choice(JUMPS_S)),
        }
        kind = self._generator.choice([*kinds])
        if node.process.is_running and node.link(switch).is_well:
            self.counts[kind] += 1
            kinds[kind]()

    def _kill(self, node: Node, for_s: float) -> None:
        node.kill()
        self.world.timeline.after(for_s, node.start)

    def _terminate(self, node: Node, for_s: float) -> None:
        process = node.process
        node.terminate()

        def has_ended() -> None:
            if node.process is process and process.is_alive:
                self._kill(node, for_s)

        self.world.timeline.after(ENDING_S, has_ended)

    def _stop(self, node: Node, for_s: float) -> None:
        node.stop()
        self.world.timeline.after(for_s, node.go_on)

    def _cut(self, node: Node, switch: int, for_s: float) -> None:
        node.cut(switch)
        self.world.timeline.after(for_s, lambda: node.mend(switch))

    def _silence(self, node: Node, switch: int, for_s: float) -> None:
        node.silence(switch)
        self.world.timeline.after(for_s, lambda: node.mend(switch))


@pytest.mark.parametrize(("seed", "path"), RUNS)
def test_whatever_happens_one_replica_controls_each_switch(make_world, seed, path) -> None:
    world = make_world(REPLICAS, SWITCHES, seed, path=path)
    chaos = Chaos(world, seed)
    chaos.run(FAULTS)
    assert world.wrong == []
    assert len(chaos.counts) == 6
    assert min(chaos.counts.values()) >= 3
    assert len(world.limits_seen) > 100
    assert sum(node.takeovers for node in world.nodes) > FAULTS / 4
