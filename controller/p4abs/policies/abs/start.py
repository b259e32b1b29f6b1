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


@dataclass(frozen=True, slots=True, eq=False)
class Start(Columns):
    """The first flows began `since_s` ago (nan: none yet); `ends` tells that the start has just
    come to its end, after `recovery_s`.

    `active` and `long` are mean numbers of flows. A limit's logarithm is at least `lowest_level`.
    """

    since_s: Floats = math.nan
    is_over: Flags = False
    ends: Flags = False
    active: Floats = 0.0
    long: Floats = 0.0
    recovery_s: Floats = 0.0
    lowest_level: Floats = -math.inf

    def after(
        self,
        duration_s: Floats,
        active: Floats,
        long: Floats,
        round_trip_s: Floats,
        bytes_per_s: Floats,
        frame_bytes: Floats,
    ) -> "Start":
        """After an interval with so many active and long flows and this R, each nan where it is not
        measured."""
        begins = without(active > 0, is_known(self.since_s))
        since_s = choose(begins, 0.0, self.since_s) + duration_s
        weight = choose(is_known(active), minimum(duration_s / MEMORY_S, 1.0), 0.0)
        mean_active = self.active + weight * (choose(is_known(active), active, 0.0) - self.active)
        mean_long = self.long + weight * (choose(is_known(long), long, 0.0) - self.long)
        flows = maximum(choose(mean_long >= ONE_FLOW, mean_long, mean_active), 1.0)
        knows = is_known(round_trip_s) & is_known(since_s)
        pipe_bytes = maximum(choose(knows, bytes_per_s * round_trip_s, frame_bytes), 1.0)
        recovery_s = choose(knows, pipe_bytes / flows / frame_bytes * round_trip_s, math.inf)
        is_over = self.is_over | (begins & (long > 0)) | (since_s > recovery_s)
        return Start(
            since_s,
            is_over,
            without(is_over & knows, self.is_over),
            mean_active,
            mean_long,
            recovery_s,
            choose(without(knows, is_over), log(pipe_bytes) - log(flows) / 2, -math.inf),
        )
