"""The states that a port can be in."""

from enum import IntEnum


class PortState(IntEnum):
    """Ordered from the most to the least urgent; arrays hold their numbers."""

    AGREEMENT_BROKEN = 0
    """More windows of an agreement have failed than it allows."""
    NOT_CONTROLLED = 1
    """The switch does not answer, or another controller is its primary."""
    LOSS_ABOVE_TARGET = 2
    """The port loses more than `loss` allows, although no bound keeps its limit from growing."""
    UTILIZATION_BELOW_TARGET = 3
    """The port drops packets, and the link idles more than `utilization` allows."""
    HELD_BY_MEMORY = 4
    """A target is missed because the shared memory has no more for the port."""
    HELD_BY_MAX_DELAY = 5
    """A target is missed because `max-delay` allows no larger limit."""
    HELD_BY_MAX_LIMIT = 6
    """A target is missed because `max-limit` allows no larger limit."""
    HELD_BY_OTHER_QUEUES = 7
    """A target is missed because the port's other queues take the link: no limit would help."""
    HELD_BY_SAFE_LIMIT = 8
    """Somebody has released the port, so its limit stays at its safe limit."""
    UNREACHABLE = 9
    """The link idles more than `utilization` allows, whatever its limit is, because the senders do
    not fill it. The reason says how long the link idles."""
    NOT_MEASURED = 10
    """There is traffic, but it has not been measured long enough to judge the port."""
    ON_TARGET = 11
    """Both targets are met."""
    NOT_CONGESTED = 12
    """The link idles and hardly anything is lost: it needs no buffer."""
    NO_TRAFFIC = 13
    """No packet has arrived for some seconds, or only one every few seconds."""

    @property
    def text(self) -> str:
        """The same word wherever a state is shown."""
        return _TEXTS[self]

    @property
    def is_trouble(self) -> bool:
        """Whether somebody must act, or a port does not get what its settings ask for."""
        return self < PortState.NOT_MEASURED


_TEXTS = {
    PortState.AGREEMENT_BROKEN: "agreement broken",
    PortState.NOT_CONTROLLED: "not under control",
    PortState.LOSS_ABOVE_TARGET: "loss above target",
    PortState.UTILIZATION_BELOW_TARGET: "utilization below target",
    PortState.HELD_BY_MEMORY: "held by memory",
    PortState.HELD_BY_MAX_DELAY: "held by max-delay",
    PortState.HELD_BY_MAX_LIMIT: "held by max-limit",
    PortState.HELD_BY_OTHER_QUEUES: "held by other queues",
    PortState.HELD_BY_SAFE_LIMIT: "held by safe limit",
    PortState.UNREACHABLE: "target unreachable",
    PortState.NOT_MEASURED: "not measured",
    PortState.ON_TARGET: "on target",
    PortState.NOT_CONGESTED: "not congested",
    PortState.NO_TRAFFIC: "no traffic",
}
