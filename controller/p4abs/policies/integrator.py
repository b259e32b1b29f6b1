"""A sub-controller of the corrected law: an integrator of ln(buffer) with a trained gain."""

from __future__ import annotations

import math
from dataclasses import dataclass

from p4abs.policies.training import Leg, Training


@dataclass(frozen=True, slots=True)
class Integrator:
    """``level`` is the logarithm of the drain time in seconds, ``gain`` its speed in 1/s."""

    level: float
    gain: float
    leg: Leg

    @classmethod
    def at(cls, drain_time_s: float, gain: float) -> Integrator:
        """An integrator that starts at ``drain_time_s``."""
        level = math.log(drain_time_s)
        return cls(level, gain, Leg.starting_at(level))

    @property
    def drain_time_s(self) -> float:
        """The buffer that this sub-controller asks for."""
        return math.exp(self.level)

    def moved(
        self,
        error_s: float,
        within_s: tuple[float, float],
        duration_s: float,
        training: Training | None,
    ) -> Integrator:
        """After an interval of ``duration_s`` whose integrated error was ``error_s``.

        The level never leaves ``within_s`` (drain times); without ``training`` the gain stays.
        """
        wanted = self.level + self.gain * error_s
        level = min(max(wanted, math.log(within_s[0])), math.log(within_s[1]))
        if training is None:
            return Integrator(level, self.gain, self.leg)
        gain, leg = training.trained(self.gain, self.leg, level, duration_s, free=level == wanted)
        return Integrator(level, gain, leg)
