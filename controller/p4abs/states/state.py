"""The states that a port can be in."""

from enum import IntEnum


class PortState(IntEnum):
    """From what needs people most to what needs nobody; numbers stand for them in arrays."""

    AGREEMENT_BROKEN = 0
    NOT_CONTROLLED = 1
    LOSS_ABOVE_TARGET = 2
    UTILIZATION_BELOW_TARGET = 3
    HELD_BY_MEMORY = 4
    HELD_BY_MAX_DELAY = 5
    HELD_BY_MAX_LIMIT = 6
    HELD_BY_SAFE_LIMIT = 7
    UNREACHABLE = 8
    NOT_MEASURED = 9
    ON_TARGET = 10
    NOT_CONGESTED = 11
    NO_TRAFFIC = 12

    @property
    def text(self) -> str:
        """The same word wherever a state is shown."""
        return _TEXTS[self]

    @property
    def is_trouble(self) -> bool:
        """Whether somebody has to do something, or a port does not get what was asked for."""
        return self < PortState.NOT_MEASURED


_TEXTS = {
    PortState.AGREEMENT_BROKEN: "agreement broken",
    PortState.NOT_CONTROLLED: "not under control",
    PortState.LOSS_ABOVE_TARGET: "loss above target",
    PortState.UTILIZATION_BELOW_TARGET: "utilization below target",
    PortState.HELD_BY_MEMORY: "held by memory",
    PortState.HELD_BY_MAX_DELAY: "held by max-delay",
    PortState.HELD_BY_MAX_LIMIT: "held by max-limit",
    PortState.HELD_BY_SAFE_LIMIT: "held by safe limit",
    PortState.UNREACHABLE: "target unreachable",
    PortState.NOT_MEASURED: "not measured",
    PortState.ON_TARGET: "on target",
    PortState.NOT_CONGESTED: "not congested",
    PortState.NO_TRAFFIC: "no traffic",
}
