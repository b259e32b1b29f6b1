"""A light queue: one of several of a port, whose sources offer less than the link gives to it.

Its idle time is the sources' own, and the loss target alone decides its limit. Such a queue is
told from a busy one by what only queues of a port with several believe:

* Where round trips are timed but no flow is long, idle time is the sources' own. Only a window that
  was cut and takes long to grow leaves a link idle that a larger buffer keeps busy.
* In a time without drops that shows the same (`dependence`), the utilization branch comes down as
  fast as the loss branch.
* What such a time has told holds for twice as many drop events each time that it returns, until
  long flows join whose round trips are timed.
"""

import math

from p4abs.columns import Flags, without
from p4abs.measurements import Interval
from p4abs.policies.abs.flow_count import FlowCount
from p4abs.policies.abs.start import ONE_FLOW, Start


def has_no_windows(start: Start) -> Flags:
    """Whether no window can have been cut that takes long to grow."""
    is_timed = start.is_over & (start.recovery_s < math.inf)
    return without(is_timed, start.long >= ONE_FLOW)


def have_joined(interval: Interval, start: Start, count: FlowCount) -> Flags:
    """Whether there are more long flows than there have been in the last seconds."""
    timed_bytes = 0 if interval.timed_bytes is None else interval.timed_bytes
    return (timed_bytes > 0) & (start.long > count.flows + ONE_FLOW)
