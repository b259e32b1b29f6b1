"""Queues limited one by one do what BMv2's do: the values are those of BMv2 1.15.5's
simple_switch_grpc with eight priority queues, which got the same frames 10 ms apart."""

from collections.abc import Callable, Sequence

import pytest
from p4abs_switch import PortConfig, Switch

from .conftest import PROGRAMS

MS = 1_000_000
BEGIN = 1_000 * MS  # no queue has just begun
PORT = 1

Told = tuple[int, int, int, int]
"""A frame that left: priority, number, and how many frames waited when it came and when it left."""


def told(limit: Callable[[Switch], None], priorities: Sequence[int]) -> list[Told]:
    """What leaves, in its order, of frames of these priorities."""
    switch = Switch([PortConfig(0), PortConfig(PORT)])
    switch.load((PROGRAMS / "queue_depths.json").read_bytes())
    limit(switch)
    for number, priority in enumerate(priorities):
        switch.inject(0, bytes([priority, number]) + bytes(58), BEGIN + number * 10 * MS)
    left = switch.run_until(10 * BEGIN)
    assert {port for _, port, _ in left} <= {PORT}
    return [(frame[0], frame[1], _number(frame[2:6]), _number(frame[6:10])) for *_, frame in left]


def _number(value: bytes) -> int:
    return int.from_bytes(value, "big")


def port_slow(switch: Switch) -> None:
    switch.set_queue_rate(4, PORT)


def one_queue_short(switch: Switch) -> None:
    port_slow(switch)
    switch.set_queue_depth(2, PORT, 6)


def one_queue_slower(switch: Switch) -> None:
    port_slow(switch)
    switch.set_queue_rate(2, PORT, 0)


def one_queue_slow(switch: Switch) -> None:
    switch.set_queue_rate(4, PORT, 2)


def one_queue_slow_and_short(switch: Switch) -> None:
    one_queue_slow(switch)
    switch.set_queue_depth(3, PORT, 2)


def all_slow_and_short(switch: Switch) -> None:
    switch.set_queue_rate(4)
    switch.set_queue_depth(1)


@pytest.mark.parametrize(
    ("limit", "priorities", "on_bmv2"),
    [
        (
            port_slow,
            (0, 0, 0, 0, 6, 6, 6, 6),
            [
                *((0, 0, 0, 0), (6, 4, 0, 0), (0, 1, 0, 2), (6, 5, 0, 2)),
                *((0, 2, 1, 1), (6, 6, 1, 1), (0, 3, 2, 0), (6, 7, 2, 0)),
            ],
        ),
        (
            one_queue_short,
            (0, 0, 0, 0, 6, 6, 6, 6),
            [
                *((0, 0, 0, 0), (6, 4, 0, 0), (0, 1, 0, 2), (6, 5, 0, 1)),
                *((0, 2, 1, 1), (6, 6, 1, 0), (0, 3, 2, 0)),
            ],
        ),
        (
            one_queue_slower,
            (0, 0, 0, 5, 5, 5),
            [
                *((0, 0, 0, 0), (5, 3, 0, 0), (5, 4, 0, 1)),
                *((0, 1, 0, 1), (5, 5, 1, 0), (0, 2, 1, 0)),
            ],
        ),
        (
            one_queue_slow,
            (2, 2, 2, 2, 0, 0),
            [
                *((2, 0, 0, 0), (0, 4, 0, 0), (0, 5, 0, 0)),
                *((2, 1, 0, 2), (2, 2, 1, 1), (2, 3, 2, 0)),
            ],
        ),
        (
            one_queue_slow_and_short,
            (2, 2, 2, 2, 2, 0),
            [(2, 0, 0, 0), (0, 5, 0, 0), (2, 1, 0, 2), (2, 2, 1, 1), (2, 3, 2, 0)],
        ),
        (
            all_slow_and_short,
            (2, 2, 2, 3, 3, 3),
            [(2, 0, 0, 0), (3, 3, 0, 0), (2, 1, 0, 0), (3, 4, 0, 0)],
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_leaves_and_the_depths_it_tells_are_bmv2_s(
    limit: Callable[[Switch], None], priorities: Sequence[int], on_bmv2: Sequence[Told]
) -> None:
    assert told(limit, priorities) == on_bmv2
