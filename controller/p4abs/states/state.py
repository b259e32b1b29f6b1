"""The states that a port can be in."""

from enum import IntEnum
from typing import Self


class PortState(IntEnum):
    """Ordered from the most to the least urgent; arrays hold their numbers.

    `text` is the same word wherever a state is shown.
    """

    text: str

    def __new__(cls, number: int, text: str) -> Self:
        state = int.__new__(cls, number)
        state._value_, state.text = number, text
        return state

    AGREEMENT_BROKEN = 0, "agreement broken"
    """More windows of an agreement have failed than it allows."""
    NOT_CONTROLLED = 1, "not under control"
    """The switch does not answer, or another controller is its primary."""
    LOSS_ABOVE_TARGET = 2, "loss above target"
    """The port loses more than `loss` allows, although no bound keeps its limit from growing."""
    UTILIZATION_BELOW_TARGET = 3, "utilization below target"
    """The port drops packets, and the link idles more than `utilization` allows."""
    HELD_BY_MEMORY = 4, "held by memory"
    """A target is missed because the shared memory has no more for the port."""
    HELD_BY_MAX_DELAY = 5, "held by max-delay"
    """A target is missed because `max-delay` allows no larger limit."""
    HELD_BY_MAX_LIMIT = 6, "held by max-limit"
    """A target is missed because `max-limit` allows no larger limit."""
    HELD_BY_OTHER_QUEUES = 7, "held by other queues"
    """A target is missed because the port's other queues take the link: no limit would help."""
    HELD_BY_SAFE_LIMIT = 8, "held by safe limit"
    """Somebody has released the port, so its limit stays at its safe limit."""
    UNREACHABLE = 9, "target unreachable"
    """The link idles more than `utilization` allows, whatever its limit is, because the senders do
    not fill it. The reason says how long the link idles."""
    NOT_MEASURED = 10, "not measured"
    """There is traffic, but it has not been measured long enough to judge the port."""
    ON_TARGET = 11, "on target"
    """Both targets are met."""
    NOT_CONGESTED = 12, "not congested"
    """The link idles and hardly anything is lost: it needs no buffer."""
    NO_TRAFFIC = 13, "no traffic"
    """No packet has arrived for some seconds, or only one every few seconds."""

    @property
    def is_trouble(self) -> bool:
        """Whether somebody must act, or a port does not get what its settings ask for."""
        return self < PortState.NOT_MEASURED
