"""How long a run waits for switches that have never answered."""

from p4abs.clock import Clock

FIRST_ANSWER_S = 10.0


class FirstAnswer:
    """Shared by the controllers of a run: while none of their switches has answered, 10 s.

    As soon as one has, the others are tried for as long as the run lasts.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._give_up_s = clock.now_s() + FIRST_ANSWER_S
        self._came = False

    def came(self) -> None:
        """A switch has answered; it is controlled, by us or by another controller."""
        self._came = True

    @property
    def is_overdue(self) -> bool:
        """Whether it is time to give up."""
        return not self._came and self._clock.now_s() > self._give_up_s
