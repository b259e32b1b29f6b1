"""Ports whose intervals do not end."""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

import numpy as np

from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.columns import Flags, any_of
from p4abs.control.sample import Steps
from p4abs.measurements import Snapshot, signed_advance
from p4abs.queues import format_ports
from p4abs.snapshots import snapshots_at

# A port is looked at after this time, but not before this many exchanges.
LOOK_S = 0.5
MIN_EXCHANGES = 5
# A pause of the sources is longer than this (port_control.py), and no stall.
SHORTEST_PAUSE_US = 1_000_000
# A queue whose link stands admits its next packet after a second (STALL_TIMEOUT_US of
# p4src/adaptive/departures/queue.p4), or a little later if packets are rare. With some register
# paths, time moves only then.
_LINK_STANDS_S = 1.5


class Stall(Enum):
    """Why no interval of a port ends, in the words of metrics."""

    REFUSED = "refused"
    """The switch refuses to read or write this port."""
    NO_ANSWER = "no answer"
    """The switch does not answer requests about this port."""
    NO_INTERVAL = "no interval"
    """The port's counters advance, but the time in its answers stands still or jumps."""
    NO_NEWS = "no news"
    """The time in this port's answers stands still, although the time in other ports' answers
    advances."""


# What is said of stalled ports. For refused ports, loop.py says the reason.
_LINES = {
    Stall.NO_ANSWER: "no answer",
    Stall.NO_INTERVAL: (
        "its counters move, but no interval ends: the switch's time stands still or jumps"
    ),
    Stall.NO_NEWS: (
        "all answers are of one instant, though the switch's time moves without traffic elsewhere"
    ),
}


class Stalls:
    """Ports whose intervals do not end, though they are asked for in each exchange.

    Says once for each port that it is stalled and why, and once that it no longer is. `ports` has
    the reasons of stalled ports, by port. For refused ports, the loop says why. A port without
    traffic is not stalled.
    """

    def __init__(
        self, numbers: Sequence[int], interval_s: float, say: Callable[[str], None]
    ) -> None:
        self.ports: Mapping[int, Stall] = {}
        """Replaced, never changed."""
        self._numbers = numbers
        self._say = say
        self._exchanges = max(MIN_EXCHANGES, math.ceil(LOOK_S / interval_s))
        self._looks_of_a_stall = 1 + math.floor(_LINK_STANDS_S / (self._exchanges * interval_s))
        # Not on all targets: with some register paths, time is that of the last packet.
        self._moves_without_traffic = False
        self._begin()

    def forget(self) -> None:
        """Begins anew, after a time without access to the switch."""
        self.ports = {}
        self._begin()

    def follow(self, numbers: Sequence[int]) -> None:
        """These are the ports from now on."""
        self._numbers = numbers
        self.ports = {port: why for port, why in self.ports.items() if port in numbers}
        self._begin()

    def _begin(self) -> None:
        self._left = self._exchanges
        self._has_ended = np.zeros(len(self._numbers), np.bool_)
        self._looks_waited = np.zeros(len(self._numbers), np.int64)
        self._unread: dict[int, Stall] = {}
        self._before: tuple[Snapshot, Flags] | None = None

    def add(self, snapshots: Snapshots, steps: Steps | None) -> None:
        """Takes what an exchange has brought."""
        if steps is not None:
            self._has_ended[steps.ports] = True
        for port, failure in snapshots.failures.items():
            is_silent = isinstance(failure, ExchangeTimeout)
            self._unread[port] = Stall.NO_ANSWER if is_silent else Stall.REFUSED
        self._left -= 1
        if self._left > 0:
            return
        is_well = self._moves_without_traffic and self._has_ended.all()
        found = {} if is_well else self._found(snapshots)
        self._tell(found)
        self.ports = found
        self._left = self._exchanges
        self._has_ended[:] = False
        self._unread.clear()

    def _found(self, snapshots: Snapshots) -> dict[int, Stall]:
        found = {} if not snapshots.taken else self._without_answer()
        now, is_taken = snapshots_at(self._numbers, snapshots.taken)
        if self._before is not None:
            for reason, stalled in self._stalled(*self._before, now, is_taken):
                for position in np.flatnonzero(stalled).tolist():
                    found[self._numbers[position]] = reason
        self._before = now, is_taken
        return found

    def _stalled(
        self, before: Snapshot, was_taken: Flags, now: Snapshot, is_taken: Flags
    ) -> list[tuple[Stall, Flags]]:
        """The ports whose answers end no interval, by reason."""
        advance_us = signed_advance(before.timestamp_us, now.timestamp_us)
        known = was_taken & is_taken
        has_arrived = (before.admitted_bytes != now.admitted_bytes) | (
            before.dropped_bytes != now.dropped_bytes
        )
        is_quiet = known & ~has_arrived & (before.departed_bytes == now.departed_bytes)
        self._moves_without_traffic |= any_of(is_quiet & (advance_us > 0))
        waits = known & ~self._has_ended
        is_without_time = waits & has_arrived & (advance_us <= SHORTEST_PAUSE_US)
        self._looks_waited = np.where(is_without_time, self._looks_waited + 1, 0)
        stalled = [(Stall.NO_INTERVAL, self._looks_waited >= self._looks_of_a_stall)]
        if self._moves_without_traffic:
            stalled.append((Stall.NO_NEWS, waits & is_quiet & (advance_us == 0)))
        return stalled

    def _without_answer(self) -> dict[int, Stall]:
        ended = {self._numbers[position] for position in np.flatnonzero(self._has_ended).tolist()}
        return {port: self._unread[port] for port in sorted(self._unread.keys() - ended)}

    def _tell(self, found: Mapping[int, Stall]) -> None:
        for reason, line in _LINES.items():
            news = [n for n, why in found.items() if why is reason and self.ports.get(n) is not why]
            if news:
                self._say(f"{format_ports(news)}: {line}; other ports are not affected")
        ended = [number for number in self.ports if number not in found]
        if ended:
            self._say(f"{format_ports(ended)}: intervals end again, or the traffic has stopped")
