"""Exponential back-off between attempts to reconnect."""

FIRST_DELAY_S = 0.1
# An attempt at a dead switch takes a millisecond of work; a switch that comes back waits no longer
# than this.
LONGEST_DELAY_S = 0.5


class BackOff:
    """0.1 s, then twice as long each time, up to 0.5 s, unless told otherwise."""

    def __init__(self, first_s: float = FIRST_DELAY_S, longest_s: float = LONGEST_DELAY_S) -> None:
        self._first_s = self._delay_s = first_s
        self._longest_s = longest_s

    def reset(self) -> None:
        self._delay_s = self._first_s

    def next_delay_s(self) -> float:
        delay_s = self._delay_s
        self._delay_s = min(2 * delay_s, self._longest_s)
        return delay_s


class DefectBackOff:
    """After an exception that nobody expected: no delay, as the next attempt may well succeed.

    After another one within a minute, 0.5 s, then twice as long each time, up to 32 s.
    """

    FORGOTTEN_S = 60.0

    def __init__(self) -> None:
        self._back_off = BackOff(0.5, 32.0)
        self._last_s = -self.FORGOTTEN_S

    def comes_back(self, now_s: float) -> bool:
        """Whether one that comes now is not the first."""
        return now_s - self._last_s < self.FORGOTTEN_S

    def next_delay_s(self, now_s: float) -> float:
        """How long to wait after one that has come now."""
        comes_back, self._last_s = self.comes_back(now_s), now_s
        if comes_back:
            return self._back_off.next_delay_s()
        self._back_off.reset()
        return 0.0
