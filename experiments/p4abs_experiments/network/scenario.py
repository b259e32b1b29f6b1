"""A scenario: links, traffic and times."""

from dataclasses import dataclass, replace
from typing import Self

from p4abs.errors import UserError

from p4abs_experiments.network.links import Link, P4Buffer, PlainBuffer, SharedBuffer, Sizing
from p4abs_experiments.network.pools import Pool
from p4abs_experiments.network.queues import Queues
from p4abs_experiments.network.times import are_apart, are_ascending
from p4abs_experiments.network.traffic import CbrFlows, Traffic


class InvalidScenario(UserError):
    """A scenario contradicts itself; the message names the part and what would be valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A network, its traffic and the times: all that a simulation needs but the seed.

    The first link is the one that tables are about. The measurement window is
    [measure_from_s, duration_s]; series cover the whole run in steps of `sample_interval_s`.
    `n_flows` is what tables print (number of long flows). `record_windows` adds the series
    of every TcpFlows source's congestion window. `pools` are memories that links share, `queues`
    are links in front of which several queues stand. Raises InvalidScenario.
    """

    name: str
    links: tuple[Link, ...]
    traffic: tuple[Traffic, ...]
    n_flows: int
    duration_s: float
    measure_from_s: float
    sample_interval_s: float = 0.02
    delayed_ack_segments: int = 1
    record_windows: bool = False
    pools: tuple[Pool, ...] = ()
    queues: tuple[Queues, ...] = ()

    def __post_init__(self) -> None:
        names = [link.name for link in self.links]
        if not names or len(set(names)) < len(names):
            raise InvalidScenario(f"{self.name}: links need distinct names, not {names}")
        for entry in self.traffic:
            for hop in (*entry.path, *_reverse_path(entry)):
                if hop not in names:
                    raise InvalidScenario(
                        f"{self.name}: {entry.name} passes the link {hop!r}; "
                        f"valid: {', '.join(names)}"
                    )
        self._check_times()
        self._check_pools()
        self._check_queues()
        if not 0 <= self.measure_from_s < self.duration_s:
            raise InvalidScenario(
                f"{self.name}: measure_from_s={self.measure_from_s} must lie between 0 and "
                f"duration_s={self.duration_s}"
            )

    def _check_times(self) -> None:
        spans = {f"the pauses of {entry.name}": entry.pauses for entry in self.traffic}
        for link in self.links:
            spans |= {
                f"the stalls of {link.name}": link.stalls,
                f"the outages of {link.name}": link.outages,
            }
            if not are_ascending([from_s for from_s, _ in link.capacity_changes]):
                raise InvalidScenario(
                    f"{self.name}: the capacity changes of {link.name} need ascending times after 0"
                )
        for what, times in spans.items():
            if not are_apart(times):
                raise InvalidScenario(
                    f"{self.name}: {what} must be (from_s, to_s) one after the other, after time 0,"
                    f" not {times}"
                )

    def _check_pools(self) -> None:
        pooled = [name for pool in self.pools for name in pool.links]
        if len(set(pooled)) < len(pooled) or not all(pool.links for pool in self.pools):
            raise InvalidScenario(f"{self.name}: pools need links of their own, not {pooled}")
        for pool in self.pools:
            lowest_bytes = 0
            for link in map(self.link, pool.links):
                by_limits = pool.sharing == "limits" and link.sizing is not None
                by_data_plane = pool.sharing != "limits" and isinstance(link.buffer, SharedBuffer)
                if not by_limits and not by_data_plane:
                    raise InvalidScenario(
                        f"{self.name}: {link.name} in the pool {pool.name} needs "
                        + ("a sizing" if pool.sharing == "limits" else "a SharedBuffer")
                    )
                lowest_bytes += link.sizing.min_limit_bytes if link.sizing else 0
            if lowest_bytes > pool.size_bytes:
                raise InvalidScenario(
                    f"{self.name}: the pool {pool.name} needs at least {lowest_bytes} bytes, the "
                    "sum of its links' least limits"
                )
        for link in self.links:
            if isinstance(link.buffer, SharedBuffer) and link.name not in pooled:
                raise InvalidScenario(f"{self.name}: {link.name} shares a memory but has no pool")

    def _check_queues(self) -> None:
        queues = [name for each in self.queues for name in each.links]
        if len(set(queues)) < len(queues):
            raise InvalidScenario(f"{self.name}: a queue has one link, not {queues}")
        for each in self.queues:
            links = [self.link(name) for name in each.links]
            for link in links:
                if type(link.buffer) not in (P4Buffer, PlainBuffer) or link.sizing is None:
                    raise InvalidScenario(
                        f"{self.name}: the queue {link.name} needs a P4Buffer or a PlainBuffer "
                        "with a sizing"
                    )
                if (link.capacity_bps, type(link.buffer)) != (
                    links[0].capacity_bps,
                    type(links[0].buffer),
                ):
                    raise InvalidScenario(
                        f"{self.name}: queues of one link have one capacity and kind of buffer; "
                        f"{link.name} differs from {links[0].name}"
                    )
                if link.capacity_changes or link.stalls or link.outages:
                    raise InvalidScenario(
                        f"{self.name}: the link of the queue {link.name} cannot be disturbed"
                    )

    def is_queue(self, name: str) -> bool:
        """Whether a link is one of several queues of a link."""
        return any(name in each.links for each in self.queues)

    def link(self, name: str | None = None) -> Link:
        """The link of this name; without one, the first link. Raises InvalidScenario."""
        for link in self.links:
            if name is None or link.name == name:
                return link
        raise InvalidScenario(
            f"{self.name}: no link {name!r}; valid: {', '.join(link.name for link in self.links)}"
        )

    def with_sizing(self, sizing: Sizing, link: str | None = None) -> Self:
        """This scenario with one link (by default the first) sized differently."""
        target = self.link(link)
        links = (replace(each, sizing=sizing) if each is target else each for each in self.links)
        return replace(self, links=tuple(links))


def _reverse_path(entry: Traffic) -> tuple[str, ...]:
    return () if isinstance(entry, CbrFlows) else entry.reverse_path
