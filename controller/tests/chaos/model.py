"""A switch of few words in virtual time: ports under load, their registers, who may write them."""

import random
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from p4abs.measurements import Snapshot

CAPACITY_BPS = 10_000_000
MIN, MAX = 10_000, 200_000
# What arrives, as a share of the capacity.
LOADS = (0.0, 0.3, 0.98, 1.02, 1.2, 2.0)
LOAD_LASTS_S = 4.0
REMEMBERED = 8
# Queues without a limit grow for as long as a port is gone, and take as long to drain.
DRAINED_S = 8.0


@dataclass
class ModelPort:
    """A queue of fluid, and what is counted of it. Times are in seconds."""

    number: int
    generator: random.Random
    at_s: float
    begun_s: float = 0.0
    jumped_s: float = 0.0
    stopped_us: int | None = None
    limit: int = 0
    backlog: int = 0
    load: float = 1.2
    until_s: float = 0.0
    counts: Snapshot = field(default_factory=lambda: Snapshot(0, 0, 0, 0, 0, 0, 0))
    taken: deque[Snapshot] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def advance(self, now_s: float) -> None:
        """Carries what has arrived since."""
        lasted_s, self.at_s = now_s - self.at_s, now_s
        if now_s >= self.until_s:
            self.until_s = now_s + self.generator.expovariate(1 / LOAD_LASTS_S)
            self.load = self.generator.choice(LOADS)
        could_bytes = int(lasted_s * CAPACITY_BPS / 8)
        offered = int(self.load * could_bytes)
        room = offered if not self.limit else max(0, self.limit - self.backlog + could_bytes)
        admitted = min(offered, room)
        departed = min(self.backlog + admitted, could_bytes)
        self.backlog += admitted - departed
        before, is_idle = self.counts, departed < could_bytes
        self.counts = replace(
            before,
            admitted_bytes=before.admitted_bytes + admitted,
            dropped_bytes=before.dropped_bytes + offered - admitted,
            departed_bytes=before.departed_bytes + departed,
            unsaturated_us=before.unsaturated_us + (round(lasted_s * 1e6) if is_idle else 0),
            unsaturated_bytes=before.unsaturated_bytes + (departed if is_idle else 0),
        )

    @property
    def own_us(self) -> int:
        """The data plane's time."""
        return round((self.at_s - self.begun_s + self.jumped_s) * 1e6)

    def jump(self, ahead_s: float) -> None:
        """Of its clock, but not to before its beginning."""
        self.jumped_s += max(ahead_s, -self.own_us / 2e6)

    def snapshot(self) -> Snapshot:
        timestamp_us = self.own_us if self.stopped_us is None else self.stopped_us
        taken = replace(self.counts, timestamp_us=timestamp_us, limit_bytes=self.limit)
        self.taken.append(taken)
        return taken

    def start_anew(self) -> None:
        """All registers are 0, and so is the data plane's clock; the queue has gone."""
        self.counts = Snapshot(0, 0, 0, 0, 0, 0, 0)
        self.limit = self.backlog = 0
        self.begun_s, self.jumped_s = self.at_s, 0.0
        self.taken.clear()


class ModelSwitch:
    """Its ports, the sessions with it, and what is wrong with what was written."""

    def __init__(self, name: str, ports: Iterable[int], memory: int, seed: int) -> None:
        self.name = name
        self.memory = memory
        self.generator = random.Random(seed)
        self.ports = {number: ModelPort(number, self.generator, 100.0) for number in ports}
        self.sessions: list[Any] = []
        self.lingering: dict[int, float] = {}
        """Election ids of sessions that only the switch still knows, and until when."""
        self.wrong: list[str] = []
        self.over_memory: list[str] = []
        self.limits_seen: set[int] = set()
        # A queue that had no limit may hold all memory, until it is within its limit again.
        self._unlimited, self._unlimited_s = {*self.ports}, 100.0
        self.is_guessed = False
        """Whether the primary had to guess limits in force when it took over."""
        self.now_s = 100.0

    def advance(self, now_s: float) -> None:
        self.now_s = now_s
        for port in self.ports.values():
            port.advance(now_s)
        self._look()

    @property
    def primary(self) -> Any:
        return max(self.sessions, key=lambda session: session.election_id, default=None)

    def enter(self, session: Any) -> None:
        self.sessions.append(session)
        self._tell()

    def leave(self, session: Any) -> None:
        if session in self.sessions:
            self.sessions.remove(session)
            self._tell()

    def write(self, limits: Mapping[int, int], *, is_first: bool) -> None:
        """`is_first`: of a session, which puts all its limits in force at once, or the first that
        is not guessed."""
        for number, limit in limits.items():
            if not MIN <= limit <= MAX:
                self.complain(f"port {number}: limit {limit} out of bounds")
            self.ports[number].limit = limit
            self.limits_seen.add(limit)
        if limits and is_first:
            self.lose_limits()
        self._look()

    def lose_limits(self, ports: Iterable[int] | None = None) -> None:
        """Queues, or all of them, may hold more than the memory, until they have drained."""
        self._unlimited |= {*(self.ports if ports is None else ports)}
        self._unlimited_s = self.now_s

    def complain(self, what: str) -> None:
        self.wrong.append(f"{self.now_s:.3f} s: {self.name}: {what}")

    def _look(self) -> None:
        limits = [port.limit for port in self.ports.values()]
        held = sum(max(port.limit, port.backlog) for port in self.ports.values())
        if self.is_guessed or not all(limits):
            self.lose_limits()
        has_drained = self.now_s - self._unlimited_s > DRAINED_S
        self._unlimited = {
            number
            for number in self._unlimited
            if self.ports[number].backlog > self.ports[number].limit and not has_drained
        }
        if held > self.memory and not self._unlimited and all(limits) and not self.is_guessed:
            backlogs = [port.backlog for port in self.ports.values()]
            over = f"queues may hold {held} bytes: limits {limits}, backlogs {backlogs}"
            self.over_memory.append(f"{self.now_s:.3f} s: {self.name}: {over}")
            self.lose_limits()

    def _tell(self) -> None:
        primary = self.primary
        for session in self.sessions:
            session.tell(session is primary, primary.election_id)
