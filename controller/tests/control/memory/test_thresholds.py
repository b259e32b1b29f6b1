"""Why a controller shares memory by limits, and thresholds on what is free are the data plane's.

Dynamic thresholds (Choudhury and Hahne 1998) let a queue grow to alpha times the free memory, and
ABM (Addanki and others 2022) to that over the number of congested queues. Both look at the free
memory at each packet. Here a controller sets them, at each control interval, from exact backlogs,
and each queue gets what it can in between; and, at last, the program shared_queue has them:
docs/design/fleet.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from p4abs.access.program import program_path
from p4abs.control import filled
from p4abs_switch import PortConfig
from p4abs_switch import Switch as Engine
from p4abs_switch.runtime.programmed import Programmed

MIB = 2**20

Sharing = Callable[[int, list[int]], list[int]]
"""The queues' limits, of the memory's size and of their backlogs, all in bytes."""


def thresholds(alpha: float) -> Sharing:
    return lambda size, backlogs: [int(alpha * (size - sum(backlogs)))] * len(backlogs)


def thresholds_by_congested_queues(alpha: float) -> Sharing:
    def limits(size: int, backlogs: list[int]) -> list[int]:
        congested = max(1, sum(backlog > 0 for backlog in backlogs))
        return thresholds(alpha / congested)(size, backlogs)

    return limits


def even_limits(size: int, backlogs: list[int]) -> list[int]:
    alike = np.zeros(len(backlogs), np.int64)
    limits: list[int] = filled(size, alike + size, alike, alike).tolist()
    return limits


@dataclass(frozen=True)
class Switch:
    """A memory, ports of one rate, and how long a control interval lasts."""

    memory_bytes: int
    ports: int
    rate_bps: int
    interval_s: float

    @property
    def sent_bytes(self) -> int:
        """What a port sends in an interval."""
        return int(self.rate_bps * self.interval_s / 8)

    def most_held_bytes(self, sharing: Sharing, bursting: int) -> int:
        """After bursts to this many ports, each of twice its rate, as long as it is let in."""
        return max(map(sum, self._backlogs(sharing, bursting)))

    def _backlogs(self, sharing: Sharing, bursting: int) -> Iterator[list[int]]:
        backlogs = [0] * self.ports
        for _ in range(100):
            limits = sharing(self.memory_bytes, backlogs)
            for port in range(self.ports):
                # What is above a limit that has fallen drains; what is below it may be filled.
                drained = max(0, backlogs[port] - self.sent_bytes)
                filled = min(backlogs[port] + self.sent_bytes, limits[port])
                backlogs[port] = max(drained, filled) if port < bursting else drained
            yield backlogs


LEAF = Switch(32 * MIB, 256, 10_000_000_000, 0.02)


@pytest.mark.parametrize(
    "sharing", [thresholds(1.0), thresholds(0.5), thresholds_by_congested_queues(1.0)]
)
def test_thresholds_that_a_controller_sets_let_bursts_take_more_than_there_is(
    sharing: Sharing,
) -> None:
    assert LEAF.most_held_bytes(sharing, bursting=4) > 1.9 * LEAF.memory_bytes


@pytest.mark.parametrize("bursting", [1, 4, 256])
def test_limits_whose_sum_is_the_memory_do_not(bursting: int) -> None:
    assert LEAF.most_held_bytes(even_limits, bursting) <= LEAF.memory_bytes


def test_thresholds_hold_once_what_bursts_bring_in_an_interval_is_kept_back() -> None:
    """Which is more than the memory that there is, unless intervals are a hundred times shorter."""
    kept_back = LEAF.ports * LEAF.sent_bytes
    assert kept_back > 100 * LEAF.memory_bytes
    fast = Switch(LEAF.memory_bytes, LEAF.ports, LEAF.rate_bps, LEAF.interval_s / 400)
    minimum = fast.memory_bytes - fast.ports * fast.sent_bytes

    def with_room(size: int, backlogs: list[int]) -> list[int]:
        return thresholds(1.0)(minimum, backlogs)

    assert fast.most_held_bytes(with_room, fast.ports) <= fast.memory_bytes
    assert fast.most_held_bytes(thresholds(1.0), fast.ports) > fast.memory_bytes


FORWARDING, SHARING = "AbsIngress.forwarding", "AbsIngress.queue_limit.share_memory"
FRAME_BYTES = 1514
SOURCE = 0


def loaded(switch: Switch) -> Engine:
    """The program shared_queue on such a switch, each port with alpha 1."""
    numbers = range(SOURCE + 1, SOURCE + 1 + switch.ports)
    ports = [PortConfig(number, rate_bps=switch.rate_bps) for number in numbers]
    engine = Engine([PortConfig(SOURCE), *ports], 510)
    json = program_path("shared_queue").read_bytes()
    engine.load(json)
    program = Programmed.of(engine, json)
    program.set_default(f"{SHARING}.memory_size", f"{SHARING}.set_memory", switch.memory_bytes)
    for number in numbers:
        forward, share = f"{FORWARDING}.forward", f"{SHARING}.share"
        key = [(int.from_bytes(station(number), "big"),)]
        program.add(f"{FORWARDING}.ethernet_forward", key, forward, number)
        program.add(f"{SHARING}.memory_sharing", [(number,), (0,)], share, 0, 1 << 10)
    return engine


def station(number: int) -> bytes:
    return bytes([2, 0, 0, 0]) + number.to_bytes(2, "big")


def occupied_bytes(switch: Switch, bursting: int, duration_s: float) -> Iterator[int]:
    """During bursts to this many ports, each of twice its rate."""
    engine = loaded(switch)
    frame_ns = 8 * FRAME_BYTES * 1_000_000_000 // (2 * switch.rate_bps)
    frames = [station(SOURCE + 1 + port).ljust(FRAME_BYTES, b"\x88") for port in range(bursting)]
    for now_ns in range(0, int(duration_s * 1e9), frame_ns):
        for frame in frames:
            engine.inject(SOURCE, frame, now_ns)
        engine.run_until(now_ns)
        yield engine.registers_read([("occupied_bytes", 0)])[0]


@pytest.mark.parametrize("bursting", [4, 256])
def test_thresholds_in_the_data_plane_do_not_either(bursting: int) -> None:
    """Queues come to rest at 1 / (1 + n) of the memory, and no burst takes more than there is."""
    filled_s = LEAF.memory_bytes * 8 / (bursting * LEAF.rate_bps)
    *_, last = held = [*occupied_bytes(LEAF, bursting, 1.05 * filled_s)]
    assert max(held) <= LEAF.memory_bytes
    expected = bursting / (1 + bursting) * LEAF.memory_bytes
    assert last == pytest.approx(expected, abs=3 * bursting * FRAME_BYTES)
