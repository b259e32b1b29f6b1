"""What people should know about ports, each thing once."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.columns import Flags, any_of
from p4abs.control.sizer import is_near
from p4abs.control.steps import Steps
from p4abs.snapshot import SnapshotColumns, signed_advance, snapshots_at
from p4abs.units import format_ports, format_rate

# Looked at after so long, but not before so many exchanges.
LOOK_S = 0.5
LEAST_EXCHANGES = 5
# A pause of the sources is longer than this (port_control.py), and no stall.
SHORTEST_PAUSE_US = 1_000_000

NO_ANSWER = "no answer"
NO_INTERVAL = "its counters move, but no interval ends: the switch's time stands still or jumps"
NO_NEWS = "all answers are of one instant, though the switch's time moves without traffic elsewhere"


class Notices:
    """Lines that wait for somebody to take them."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._said: set[str] = set()

    def take(self) -> list[str]:
        """The lines since the last call."""
        lines, self._waiting = self._waiting, []
        return lines

    def idle_time_is_not_measured(self) -> None:
        """The target has no such registers."""
        self._say(
            "idle time",
            "the switch does not measure idle time: utilization from departed bytes and capacity",
        )

    def capacity_is_measured(self, declared_bps: int | None, measured_bps: int) -> None:
        """Worth a line where none was declared, or another one."""
        if declared_bps is None:
            self._say("capacity", f"capacity measured: {format_rate(measured_bps)}")
        elif not is_near(measured_bps, declared_bps):
            self._say(
                "capacity",
                f"capacity declared {format_rate(declared_bps)}, "
                f"measured {format_rate(measured_bps)} ({measured_bps / declared_bps - 1:+.1%})",
            )

    def _say(self, topic: str, line: str) -> None:
        if topic not in self._said:
            self._said.add(topic)
            self._waiting.append(line)


class Stalls:
    """Ports whose intervals do not end, though they are asked for in each exchange.

    Says once of each that it is stalled, and why, and once that it no longer is.

    `ports` has the reasons of those that are, by port. Refused ports are said elsewhere; a port
    without traffic is none.
    """

    def __init__(
        self, numbers: Sequence[int], interval_s: float, say: Callable[[str], None]
    ) -> None:
        self.ports: Mapping[int, str] = {}
        """Replaced, never changed."""
        self._numbers = numbers
        self._say = say
        self._exchanges = max(LEAST_EXCHANGES, math.ceil(LOOK_S / interval_s))
        # Not on all targets: a register path's may be the time of the last packet.
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
        self._silent: set[int] = set()
        self._before: tuple[SnapshotColumns, Flags] | None = None

    def add(self, snapshots: Snapshots, steps: Steps | None) -> None:
        """Takes what an exchange has brought."""
        if steps is not None:
            self._has_ended[steps.ports] = True
        self._silent |= {
            port
            for port, failure in snapshots.failures.items()
            if isinstance(failure, ExchangeTimeout)
        }
        self._left -= 1
        if self._left > 0:
            return
        is_well = self._moves_without_traffic and self._has_ended.all()
        found = {} if is_well else self._found(snapshots)
        self._tell(found)
        self.ports = found
        self._left = self._exchanges
        self._has_ended[:] = False
        self._silent.clear()

    def _found(self, snapshots: Snapshots) -> dict[int, str]:
        found = {} if not snapshots.taken else self._unanswered()
        now, is_taken = snapshots_at(self._numbers, snapshots.taken)
        if self._before is not None:
            for reason, stalled in self._stalled(*self._before, now, is_taken):
                for position in np.flatnonzero(stalled).tolist():
                    found[self._numbers[position]] = reason
        self._before = now, is_taken
        return found

    def _stalled(
        self, before: SnapshotColumns, was_taken: Flags, now: SnapshotColumns, is_taken: Flags
    ) -> list[tuple[str, Flags]]:
        """The ports whose answers end no interval, by reason."""
        advance_us = signed_advance(before.timestamp_us, now.timestamp_us)
        known = was_taken & is_taken
        has_arrived = (before.admitted_bytes != now.admitted_bytes) | (
            before.dropped_bytes != now.dropped_bytes
        )
        is_quiet = known & ~has_arrived & (before.departed_bytes == now.departed_bytes)
        self._moves_without_traffic |= any_of(is_quiet & (advance_us > 0))
        waits = known & ~self._has_ended
        stalled = [(NO_INTERVAL, waits & has_arrived & (advance_us <= SHORTEST_PAUSE_US))]
        if self._moves_without_traffic:
            stalled.append((NO_NEWS, waits & is_quiet & (advance_us == 0)))
        return stalled

    def _unanswered(self) -> dict[int, str]:
        ended = [self._numbers[position] for position in np.flatnonzero(self._has_ended).tolist()]
        return dict.fromkeys(sorted(self._silent.difference(ended)), NO_ANSWER)

    def _tell(self, found: Mapping[int, str]) -> None:
        for reason in (NO_ANSWER, NO_INTERVAL, NO_NEWS):
            news = [n for n, why in found.items() if why == reason and self.ports.get(n) != why]
            if news:
                self._say(f"{format_ports(news)}: {reason}; the other ports go on")
        ended = [number for number in self.ports if number not in found]
        if ended:
            self._say(f"{format_ports(ended)}: intervals end again, or traffic has")
