"""Headroom: the part of a limit that no queue reaches.

Flows that answer to losses fill link and queue again after a drop. Windows that were halved and
grow by half a frame per round trip (RFC 5681 with delayed acknowledgements; RFC 9438 no less) need
no longer than windows of nothing that grow by a frame. Where flows have had that time, the link has
been busy, and the queue has stayed well below the limit all along, something else holds the
windows: a model of the path (BBR), receivers or applications. Then the limit goes to the largest
queue of the second half of that time, because the last losses leave a long one: what lies above it
serves nobody, and errors, which are seldom there, would take minutes.
"""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats, choose, maximum, without

USED_SHARE = 0.8
"""A queue that has reached this share of the limit uses it."""

MAX_IDLE_SHARE = 0.1
"""Of a time in which windows are what fills the link."""


@dataclass(frozen=True, slots=True, eq=False)
class Headroom(Columns):
    """For `length_s` nothing has been lost and the limit was not used; `queue_byte_s` is that time
    times its mean queue, and the link idled for `idle_s` of it. The largest queue of its second
    half is `max_bytes`. `ends` tells that this has been long enough to lower the limit to it."""

    length_s: Floats = 0.0
    idle_s: Floats = 0.0
    queue_byte_s: Floats = 0.0
    max_bytes: Floats = 0.0
    ends: Flags = False

    @property
    def mean_bytes(self) -> Floats:
        """The mean queue of that time."""
        return self.queue_byte_s / maximum(self.length_s, 1e-9)

    def after(
        self,
        duration_s: Floats,
        idle_s: Floats,
        queue_bytes: Floats,
        limit_bytes: Floats,
        filling_s: Floats,
        *,
        dropped: Flags,
    ) -> "Headroom":
        """After an interval with at most so much in the queue; flows that add a frame per round
        trip fill link and queue in `filling_s`. nan: not known."""
        goes_on = without(queue_bytes < USED_SHARE * limit_bytes, dropped)
        length_s = choose(goes_on, self.length_s + duration_s, 0.0)
        idle_s = choose(goes_on, self.idle_s + idle_s, 0.0)
        queue_byte_s = choose(goes_on, self.queue_byte_s + duration_s * queue_bytes, 0.0)
        is_late = goes_on & (length_s > filling_s / 2)
        max_bytes = choose(is_late, maximum(self.max_bytes, queue_bytes), 0.0)
        is_whole = length_s > filling_s
        return Headroom(
            choose(is_whole, 0.0, length_s),
            choose(is_whole, 0.0, idle_s),
            choose(is_whole, 0.0, queue_byte_s),
            max_bytes,
            is_whole & (idle_s <= MAX_IDLE_SHARE * length_s),
        )
