"""The link, what its queue is limited by, and the flows that load it."""

from dataclasses import dataclass

CAPACITY_BPS = 10_000_000
DELAY_S = 0.010
"""Of the bottleneck, one way; the way back takes one to two times as long, by flow."""

CONGESTION_CONTROLS = ("reno", "cubic", "bbr")
FLOWS = (1, 4, 16, 64)
UTILIZATION, LOSS = 0.98, 0.02


@dataclass(frozen=True)
class Stretch:
    """A policy at work: `abs`, or `static` with a limit given as the time in which it drains.

    The first `transient_s` of it are not measured, the `measured_s` after them are.
    """

    policy: str
    drain_s: float
    transient_s: float
    measured_s: float

    @property
    def name(self) -> str:
        fixed = f"{1e3 * self.drain_s:g} ms"
        return fixed if self.policy == "static" else self.policy

    @property
    def limit_bytes(self) -> int:
        """The limit that it begins with."""
        return round(self.drain_s * CAPACITY_BPS / 8)


STRETCHES = (
    Stretch("static", 0.010, 15.0, 30.0),
    Stretch("static", 0.040, 15.0, 30.0),
    Stretch("static", 0.160, 15.0, 30.0),
    Stretch("abs", 0.160, 40.0, 40.0),
)


@dataclass(frozen=True)
class Load:
    """Long flows of one congestion control; they begin at once and stay."""

    congestion_control: str
    flows: int


LOADS = tuple(Load(control, flows) for flows in FLOWS for control in CONGESTION_CONTROLS)
