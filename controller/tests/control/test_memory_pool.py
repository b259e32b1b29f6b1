"""What the ports of a switch share."""

from hypothesis import given
from hypothesis import strategies as st
from p4abs.control import MemoryPool


def test_memory_that_is_not_shared_bounds_nothing() -> None:
    pool = MemoryPool(None)
    assert pool.left_bytes({1: 10**12}) is None
    assert pool.shares({1: 10**12}, {1: 1}) == {1: 10**12}


def test_what_is_left_is_the_memory_less_all_limits() -> None:
    assert MemoryPool(1000).left_bytes({1: 300, 2: 500}) == 200
    assert MemoryPool(1000).left_bytes({1: 700, 2: 500}) == 0


@given(
    st.dictionaries(st.integers(0, 511), st.integers(3000, 10**9), min_size=1, max_size=16),
    st.integers(0, 10**9),
)
def test_shares_fit_into_the_memory_and_leave_each_port_its_lowest_limit(
    wanted: dict[int, int], spare: int
) -> None:
    lowest = dict.fromkeys(wanted, 3000)
    size = sum(lowest.values()) + spare
    shares = MemoryPool(size).shares(wanted, lowest)
    assert sum(shares.values()) <= size
    assert all(lowest[port] <= shares[port] <= wanted[port] for port in wanted)
