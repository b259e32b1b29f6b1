"""A sub-controller of the corrected law: an integrator of ln(buffer) with a trained gain."""

from __future__ import annotations

import math
from dataclasses import dataclass

from p4abs.policies.training import Leg, Training


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
        limit_s: float,
    ) -> Integrator:
        """After an interval of ``duration_s`` whose integrated error was ``error_s``.

        The level stays within ``within_s``; ``limit_s`` is the limit in force (drain times).
        """
        lowest, highest = math.log(within_s[0]), math.log(within_s[1])
        followed = min(math.log(self.follow * limit_s), highest)
        wanted = integrator.level + integrator.gain * error_s
        if followed > lowest and (wanted <= followed or (integrator.held and error_s < 0)):
            return self._held(integrator, followed, duration_s)
        level = min(max(wanted, lowest), highest)
        gain, leg = integrator.gain, integrator.leg
        if self.training is not None:
            gain, leg = self.training.trained(gain, leg, level, duration_s, free=level == wanted)
        return Integrator(level, gain, leg, held=False)

    def _held(self, integrator: Integrator, level: float, duration_s: float) -> Integrator:
        """Follows, down too. A way up from here is progress once it has taken over the limit."""
        gain = integrator.gain
        if self.training is not None:
            gain = self.training.rested(gain, self.gain, duration_s)
        leg = Leg.starting_at(level, previous_length=-math.log(self.follow))
        return Integrator(level, gain, leg, held=True)
