"""The mailbox of a simulated Tofino: packets for one port, as p4src/tna/headers.p4 has them."""

import struct

from p4abs.measurements import Snapshot
from p4abs.p4_constants import MAILBOX_START_BACKLOG_WINDOW
from p4abs.targets.tofino.records import packed_requests, unpacked_records
from p4abs.targets.tofino.replies import Replies

from p4abs_experiments._tofino import PORT, Switch
from p4abs_experiments.simulation.tofino.scaled_clock import ScaledClock

# The sequence number: all of a packet-out and of a packet-in.
_HEADER = struct.Struct(">I")


class Mailbox:
    """Asks the program for its counts and writes its limit."""

    def __init__(self, switch: Switch, clock: ScaledClock) -> None:
        self._switch = switch
        self._replies = Replies(clock)
        self._sequence = 0

    def snapshot(self) -> Snapshot:
        """The counts now; the extremes of the backlog are those since it was called last."""
        records = self._ask(MAILBOX_START_BACKLOG_WINDOW, None)
        [record] = unpacked_records(records, 1)
        return self._replies.snapshot(PORT, self._sequence, record)

    def write_limit(self, limit_bytes: int) -> None:
        """Holds for whatever comes from now on."""
        self._ask(0, limit_bytes)

    def _ask(self, operation: int, limit_bytes: int | None) -> bytes:
        self._sequence += 1
        header = _HEADER.pack(self._sequence)
        requests = packed_requests(operation, {PORT: limit_bytes})
        return self._switch.ask(header + requests)[_HEADER.size :]
