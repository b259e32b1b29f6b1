"""A sub-controller of the corrected law: an integrator of ln(buffer) with a trained gain."""

import math
from dataclasses import dataclass, replace

from p4abs.policies.abs_first.training import RESTING_GAIN, Course, Training

LONGEST_STEP = 1.0
"""Most that one interval may change ln(buffer): a pause of the control must not throw it."""


@dataclass(frozen=True, slots=True)
class Integrator:
    """What a sub-controller remembers.

    `level` is the logarithm of the drain time in seconds, `gain` its speed in 1/s. `held`
    tells that it follows the other sub-controller, which determines the limit.
    """

    level: float
    gain: float
    course: Course
    held: bool

    @property
    def drain_time_s(self) -> float:
        """The buffer that this sub-controller asks for."""
        return math.exp(self.level)


@dataclass(frozen=True, slots=True)
class SubController:
    """The parameters of one branch: its first gain in 1/s, `follow` and the training (or none).

    Anti-windup: while the other branch determines the limit, this one follows at no less than
    `follow` times the limit.
    """

    gain: float
    follow: float
    training: Training | None

    def start(self, drain_time_s: float) -> Integrator:
        """An integrator at `drain_time_s` with the first gain."""
        level = math.log(drain_time_s)
        course = Course(origin=level, extreme=level)
        return Integrator(level, self.gain, course, held=False)

    def moved(
        self,
        integrator: Integrator,
        *,
        error_s: float,
        duration_s: float,
        within_s: tuple[float, float],
        observed_s: float | None = None,
        period_s: float = 0.0,
    ) -> Integrator:
        """After an interval of `duration_s` whose integrated error was `error_s`.

        The level stays within `within_s` (drain times). Training judges by `observed_s` where
        the error was not integrated when it was seen, and by the `period_s` of its noise.
        """
        lowest, highest = math.log(within_s[0]), math.log(within_s[1])
        if integrator.held and error_s < 0:
            return replace(integrator, level=lowest)
        step = integrator.gain * error_s
        wanted = integrator.level + min(max(step, -LONGEST_STEP), LONGEST_STEP)
        level = min(max(wanted, lowest), highest)
        gain, course = integrator.gain, integrator.course
        if self.training is not None:
            gain, course = self.training.trained(
                gain,
                course,
                level,
                error_s if observed_s is None else observed_s,
                duration_s,
                free=level == wanted,
                period_s=period_s,
            )
        return Integrator(level, gain, course, held=False)

    def followed(self, integrator: Integrator, limit_level: float) -> Integrator:
        """Not too far below the limit, whose level is `limit_level`; coming down with it.

        A trained gain rests meanwhile: the first stall of the sources must not be amplified.
        """
        floor = limit_level + math.log(self.follow)
        if integrator.level >= floor:
            return integrator
        gain = integrator.gain
        if self.training is not None:
            gain = min(gain, RESTING_GAIN)
        course = integrator.course.joined(floor, distance=limit_level - floor)
        return Integrator(floor, gain, course, held=True)
