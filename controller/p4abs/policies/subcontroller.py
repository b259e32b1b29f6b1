"""A sub-controller of the corrected law: an integrator of ln(buffer) with a trained gain."""

from __future__ import annotations

import math
from dataclasses import dataclass

from p4abs.policies.training import Leg, Training

LONGEST_STEP = 1.0
"""Most that one interval may change ln(buffer): a pause of the control must not throw it.

At the usual targets an interval of 20 ms that loses everything stays below half of it.
"""


@dataclass(frozen=True, slots=True)
class Integrator:
    """What a sub-controller remembers.

    ``level`` is the logarithm of the drain time in seconds, ``gain`` its speed in 1/s. ``held``
    tells that it follows the other sub-controller, which determines the limit.
    """

    level: float
    gain: float
    leg: Leg
    held: bool

    @property
    def drain_time_s(self) -> float:
        """The buffer that this sub-controller asks for."""
        return math.exp(self.level)


@dataclass(frozen=True, slots=True)
class SubController:
    """The parameters of one branch: its first gain in 1/s, ``follow`` and the training (or none).

    Anti-windup: while the other branch determines the limit, this one follows at no less than
    ``follow`` times the limit.
    """

    gain: float
    follow: float
    training: Training | None

    def start(self, drain_time_s: float) -> Integrator:
        """An integrator at ``drain_time_s`` with the first gain."""
        level = math.log(drain_time_s)
        return Integrator(level, self.gain, Leg.starting_at(level), held=False)

    def moved(
        self,
        integrator: Integrator,
        error_s: float,
        duration_s: float,
        within_s: tuple[float, float],
    ) -> Integrator:
        """After an interval of ``duration_s`` whose integrated error was ``error_s``.

        The level stays within ``within_s`` (drain times).
        """
        lowest, highest = math.log(within_s[0]), math.log(within_s[1])
        if integrator.held and error_s < 0:
            return Integrator(lowest, integrator.gain, Leg.starting_at(lowest), held=True)
        step = integrator.gain * error_s
        wanted = integrator.level + min(max(step, -LONGEST_STEP), LONGEST_STEP)
        level = min(max(wanted, lowest), highest)
        gain, leg = integrator.gain, integrator.leg
        if self.training is not None:
            gain, leg = self.training.trained(gain, leg, level, duration_s, free=level == wanted)
        return Integrator(level, gain, leg, held=False)

    def followed(self, integrator: Integrator, limit_level: float, duration_s: float) -> Integrator:
        """Not too far below the limit, whose level is ``limit_level``; coming down with it.

        A way up from here is progress only once it has taken over the limit.
        """
        floor = limit_level + math.log(self.follow)
        if integrator.level >= floor:
            return integrator
        gain = integrator.gain
        if self.training is not None:
            gain = self.training.rested(gain, self.gain, duration_s)
        leg = Leg.starting_at(floor, previous_length=limit_level - floor)
        return Integrator(floor, gain, leg, held=True)
