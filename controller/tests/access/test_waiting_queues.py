"""The time of a queue that waits behind others of its port, where registers have no clock."""

import numpy as np
import pytest
from p4abs.access.register_reader import Registers
from p4abs.measurements import MEASUREMENTS
from p4abs.queues import QueueAddress

LOW, HIGH, OTHER = QueueAddress(2, 0).index, QueueAddress(2, 7).index, QueueAddress(3, 0).index
NAMES = [name for each in MEASUREMENTS if each.is_needed for name in each.registers]


def times_us(**queues: tuple[int, int, int]) -> dict[int, int]:
    """Of queues with their last departure in us, and bytes that were admitted and have departed."""
    ports = [{"low": LOW, "high": HIGH, "other": OTHER}[name] for name in queues]
    values = {name: np.zeros(len(ports), np.uint64) for name in NAMES}
    told = zip(*queues.values(), strict=True)
    for name, column in zip(
        ("departed_at_us", "admitted_bytes", "departed_bytes"), told, strict=True
    ):
        values[name] = np.array(column, np.uint64)
    snapshots = Registers(ports, values).snapshots()
    return {port: snapshots[port].timestamp_us for port in ports}


def test_a_queue_that_waits_has_the_time_of_its_ports_last_departure() -> None:
    """Until then it was saturated: its next departure is later."""
    assert times_us(low=(1_000, 5_000, 2_000), high=(9_000, 700, 700)) == {LOW: 9_000, HIGH: 9_000}


def test_an_empty_queue_has_the_time_of_its_own_last_departure() -> None:
    """The unsaturated time since then is not counted yet."""
    assert times_us(low=(1_000, 5_000, 5_000), high=(9_000, 900, 700)) == {LOW: 1_000, HIGH: 9_000}


@pytest.mark.parametrize("waiting", [0, 300])
def test_other_ports_say_nothing_about_it(waiting: int) -> None:
    told = times_us(low=(1_000, 5_000 + waiting, 5_000), other=(9_000, 900, 900))
    assert told == {LOW: 1_000, OTHER: 9_000}
