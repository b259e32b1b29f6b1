"""Ports of a stand-in for a Tofino: their queue as its P4 source stands there (p4src/tests).

What is around it, the limit's register, the upper words and the extremes, is written down here;
what flows add a test sets.
"""

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from p4src.tests import p4_controls

TNA = Path(__file__).resolve().parents[3] / "p4src" / "tna"
CONTROLS = p4_controls.load(TNA / "byte_clock.p4", TNA / "virtual_queue.p4")
STAMP_NS = 2**48
# What a frame counts for beside its own bytes (p4src/tna/frame_bytes.p4).
OVERHEAD_BYTES = 24


@dataclass
class TofinoPort:
    """One port of one pipe. Without a rate it has no queue."""

    rate_gbps: int | None = None
    limit_bytes: int = 0
    admitted_bytes: int = 0
    dropped_bytes: int = 0
    window: int = 0
    min_bytes: int = 0
    max_bytes: int = 0
    active_ticks: int = 0
    long_ticks: int = 0
    untracked_bytes: int = 0
    control: Any = field(default_factory=lambda: CONTROLS["VirtualQueue"]())
    time_words: Any = field(default_factory=lambda: CONTROLS["TimeWords"]())

    @property
    def backlog_bytes(self) -> int:
        return self.control.backlog.bytes

    def frame(self, now_ns: int, frame_bytes: int) -> bool:
        """A frame comes; whether it is admitted."""
        wire_bytes = frame_bytes + OVERHEAD_BYTES
        passage = self._pass(now_ns, wire_bytes)
        if passage.dropped:
            self.dropped_bytes += wire_bytes
        else:
            self.admitted_bytes += wire_bytes
        self.min_bytes = min(self.min_bytes, passage.found)
        self.max_bytes = max(self.max_bytes, passage.left)
        return not passage.dropped

    def request(self, now_ns: int, sequence: int, values: dict[str, int]) -> dict[str, int]:
        """A mailbox request with these fields; those of the record."""
        if values["operation"] & 0x01:
            self.limit_bytes = values["queue_limit_bytes"]
        passage = self._pass(now_ns, 0)
        self.min_bytes = min(self.min_bytes, passage.found)
        self.max_bytes = max(self.max_bytes, passage.left)
        reply = {
            "port": values["port"],
            "timestamp_ns": now_ns % STAMP_NS,
            "admitted_bytes_high": self.admitted_bytes >> 32,
            "admitted_bytes_low": self.admitted_bytes % 2**32,
            "dropped_bytes_high": self.dropped_bytes >> 32,
            "dropped_bytes_low": self.dropped_bytes % 2**32,
            "backlog_bytes": passage.left,
            "queue_limit_bytes": self.limit_bytes,
            "least_backlog_bytes": self.min_bytes,
            "greatest_backlog_bytes": self.max_bytes,
            "backlog_window": self.window,
            "active_ticks_high": self.active_ticks >> 32,
            "active_ticks_low": self.active_ticks % 2**32,
            "long_ticks_high": self.long_ticks >> 32,
            "long_ticks_low": self.long_ticks % 2**32,
            "untracked_bytes_high": self.untracked_bytes >> 32,
            "untracked_bytes_low": self.untracked_bytes % 2**32,
        }
        if values["operation"] & 0x04:
            self.window = sequence
            self.min_bytes, self.max_bytes = passage.found, passage.left
        return reply

    def _pass(self, now_ns: int, wire_bytes: int) -> SimpleNamespace:
        passage, words, time = SimpleNamespace(), SimpleNamespace(), SimpleNamespace()
        rate = "unlimited" if self.rate_gbps is None else f"gbps_{self.rate_gbps}"
        self.control.drain_rate.table_action["drain_rate"] = rate
        self.time_words.apply(now_ns % STAMP_NS, time)
        is_request = wire_bytes == 0
        self.control.apply(0, is_request, wire_bytes, time, self.limit_bytes, words, passage)
        return passage


class QueuePort(TofinoPort):
    """One whose queue is the traffic manager's; the ghost thread is told of its length."""

    def __init__(self) -> None:
        controls = p4_controls.load(TNA / "queue" / "ghost.p4", TNA / "queue" / "queue.p4")
        super().__init__(control=controls["Queue"]())
        self._ghost = controls["Ghost"]()
        self._ghost.table_action["port_of_queue"] = "of_port"
        self._ghost.table_arguments["port_of_queue"] = (0,)

    def report(self, length: int) -> None:
        """A report of its queue, whose number the program knows for the port's."""
        self._ghost.apply(SimpleNamespace(qlength=length, qid=0, pipe_id=0))

    @property
    def backlog_bytes(self) -> int:
        return self._pass(0, 0).left

    def _pass(self, now_ns: int, wire_bytes: int) -> SimpleNamespace:
        passage, words = SimpleNamespace(), SimpleNamespace()
        is_request = wire_bytes == 0
        self.control.apply(0, is_request, wire_bytes, None, self.limit_bytes, words, passage)
        return passage
