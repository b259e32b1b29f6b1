"""The mailbox of a simulated Tofino: packets of bytes, as p4src/tna/headers.p4 lays them out."""

import struct

from p4abs.p4_constants import MAILBOX_START_BACKLOG_WINDOW, MAILBOX_WRITE_QUEUE_LIMIT
from p4abs.snapshot import Snapshot
from p4abs.targets.tofino.replies import Replies

from p4abs_experiments._tofino import PORT, Switch
from p4abs_experiments.simulation.tofino.scaled_clock import ScaledClock

# operation, padding, port, sequence, queue_limit_bytes
_PACKET_OUT = struct.Struct(">BxHII")

_WORDS = (
    "admitted_bytes_high",
    "admitted_bytes_low",
    "dropped_bytes_high",
    "dropped_bytes_low",
    "backlog_bytes",
    "queue_limit_bytes",
    "least_backlog_bytes",
    "greatest_backlog_bytes",
    "backlog_window",
)
# port, sequence, padding, timestamp_ns, _WORDS
_PACKET_IN = struct.Struct(f">2x4x2x6s{len(_WORDS)}I")


class Mailbox:
    """Asks the program for its counts and writes its limit."""

    def __init__(self, switch: Switch, clock: ScaledClock) -> None:
        self._switch = switch
        self._replies = Replies(clock)
        self._sequence = 0

    def snapshot(self) -> Snapshot:
        """The counts now; the extremes of the backlog are those since it was called last."""
        reply = self._ask(MAILBOX_START_BACKLOG_WINDOW, 0)
        stamp, *words = _PACKET_IN.unpack(reply)
        values = dict(zip(_WORDS, words, strict=True))
        values["timestamp_ns"] = int.from_bytes(stamp, "big")
        return self._replies.snapshot(PORT, self._sequence, values)

    def write_limit(self, limit_bytes: int) -> None:
        """Holds for whatever comes from now on."""
        self._ask(MAILBOX_WRITE_QUEUE_LIMIT, limit_bytes)

    def _ask(self, operation: int, limit_bytes: int) -> bytes:
        self._sequence += 1
        return self._switch.ask(_PACKET_OUT.pack(operation, PORT, self._sequence, limit_bytes))
