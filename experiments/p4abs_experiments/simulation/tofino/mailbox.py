"""The mailbox of a simulated Tofino: packets for one port, as p4src/tna/headers.p4 has them."""

import struct

from p4abs.access.mailbox import HeadForm
from p4abs.measurements import Snapshot
from p4abs.p4_constants import CPU_PORT, MAILBOX_START_BACKLOG_WINDOW
from p4abs.targets.tofino.records import HEAD_BITS, WITHOUT_FLOWS, packed_requests
from p4abs.targets.tofino.replies import Replies

from p4abs_experiments._tofino import PORT, Switch
from p4abs_experiments.simulation.tofino.scaled_clock import ScaledClock

# Egress port, submit_to_ingress and padding of a packet-out; a packet-in's are of 3 bytes.
_PACKET_OUT = struct.pack(">H", CPU_PORT << 7)
_PACKET_IN_BYTES = 3


class Mailbox:
    """Asks the program for its counts and writes its limit."""

    def __init__(self, switch: Switch, clock: ScaledClock) -> None:
        self._switch = switch
        self._replies = Replies(clock)
        self._head = HeadForm(HEAD_BITS)
        self._sequence = 0

    def snapshot(self) -> Snapshot:
        """The counts now; the extremes of the backlog are those since it was called last."""
        records = self._ask(MAILBOX_START_BACKLOG_WINDOW, None)
        # All frames of the simulator are of one flow to the program.
        [record] = WITHOUT_FLOWS.unpacked(records, 1)
        return self._replies.snapshot(PORT, self._sequence, record)

    def write_limit(self, limit_bytes: int) -> None:
        """Holds for whatever comes from now on."""
        self._ask(0, limit_bytes)

    def _ask(self, operation: int, limit_bytes: int | None) -> bytes:
        self._sequence += 1
        request = _PACKET_OUT + self._head.packed(self._sequence, 1)
        requests = packed_requests(operation, {PORT: limit_bytes})
        reply = self._switch.ask(request + requests)
        return reply[_PACKET_IN_BYTES + self._head.length_bytes :]
