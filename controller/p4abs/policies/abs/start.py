"""A start: where the limit begins, before errors can tell where it should be.

The losses with which flows begin are not those of the load, and what they teach is wrong: windows
that double overshoot whatever the buffer is, and then take long to come back, while the link idles.
A law that believes them ends with a buffer far too small for the windows that follow.

So where flows begin on a port that has had none, and the data plane counts them and times their
round trips, the limit is held no lower than C R / sqrt(N) (Appenzeller, Keslassy and McKeown 2004),
N being the long flows as soon as there are some. That lasts until windows can have come back: no
congestion control of the standards adds less than a frame per round trip (RFC 5681; RFC 9438 no
less than that), so a flow's share of the pipe, in frames, is how many round trips it takes. Many
flows, or a slow link, need a moment; one flow on a fast link needs minutes. What errors have taught
by then is forgotten, and the limit goes on from where it is, as from a single drop event that took
as long.

R may be far too long, as where servers think before they answer; then so is the limit, and so is a
start. But windows that have come back fill the queue: three sawteeth in a row that left the link
busy end a start, whatever R says. The law then expects events as long as the longest of them. A
sawtooth that is too short to show what the drop before it has done does not count.

Where flows were there before the law, where they are not counted, or where their round trips are
not known, as those of UDP, there is no start.
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
"""From here on there is a long flow: half of one, on average."""

BUSY_SAWTEETH = 3.0
"""In a row: one or two may be the work of a slow start, whose losses come over several round trips.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Start(Columns):
    """The first flows began `since_s` ago (nan: none yet); `ends` tells that the start has just
    come to its end, after `recovery_s` or sooner.

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
        """Windows filled the queue from drop to drop before R said so: it may be far too long."""
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
        """After an interval with so many active and long flows and this R, each nan where it is not
        measured. A sawtooth that ended in it took `busy_s` and left the link busy (0: none did);
        `idles`: one ended that did not."""
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
