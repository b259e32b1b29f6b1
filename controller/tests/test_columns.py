"""Numbers of one port and arrays over many give the same."""

import math
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest
from p4abs.columns import (
    Columns,
    Flags,
    Floats,
    between,
    choose,
    exp,
    hypot,
    log,
    log1p,
    maximum,
    minimum,
    power,
    rounded,
    square,
    without,
)

COUNT = 20_000


def values(seed: int, lowest: float, highest: float) -> list[float]:
    generator = Random(seed)
    return [generator.uniform(lowest, highest) for _ in range(COUNT)]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (log, [values(1, 1, 1e7)]),
        (log1p, [values(2, -0.25, 0.25)]),
        (exp, [values(3, -20, 20)]),
        (hypot, [values(4, 0, 1e6), values(5, 0, 1e6)]),
        (power, [values(6, 0.1, 10), values(7, 0.125, 1)]),
        (square, [values(8, 0, 1)]),
        (rounded, [[*values(9, -1e6, 1e6), 0.5, 1.5, 2.5]]),
        (minimum, [values(10, -1, 1), values(11, -1, 1)]),
        (maximum, [values(12, -1, 1), values(13, -1, 1)]),
        (between, [values(14, -9, 9), values(15, -5, -4), values(16, 4, 5)]),
    ],
    ids=lambda each: each.__name__ if callable(each) else "",
)
def test_a_function_over_an_array_is_that_of_each_number_to_the_last_bit(
    function, arguments
) -> None:
    over_array = function(*map(np.array, arguments)).tolist()
    assert over_array == [*map(function, *arguments)]


def test_flags_choose_alike() -> None:
    flags = [(one, other) for one in (False, True) for other in (False, True)]
    one, other = map(np.array, zip(*flags, strict=True))
    assert without(one, other).tolist() == [without(*pair) for pair in flags]
    assert choose(one, 1.0, 2.0).tolist() == [choose(flag, 1.0, 2.0) for flag, _ in flags]


@dataclass(frozen=True, eq=False)
class Inner(Columns):
    value: Floats = math.nan


@dataclass(frozen=True, eq=False)
class Outer(Columns):
    inner: Inner
    flag: Flags
    value: Floats = 1.0

    def moved(self, by: Floats) -> "Outer":
        return Outer(Inner(self.inner.value + by), self.flag, self.value + by)


PORTS = [Outer(Inner(float(port)), port % 2 == 0, 2.0 * port) for port in range(5)]


@pytest.mark.parametrize("flags", [[True] * 5, [False] * 5, [True, False, True, True, False]])
def test_a_change_of_some_ports_is_that_of_each_alone(flags) -> None:
    steps = [float(10 * port) for port in range(5)]
    batched = Outer.batched(PORTS).changed(np.array(flags), Outer.moved, np.array(steps))
    alone = [
        port.changed(flag, Outer.moved, step)
        for port, flag, step in zip(PORTS, flags, steps, strict=True)
    ]
    assert batched == Outer.batched(alone)
    assert [batched.alone(port) for port in range(5)] == alone


def test_structs_differ_where_a_number_does_and_what_is_not_known_is_the_same() -> None:
    both = Outer(Inner(), True).over(3)
    assert both == Outer(Inner(), True).over(3)
    assert both != both.put(np.array([1]), Outer(Inner(2.0), True).over(1))
    assert both.take(np.array([2])) == Outer(Inner(), True).over(1)
