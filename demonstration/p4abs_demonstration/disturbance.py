"""Disturbs a demonstration on purpose, once in each phase, and undoes it.

- stall: the switch's process is stopped (SIGSTOP) and goes on later.
- pause: the senders' processes are; their sockets are kept small, or would send on meanwhile.
- flap: the bottleneck's link loses its carrier and gets it back; what is sent meanwhile is lost.

The measured part of a phase comes afterwards and shows what the disturbance did to the limit.
"""

import math
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from p4abs_switch.testbed.process import RunningProcess

from p4abs_demonstration.dumbbell import Dumbbell, LinkNotSwitched, switch_link
from p4abs_demonstration.measure.phases import Phase, disturbance_begin_s
from p4abs_demonstration.settings import UNDISTURBED, Settings
from p4abs_demonstration.traffic import Traffic


@dataclass(frozen=True)
class Disturbance:
    """How something begins and ends."""

    begin: Callable[[], None]
    end: Callable[[], None]


def choose(
    settings: Settings,
    dumbbell: Dumbbell,
    switch: RunningProcess,
    traffic: Traffic,
) -> Disturbance:
    """What was asked for; undisturbed, it is never begun."""

    def stopping(processes: Callable[[], Iterable[RunningProcess]]) -> Disturbance:
        return Disturbance(
            lambda: _signal(processes(), signal.SIGSTOP),
            lambda: _signal(processes(), signal.SIGCONT),
        )

    return {
        UNDISTURBED: Disturbance(lambda: None, lambda: None),
        "stall": stopping(lambda: [switch]),
        "pause": stopping(traffic.senders),
        "flap": Disturbance(
            lambda: switch_link(dumbbell, "down"), lambda: switch_link(dumbbell, "up")
        ),
    }[settings.disturb]


def _signal(processes: Iterable[RunningProcess], number: signal.Signals) -> None:
    for process in processes:
        process.send_signal(number)


class Disturber:
    """Disturbs each phase once; callers report the time regularly."""

    def __init__(self, disturbance: Disturbance, length_s: float) -> None:
        self._disturbance = disturbance
        self._length_s = length_s
        self._until_s = math.inf  # while it lasts: when it ends
        self._disturbed: set[Phase] = set()

    def follow(self, now_s: float, phase: Phase) -> float:
        """Ends and begins disturbances that are due; returns when the next one is due."""
        if now_s >= self._until_s:
            self.undo()
        begin_s = (
            math.inf if phase in self._disturbed else disturbance_begin_s(phase, self._length_s)
        )
        if now_s < begin_s:
            return min(begin_s, self._until_s)
        self._disturbed.add(phase)
        self._until_s = now_s + self._length_s
        self._disturbance.begin()
        return self._until_s

    def undo(self) -> None:
        """Ends the disturbance if one lasts."""
        if self._until_s < math.inf:
            self._until_s = math.inf
            self._disturbance.end()


@contextmanager
def disturber(disturbance: Disturbance, length_s: float) -> Iterator[Disturber]:
    """Ends any disturbance at the end of the block, whatever happens inside."""
    found = Disturber(disturbance, length_s)
    try:
        yield found
    finally:
        # At the end the network may be gone.
        with suppress(LinkNotSwitched):
            found.undo()
