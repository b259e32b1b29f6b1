"""What the mailboxes of p4src/tna answer, as snapshots."""

from dataclasses import replace

from p4abs.access.backlog_windows import BacklogWindows
from p4abs.measurements import COUNTER_MODULUS, EXTREMES, Snapshot, signed_advance
from p4abs.targets.tofino.clocks import ChipClock
from p4abs.targets.tofino.records import Record
from p4abs.targets.tofino.words import FLOWS, OF_QUEUES

_MEASURED = {**OF_QUEUES, **FLOWS}
_EXTREMES = {each.name for each in EXTREMES}


class Replies:
    """Reads the records of one session, each of a request that has started a backlog window."""

    def __init__(self, clock: ChipClock) -> None:
        self._clock = clock
        self._windows = BacklogWindows()

    def snapshot(self, port: int, sequence: int, record: Record) -> Snapshot:
        """A port's; `sequence` is that of the request."""
        covered = self._windows.received(port, record["backlog_window"], sequence)
        told = {
            name: words.number([record[field] for field in words.fields])
            for name, words in _MEASURED.items()
            if words.are_in(record) and (covered or name not in _EXTREMES)
        }
        told["departed_bytes"] = (
            told["admitted_bytes"] - record["backlog_bytes"]
        ) % COUNTER_MODULUS
        told["timestamp_us"] = self._clock.timestamp_us(record["timestamp_ns"])
        # A virtual queue drains at the capacity, so all time that nothing departs in is idle.
        told["unsaturated_us"] = told["timestamp_us"]
        told["unsaturated_bytes"] = told["departed_bytes"]
        return Snapshot(**told)


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
