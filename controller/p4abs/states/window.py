"""Windows over which ports are judged: several drop events long, or a time without any.

Losses come in drop events. The more of them a window has, the more exactly it shows the loss rate.
A second with drops counts as one event; if events are more frequent, even the shortest window has
many. So windows of fast links last some seconds, and those of a lone flow some of its sawteeth.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats, between, choose, maximum
from p4abs.states.second import Second

SHORTEST_S = 10.0
ENOUGH_EVENTS = 10.0
LONGEST_S = 300.0
"""Of a window with fewer drop events."""

QUIET_S = 30.0
"""A window's length after one without drops."""


@dataclass(frozen=True, slots=True, eq=False)
class Window(Columns):
    """Sums over the seconds of a window, see `Second`; `wanted_s` is how long it is to be."""

    length_s: Floats = 0.0
    known_s: Floats = 0.0
    idle_s: Floats = 0.0
    offered_bytes: Floats = 0.0
    lost_bytes: Floats = 0.0
    events: Floats = 0.0
    wanted_s: Floats = QUIET_S

    def plus(self, second: Second) -> "Window":
        return Window(
            self.length_s + second.length_s,
            self.known_s + second.known_s,
            self.idle_s + second.idle_s,
            self.offered_bytes + second.offered_bytes,
            self.lost_bytes + second.lost_bytes,
            self.events + choose(second.lost_bytes > 0, 1.0, 0.0),
            self.wanted_s,
        )

    @property
    def has_ended(self) -> Flags:
        is_full = (self.events >= ENOUGH_EVENTS) | (self.length_s >= self.wanted_s)
        return is_full & (self.length_s >= SHORTEST_S)

    def next(self) -> "Window":
        """The next window, which is as long as this many drop events take."""
        nothing = 0.0 * self.length_s
        sawtooth_s = self.length_s / maximum(self.events, 1.0)
        wanted_s = between(ENOUGH_EVENTS * sawtooth_s, SHORTEST_S, LONGEST_S)
        wanted_s = choose(self.events > 0, wanted_s, QUIET_S)
        return Window(nothing, nothing, nothing, nothing, nothing, nothing, wanted_s)

    @property
    def loss(self) -> Floats:
        """The share of the offered bytes that was lost; 0 when nothing arrived."""
        return self.lost_bytes / maximum(self.offered_bytes, 1.0)

    @property
    def idle_share(self) -> Floats:
        """The idle share of the time with a known utilization; 0 where there is none."""
        return self.idle_s / choose(self.known_s > 0, self.known_s, 1.0)
