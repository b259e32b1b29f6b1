"""The control loop of one switch: one exchange of all its ports per interval.

An exchange writes the limits that were decided from the exchange before. So a limit is written one
interval after its snapshot. A separate write would come an interval sooner, but would double the
messages.
"""

from array import array
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import NoReturn

from p4abs.access.register_access import ExchangeTimeout, RegisterAccess, Snapshots
from p4abs.clock import Clock
from p4abs.control.memory.pool import MemoryPool
from p4abs.control.sample import Samples
from p4abs.control.schedule import Schedule
from p4abs.control.stalls import Stalls
from p4abs.control.switch_control import ControlledPort
from p4abs.control.ways import switch_control
from p4abs.errors import P4absError
from p4abs.measurements import Snapshot

SILENCE_S = 2.0
_REMEMBERED = 65536


class LastValues:
    """Up to `most` numbers, the oldest first. One thread appends; others may read meanwhile.

    They take 8 bytes each, all of them at once; a deque would grow to five times as much.
    """

    def __init__(self, most: int) -> None:
        self._values = array("d", [nan]) * most
        self._count = 0

    def append(self, value: float) -> None:
        """Takes the next value, in place of the oldest one."""
        self._values[self._count % len(self._values)] = value
        self._count += 1

    def last(self, most: int) -> list[float]:
        """The newest values, at most so many."""
        end, length = self._count, len(self._values)
        begin = max(0, end - min(most, length))
        return [self._values[number % length] for number in range(begin, end)]

    def __len__(self) -> int:
        return min(self._count, len(self._values))

    def __iter__(self) -> Iterator[float]:
        return iter(self.last(len(self._values)))


class SwitchSilent(P4absError):
    """No exchange has succeeded for a while."""


@dataclass
class LoopStatistics:
    """How well the loop keeps time; the series hold the last 65,536 values.

    `lost_exchanges` counts each port for which an exchange brought no answer.
    """

    ticks: int = 0
    missed_deadlines: int = 0
    lost_exchanges: int = 0
    lateness_s: LastValues = field(default_factory=lambda: LastValues(_REMEMBERED))
    exchange_s: LastValues = field(default_factory=lambda: LastValues(_REMEMBERED))

    def recent_exchanges_s(self) -> list[float]:
        """The last values of `exchange_s`, up to 50; for any thread."""
        return self.exchange_s.last(50)


class ControlLoop:
    """Controls all ports of one switch. Call `begin`, then `run`, with each new register access.

    - `on_taken` gets the snapshots of an exchange before ports are stepped by them.
    - `on_samples` gets the samples of each tick.
    - `on_tick` is called when a tick's work is done, so it does not delay limits.
    - `on_notice` gets what people should know of a port, in one line; `on_trouble`, what is wrong.
    - `on_moved` gets limits in bytes, by port, that other controllers have given to ports on hold.
    - `restore` writes all settings but the limits to ports whose data plane has started anew.

    `epoch_s` is the clock's zero in seconds since the Unix epoch; `phase`, from 0 to 1, is the
    loop's place in the interval, see Schedule. `statistics` are those of an earlier loop.
    """

    def __init__(
        self,
        ports: Sequence[ControlledPort],
        pool: MemoryPool,
        interval_s: float,
        clock: Clock,
        on_samples: Callable[[Samples], None],
        *,
        on_tick: Callable[[], None] = lambda: None,
        on_notice: Callable[[str], None] = lambda line: None,
        on_trouble: Callable[[str], None] = lambda line: None,
        on_taken: Callable[[Mapping[int, Snapshot]], None] = lambda taken: None,
        on_moved: Callable[[Mapping[int, int]], None] = lambda limits: None,
        statistics: LoopStatistics | None = None,
        restore: Callable[[RegisterAccess, Sequence[int]], Awaitable[None]] | None = None,
        epoch_s: float = 0.0,
        phase: float = 0.0,
    ) -> None:
        self.control = switch_control(ports)
        self.control.share(pool)
        self.statistics = statistics or LoopStatistics()
        self._pool = pool
        self._interval_s = interval_s
        self._clock = clock
        self._on_samples = on_samples
        self._on_tick = on_tick
        self._on_notice = on_notice
        self._on_trouble = on_trouble
        self.stalls = Stalls(self.control.numbers, interval_s, on_trouble)
        self._on_taken = on_taken
        self._on_moved = on_moved
        self._restore = restore
        self._phase = phase
        self._epoch_s = epoch_s
        self._answered_s = 0.0
        self._refused: dict[int, str] = {}

    async def begin(
        self, access: RegisterAccess, known: Mapping[int, Snapshot] | None = None
    ) -> None:
        """Puts the limits in force and starts new series. Raises RpcError and ExchangeTimeout.

        `known` are snapshots that have just been taken, when another controller has been at work.
        If they have all limits already, no exchange is made.
        """
        self.control.forget()
        self.stalls.forget()
        if known is None or self.control.limits() != _limits(known):
            snapshots = await self._exchange(access)
            if not snapshots.taken:
                raise next(iter(snapshots.failures.values()))
            self._answered_s = self._clock.now_s()
            self._take_failures(snapshots, self._answered_s)
            known = snapshots.taken
        self._on_taken(known)
        self.control.decide(known, self._pool)

    async def run(self, access: RegisterAccess) -> NoReturn:
        """Controls until cancelled. Raises RpcError, and SwitchSilent after 2 s of timeouts."""
        schedule = Schedule(self._clock, self._interval_s, self._phase)
        missed_before = self.statistics.missed_deadlines
        self._answered_s = self._clock.now_s()
        while True:
            lateness_s = await schedule.next()
            self.statistics.ticks += 1
            self.statistics.missed_deadlines = missed_before + schedule.missed
            self.statistics.lateness_s.append(lateness_s)
            await self._tick(access, lateness_s)
            self._on_tick()

    def replace(self, gone: Collection[int], come: Sequence[ControlledPort]) -> None:
        """Ports leave and others come, see `SwitchControl`; the next exchange asks for them."""
        self.control.replace(gone, come)
        self.stalls.follow(self.control.numbers)
        for port in gone:
            self._refused.pop(port, None)

    async def _exchange(self, access: RegisterAccess) -> Snapshots:
        return await access.exchange(self.control.numbers, self.control.limits_to_write())

    async def _tick(self, access: RegisterAccess, lateness_s: float) -> None:
        before_s = self._clock.now_s()
        snapshots = await self._exchange(access)
        now_s = self._clock.now_s()
        if snapshots.taken:
            self._answered_s = now_s
            self.statistics.exchange_s.append(now_s - before_s)
        self._take_failures(snapshots, now_s)
        restarted = self._step(snapshots, lateness_s, now_s - before_s)
        if self._restore is not None and restarted:
            await self._restore(access, restarted)

    def _take_failures(self, snapshots: Snapshots, now_s: float) -> None:
        """Raises if the switch no longer serves any port. Otherwise the other ports are controlled
        further."""
        for port, failure in snapshots.failures.items():
            if isinstance(failure, ExchangeTimeout):
                self.statistics.lost_exchanges += 1
                if now_s - self._answered_s > SILENCE_S:
                    raise SwitchSilent(f"no answer for {SILENCE_S:g} s ({failure})")
            elif not snapshots.taken:
                raise failure
            elif self._refused.get(port) != str(failure):
                self._on_trouble(f"{failure}; trying again; other ports are not affected")
                self._refused[port] = str(failure)
        for port in self._refused.keys() & snapshots.taken.keys():
            del self._refused[port]

    def _step(self, snapshots: Snapshots, lateness_s: float, exchange_s: float) -> list[int]:
        """Steps the ports; returns those whose data plane has started anew."""
        control = self.control
        self._on_taken(snapshots.taken)
        steps = control.decide(snapshots.taken, self._pool)
        for line in control.take_notices():
            self._on_notice(line)
        self.stalls.add(snapshots, steps)
        if moved := control.take_moved():
            self._on_moved(moved)
        if steps is not None:
            time_s = self._epoch_s + self._answered_s
            self._on_samples(Samples.of(time_s, control.numbers, steps, lateness_s, exchange_s))
        return control.take_restarted()


def _limits(snapshots: Mapping[int, Snapshot]) -> dict[int, int]:
    return {port: snapshot.limit_bytes for port, snapshot in snapshots.items()}
