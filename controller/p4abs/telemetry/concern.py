"""What a port needs of people, so that views can show the worst first."""

from dataclasses import dataclass
from enum import IntEnum

from p4abs.policies import Binding

# What binds a port that is not allowed the buffer that its targets need.
_ALLOWED_NO_MORE = frozenset({Binding.MAX_LIMIT, Binding.MAX_DELAY})
# A port that was sampled within this time has traffic.
_RECENT_S = 5.0
# Loss and idle time vary from second to second around what the law holds them at.
_FAR = 2.0


class Concern(IntEnum):
    """From the worst to what needs nobody."""

    BROKEN = 0
    SILENT = 1
    MISSED = 2
    UNREACHABLE = 3
    BOUND = 4
    UNUSED = 5
    FINE = 6

    @property
    def text(self) -> str:
        """For people."""
        return _TEXTS[self]


_TEXTS = {
    Concern.BROKEN: "agreement broken",
    Concern.SILENT: "not under control",
    Concern.MISSED: "misses a target",
    Concern.UNREACHABLE: "unreachable target",
    Concern.BOUND: "held at a bound",
    Concern.UNUSED: "no traffic",
    Concern.FINE: "fine",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """What a port did of late, and what it was to achieve; None: not known.

    `is_used`: something arrived of late.
    """

    utilization: float | None
    loss: float
    utilization_target: float
    loss_target: float
    binding: Binding
    is_unreachable: bool
    is_broken: bool
    is_used: bool

    @property
    def excess(self) -> float:
        """How many times as much as its targets allow the port loses, or idles while it loses."""
        excess = self.loss / self.loss_target
        if self.utilization is not None and self.loss > 0:
            excess = max(excess, (1 - self.utilization) / (1 - self.utilization_target))
        return excess


def concern_of(figures: Figures | None, age_s: float, is_in_control: bool) -> Concern:
    """The worst thing about a port whose figures are so old.

    None, or figures that are not recent: it has had no traffic (of late), unless its switch is not
    under control.
    """
    if figures is not None and figures.is_broken:
        return Concern.BROKEN
    if not is_in_control:
        return Concern.SILENT
    if figures is None or age_s >= _RECENT_S or not figures.is_used:
        return Concern.UNUSED
    if figures.is_unreachable:
        return Concern.UNREACHABLE
    if figures.excess > _FAR:
        return Concern.MISSED
    if figures.binding in _ALLOWED_NO_MORE:
        return Concern.BOUND
    return Concern.FINE
