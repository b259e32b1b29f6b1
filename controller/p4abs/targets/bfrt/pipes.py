"""When the packets of a port's pipes came, and what stands in the queue that each pipe has."""

from collections.abc import Sequence

from p4abs.targets.tofino.chip_clock import ChipClock

# Registers of several pipes are read one after the other: so much older a stamp is only out of
# order. What is older still is of a chip that has started anew.
_OUT_OF_ORDER_NS = 10**9
# A frame whose bytes are still pending (p4src/tna/virtual_queue.p4), and the next one.
_UNDRAINED_BYTES = 2 * 9216


class PipeTimes:
    """Follows the stamps of a port's last packets, pipe by pipe, through one session."""

    def __init__(self) -> None:
        self._clock = ChipClock()
        self._stamps_ns: list[int] = []
        self._times_ns: list[int] = []
        self._newest_ns = 0

    def newest_ns(self, stamps_ns: Sequence[int]) -> int:
        """Takes the pipes' stamps; the time of the port's last packet, which does not wrap.

        Only stamps that have changed tell: one of 48 bits that has stood still for days may look
        newer than what is new. A pipe that no packet has passed has the stamp 0.
        """
        before = self._stamps_ns or [0] * len(stamps_ns)
        self._times_ns = self._times_ns or [0] * len(stamps_ns)
        changed = [pipe for pipe, stamp in enumerate(stamps_ns) if stamp != before[pipe]]
        for pipe in changed or ([] if self._stamps_ns else [0]):
            self._times_ns[pipe] = self._clock.timestamp_ns(stamps_ns[pipe])
        self._stamps_ns = [*stamps_ns]
        newest_ns = max((self._times_ns[pipe] for pipe in changed), default=self._newest_ns)
        if not 0 <= self._newest_ns - newest_ns < _OUT_OF_ORDER_NS:
            self._newest_ns = newest_ns
        return self._newest_ns

    def standing_bytes(self, backlogs_bytes: Sequence[int], rate_bps: int | None) -> int:
        """What stands in the pipes' queues at that time, of their backlogs at their last packets.

        A pipe that has been silent for as long as its queue takes to drain holds nothing; what has
        drained of it before then is not taken off, so that departures never go backwards.
        """
        return sum(
            backlog_bytes
            for backlog_bytes, time_ns in zip(backlogs_bytes, self._times_ns, strict=True)
            if rate_bps is None
            or 8 * (backlog_bytes + _UNDRAINED_BYTES) * 10**9
            > rate_bps * (self._newest_ns - time_ns)
        )
