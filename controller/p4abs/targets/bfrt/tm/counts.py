"""A queue's counts in bytes, from frames, octets, cells and packets.

Ethernet frames count without FCS, as everywhere in the project.
"""

from dataclasses import dataclass, replace

from p4abs.targets.bfrt.tm.queues import QueueReading

FCS_BYTES = 4
GAP_BYTES = 20
"""Preamble and least gap: what else a frame takes of the link's time."""


@dataclass(frozen=True)
class QueueCounts:
    """Cumulative since the first reading, but for what was sent.

    Drops are known in packets. Each is assumed to be as large as the mean frame sent since the
    packet count last changed. `counted` is the reading of that time, `last` the last.
    """

    last: QueueReading
    counted: QueueReading
    admitted_bytes: int
    dropped_bytes: int = 0

    @classmethod
    def first(cls, reading: QueueReading, cell_bytes: int) -> "QueueCounts":
        return cls(reading, reading, _admitted_bytes(reading, cell_bytes))

    @property
    def sent_bytes(self) -> int:
        return _sent_bytes(self.last)

    @property
    def wire_bytes(self) -> int:
        return wire_bytes(self.last.sent_frames, self.last.sent_octets)

    def after(self, reading: QueueReading, cell_bytes: int) -> "QueueCounts":
        """With the next reading; begins anew where somebody has cleared what was counted."""
        if reading.sent_octets < self.last.sent_octets:
            return self.first(reading, cell_bytes)
        # Backlogs are whole cells, and read a little later than what was sent.
        admitted_bytes = max(self.admitted_bytes, _admitted_bytes(reading, cell_bytes))
        now = replace(self, last=reading, admitted_bytes=admitted_bytes)
        packets = reading.dropped_packets - self.counted.dropped_packets
        frames = reading.sent_frames - self.counted.sent_frames
        if packets < 0:
            return replace(now, counted=reading)
        if packets == 0 or frames == 0:
            return now
        sent_bytes = _sent_bytes(reading) - _sent_bytes(self.counted)
        dropped_bytes = self.dropped_bytes + round(packets * sent_bytes / frames)
        return replace(now, counted=reading, dropped_bytes=dropped_bytes)


def wire_bytes(sent_frames: int, sent_octets: int) -> int:
    """What was sent with all that the link's time goes by."""
    return sent_octets + GAP_BYTES * sent_frames


def _sent_bytes(reading: QueueReading) -> int:
    return reading.sent_octets - FCS_BYTES * reading.sent_frames


def _admitted_bytes(reading: QueueReading, cell_bytes: int) -> int:
    """What was sent or is still there."""
    return _sent_bytes(reading) + reading.backlog_cells * cell_bytes
