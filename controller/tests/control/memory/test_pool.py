"""How ports share a memory that is too small for all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from p4abs.control import filled

PORTS = st.lists(
    st.tuples(st.integers(0, 10**9), st.integers(0, 5000), st.integers(0, 7)),
    min_size=1,
    max_size=16,
)


def columns(ports: list[tuple[int, int, int]]) -> list[np.ndarray]:
    return [np.array(column, np.int64) for column in zip(*ports, strict=True)]


@given(PORTS)
def test_where_memory_suffices_each_gets_what_it_wants(ports: list[tuple[int, int, int]]) -> None:
    wanted, minimum, priority = columns(ports)
    enough = int(np.maximum(wanted, minimum).sum())
    assert (
        filled(enough, wanted, minimum, priority).tolist() == np.maximum(wanted, minimum).tolist()
    )


@given(PORTS, st.integers(0, 10**9))
def test_all_is_within_the_memory_and_nobody_goes_short_of_what_a_lower_one_has(
    ports: list[tuple[int, int, int]], spare: int
) -> None:
    wanted, minimum, priority = columns(ports)
    size = int(minimum.sum()) + spare
    got = filled(size, wanted, minimum, priority)
    assert got.sum() <= size
    assert (minimum <= got).all()
    assert (got <= np.maximum(wanted, minimum)).all()
    short = got < wanted
    if short.any():
        # Less than one byte for each port stays free.
        assert size - got.sum() < len(ports)
        lower = priority < priority[short].max()
        assert (got - minimum)[lower].sum() < len(ports)


@given(PORTS, st.integers(0, 10**9))
def test_among_equals_nobody_who_is_short_has_less_than_another(
    ports: list[tuple[int, int, int]], spare: int
) -> None:
    wanted, minimum, _ = columns(ports)
    got = filled(int(minimum.sum()) + spare, wanted, minimum, np.zeros(len(ports), np.int64))
    short = got < wanted
    for port in np.flatnonzero(short):
        above_min = got[got > minimum]
        assert got[port] >= above_min.max(initial=0)


def test_what_one_does_not_want_goes_to_its_equals() -> None:
    wanted, minimum = np.array([10_000, 80_000, 200_000]), np.array([3000, 3000, 3000])
    assert filled(150_000, wanted, minimum, np.array([2, 2, 2])).tolist() == [
        10_000,
        70_000,
        70_000,
    ]
