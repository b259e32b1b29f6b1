"""A start: where the limit begins, before errors can tell where it should be.

The losses with which flows begin mislead the law. Windows that double overshoot, whatever the
buffer is, and then take long to come back, while the link idles. A law that believes these losses
ends with a buffer that is far too small for the windows that follow.

So when flows begin on a port that has had none, the limit is held no lower than C R / sqrt(N)
(Appenzeller, Keslassy and McKeown 2004). N is the number of long flows as soon as there are some.
The data plane has to count flows and time their round trips.

The start lasts until windows can have come back. Standard congestion control adds at least one
frame per round trip (RFC 5681, RFC 9438). So it takes as many round trips as a flow's share of the
pipe has frames: a moment with many flows or on a slow link, minutes with one flow on a fast link.
Then what the errors have taught is forgotten. The limit goes on from where it is, as after a single
drop event that took as long as the start.

R may be far too long, for instance if servers think before they answer. Then the limit is too high,
and the start too long. But windows that have come back fill the queue. So three sawteeth in a row
that left the link busy end a start, whatever R is, and the law expects events as long as the
longest of them. A sawtooth that is too short to show the effect of the drop before it does not
count.

There is no start if flows were there before the law, if they are not counted, or if their round
trips are not known, such as those of UDP.
"""

import math
from dataclasses import dataclass

from p4abs.columns import (
    Columns,
    Flags,
    Floats,
    choose,
    is_known,
    log,
    maximum,
    minimum,
    without,
)

MEMORY_S = 0.5
"""Time constant of the numbers of flows: as long as a flow takes to be a long one (p4src/flows)."""

ONE_FLOW = 0.5
"""From this mean number on, there is a long flow."""

BUSY_SAWTEETH = 3.0
"""So many in a row end a start. One or two may come from a slow start, whose losses take several
round trips."""


@dataclass(frozen=True, slots=True, eq=False)
class Start(Columns):
    """The first flows began `since_s` ago (nan: none yet). `ends`: the start has just ended, after
    `recovery_s` or sooner; `is_over`: it has ended at some time.

    `active` and `long` are mean numbers of flows. A limit's logarithm is at least `lowest_level`.
    The last `busy_sawteeth` left the link busy; the longest of them took `sawtooth_s`.
    """

    since_s: Floats = math.nan
    is_over: Flags = False
    ends: Flags = False
    active: Floats = 0.0
    long: Floats = 0.0
    recovery_s: Floats = 0.0
    lowest_level: Floats = -math.inf
    busy_sawteeth: Floats = 0.0
    sawtooth_s: Floats = 0.0

    @property
    def came_back(self) -> Flags:
        """Whether windows filled the queue from drop to drop sooner than R says. Then R may be far
        too long."""
        return self.busy_sawteeth >= BUSY_SAWTEETH

    @property
    def expected_s(self) -> Floats:
        """How long an event is expected to take when the start has ended."""
        return minimum(self.recovery_s, choose(self.came_back, self.sawtooth_s, math.inf))

    def after(
        self,
        duration_s: Floats,
        active: Floats,
        long: Floats,
        round_trip_s: Floats,
        bytes_per_s: Floats,
        frame_bytes: Floats,
        busy_s: Floats,
        idles: Flags,
    ) -> "Start":
        """After an interval with these mean numbers of `active` and `long` flows, and R; nan: not
        measured.

        `busy_s` is the length of a sawtooth that has ended and left the link busy; 0: there was
        none. `idles`: a sawtooth has ended in which the link idled.
        """
        begins = without(active > 0, is_known(self.since_s))
        since_s = choose(begins, 0.0, self.since_s) + duration_s
        weight = choose(is_known(active), minimum(duration_s / MEMORY_S, 1.0), 0.0)
        mean_active = self.active + weight * (choose(is_known(active), active, 0.0) - self.active)
        mean_long = self.long + weight * (choose(is_known(long), long, 0.0) - self.long)
        flows = maximum(choose(mean_long >= ONE_FLOW, mean_long, mean_active), 1.0)
        knows = is_known(round_trip_s) & is_known(since_s)
        pipe_bytes = maximum(choose(knows, bytes_per_s * round_trip_s, frame_bytes), 1.0)
        recovery_s = choose(knows, pipe_bytes / flows / frame_bytes * round_trip_s, math.inf)
        counts = without(knows & (busy_s > 0), self.is_over)
        busy_sawteeth = choose(idles, 0.0, self.busy_sawteeth + choose(counts, 1.0, 0.0))
        sawtooth_s = choose(idles, 0.0, maximum(self.sawtooth_s, choose(counts, busy_s, 0.0)))
        has_ended = (since_s > recovery_s) | (busy_sawteeth >= BUSY_SAWTEETH)
        is_over = self.is_over | (begins & (long > 0)) | has_ended
        return Start(
            since_s,
            is_over,
            without(is_over & knows, self.is_over),
            mean_active,
            mean_long,
            recovery_s,
            choose(without(knows, is_over), log(pipe_bytes) - log(flows) / 2, -math.inf),
            busy_sawteeth,
            sawtooth_s,
        )
