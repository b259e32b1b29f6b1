"""Exponential back-off between attempts to reconnect."""

FIRST_DELAY_S = 0.1
# An attempt at a dead switch takes a millisecond of work, and one that is back waits no longer.
LONGEST_DELAY_S = 0.5


class BackOff:
    """0.1 s, then twice as long each time, up to 0.5 s."""

    def __init__(self) -> None:
        self._delay_s = FIRST_DELAY_S

    def reset(self) -> None:
        """After a success: start again with the shortest delay."""
        self._delay_s = FIRST_DELAY_S

    def next_delay_s(self) -> float:
        """How long to wait now."""
        delay_s = self._delay_s
        self._delay_s = min(2 * delay_s, LONGEST_DELAY_S)
        return delay_s
