"""What the mailbox of p4src/tna/queue answers, as snapshots."""

from dataclasses import replace

from p4abs.measurements import Snapshot, signed_advance
from p4abs.targets.tofino.chip_clock import ChipClock
from p4abs.targets.tofino.records import Record
from p4abs.targets.tofino.replies import Replies


class QueueReplies(Replies):
    """See Replies. Backlogs are whole cells, of which small frames take more than they have bytes,
    so one may grow by more than was admitted: then what has departed stays where it was."""

    def __init__(self, clock: ChipClock) -> None:
        super().__init__(clock)
        self._departed_bytes: dict[int, int] = {}

    def snapshot(self, port: int, sequence: int, record: Record) -> Snapshot:
        """See Replies; nothing that has departed comes back."""
        snapshot = super().snapshot(port, sequence, record)
        before = self._departed_bytes.get(port, snapshot.departed_bytes)
        if signed_advance(before, snapshot.departed_bytes) < 0:
            snapshot = replace(snapshot, departed_bytes=before, unsaturated_bytes=before)
        self._departed_bytes[port] = snapshot.departed_bytes
        return snapshot
