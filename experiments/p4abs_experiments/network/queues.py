"""Links of a scenario that are the queues of one link."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Queues:
    """`links`, numbered from 0, are queues in front of one link, whose capacity all of them have.

    The highest number is served first; with `weights` they take turns in bytes (deficit round
    robin). A queue's utilization is the share of the time in which it had something to send, also
    while others were served.
    """

    links: tuple[str, ...]
    weights: tuple[int, ...] = ()
