"""The memory that the limits of several links share, as the controller keeps account of it."""

from collections.abc import Mapping

from p4abs.control.memory_pool import MemoryPool

from p4abs_experiments.network import Pool, Scenario
from p4abs_experiments.network.policies import fixed_limit_bytes


class LimitedMemory:
    """A pool and the limits of its links."""

    def __init__(self, pool: Pool, wanted: Mapping[str, int], lowest: Mapping[str, int]) -> None:
        # The pool names its parts by number, as ports are.
        self._numbers = {name: number for number, name in enumerate(pool.links)}
        self._pool = MemoryPool(pool.size_bytes)
        self._limits = self._pool.shares(self._numbered(wanted), self._numbered(lowest))

    def limit_bytes(self, link: str) -> int:
        """The link's limit now."""
        return self._limits[self._numbers[link]]

    def set_limit_bytes(self, link: str, limit_bytes: int) -> None:
        """The link's limit has changed."""
        self._limits[self._numbers[link]] = limit_bytes

    def left_bytes(self) -> int | None:
        """M(n)."""
        return self._pool.left_bytes(self._limits)

    def _numbered(self, by_link: Mapping[str, int]) -> dict[int, int]:
        return {number: by_link[name] for name, number in self._numbers.items()}


def limited_memories(scenario: Scenario) -> dict[str, LimitedMemory]:
    """By link, for the links whose limits share a memory."""
    wanted, lowest = {}, {}
    for link in scenario.links:
        if link.sizing is not None:
            fixed = fixed_limit_bytes(link)
            wanted[link.name] = link.sizing.initial_limit_bytes if fixed is None else fixed
            lowest[link.name] = min(link.sizing.min_limit_bytes, wanted[link.name])
    memories: dict[str, LimitedMemory] = {}
    for pool in scenario.pools:
        if pool.sharing == "limits":
            memories |= dict.fromkeys(pool.links, LimitedMemory(pool, wanted, lowest))
    return memories
