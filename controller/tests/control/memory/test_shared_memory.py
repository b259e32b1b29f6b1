"""The queues of a switch never take more than the memory that they share."""

from dataclasses import dataclass, replace
from random import Random

import pytest
from p4abs.control import ControlledPort, MemoryPool, Rank, SwitchControl
from p4abs.control.batched import BatchedControl
from p4abs.control.per_port import PerPortControl
from p4abs.measurements import Interval, Snapshot
from p4abs.policies import Binding, Decision, Targets
from p4abs.policies.bounds import Bounds
from p4abs.policies.port_by_port import AlonePolicy

CAPACITY_BPS, INTERVAL_US = 10_000_000, 20_000
SENT_BYTES = CAPACITY_BPS * INTERVAL_US // 8_000_000
PORTS, MEMORY_BYTES, MIN_BYTES = 5, 1_000_000, 3028
BOUNDS = Bounds.of(CAPACITY_BPS, Targets(0.98, 0.02, None, MIN_BYTES, 1_000_000))


@dataclass(frozen=True)
class Jumping(AlonePolicy[tuple[int, int]]):
    """Asks for any limit, anew each interval. The state is the limit and a seed."""

    name = "jumping"
    seed: int

    def start(self, limit_bytes: int) -> tuple[int, int]:
        return limit_bytes, self.seed

    def step(
        self, state: tuple[int, int], interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[tuple[int, int], Decision]:
        limit_bytes, seed = state
        wanted = Random(seed).choice([limit_bytes, 10_000, 200_000, 900_000])
        bounds = BOUNDS.tightened(limit_bytes, memory_left_bytes)
        limit_bytes, binding = bounds.applied(wanted, Binding.UTILIZATION)
        return (limit_bytes, seed + 1), Decision(limit_bytes, binding, {})


class Queue:
    """A port whose queue is filled to its limit at once, or drains at the port's rate."""

    def __init__(self, random: Random) -> None:
        self.now = Snapshot(0, 0, 0, 0, 0)
        self._random = random

    def pass_interval(self) -> None:
        sent = min(SENT_BYTES, self.now.occupancy_bytes)
        room = max(0, self.now.limit_bytes - (self.now.occupancy_bytes - sent))
        admitted = self._random.choice([0, room, room])
        self.now = replace(
            self.now,
            timestamp_us=self.now.timestamp_us + INTERVAL_US,
            admitted_bytes=self.now.admitted_bytes + admitted,
            departed_bytes=self.now.departed_bytes + sent,
        )


@pytest.mark.parametrize("way", [BatchedControl, PerPortControl])
@pytest.mark.parametrize("priorities", [[0, 0, 0, 0, 0], [0, 1, 2, 1, 7], [5, 4, 3, 2, 1]])
def test_queues_stay_within_the_memory_whatever_limits_and_answers_do(
    way: type[SwitchControl], priorities: list[int]
) -> None:
    random, pool = Random(7), MemoryPool(MEMORY_BYTES)
    queues = {port: Queue(random) for port in range(PORTS)}
    control = way(
        [
            ControlledPort(
                port,
                CAPACITY_BPS,
                Jumping(1000 * port),
                MEMORY_BYTES // PORTS,
                rank=Rank(priorities[port], MIN_BYTES),
            )
            for port in queues
        ]
    )
    fullest, repeats, answered = 0, list[int](), dict[int, Snapshot]()
    for step in range(1000):
        if step == 500:
            drawn = random.sample(priorities, PORTS)
            control.rank({port: Rank(each, MIN_BYTES) for port, each in enumerate(drawn)})
        for port, limit_bytes in control.limits_to_write().items():
            if random.random() < 0.9:
                queues[port].now = replace(queues[port].now, limit_bytes=limit_bytes)
        taken = {port: queue.now for port, queue in queues.items() if random.random() < 0.9}
        # For some time, the switch repeats what it has answered before.
        repeats = random.sample([*queues], 2) if step % 20 == 0 else repeats
        answered = {port: now for port, now in taken.items() if port not in repeats} | {
            port: answered[port] for port in repeats if port in answered
        }
        control.decide(answered, pool)
        assert sum(control.limits().values()) <= MEMORY_BYTES
        assert min(control.limits().values()) >= MIN_BYTES
        for queue in queues.values():
            queue.pass_interval()
        fullest = max(fullest, sum(queue.now.occupancy_bytes for queue in queues.values()))
        assert fullest <= MEMORY_BYTES
    assert fullest > 0.95 * MEMORY_BYTES
