"""The base of tests of the Tofinos' virtual queue: each packet brings its time, in nanoseconds.

Beside the queue of RECEIVER stands an exact one that admits the same frames. Its backlog is a whole
number of eighths of a byte, of which a link of R Gbit/s drains R per nanosecond.
"""

from __future__ import annotations

import time

from p4abs.p4_constants import MAILBOX_START_BACKLOG_WINDOW, MAILBOX_WRITE_QUEUE_LIMIT

from absptf.capabilities import RECEIVER, SENDER
from absptf.frames import MAX_BYTES, ipv6, station
from absptf.mailbox_packets import Request, Snapshot
from absptf.switch_test import DEADLINE_S, SwitchTest
from absptf.tofino_mailbox import stamped

STAMP_NS = 2**48
RATES_GBPS = (1, 9, 10, 24, 25, 40, 49, 50, 98, 100, 200, 400)
OVERHEAD_BYTES = 24  # of a frame on the wire: FCS, preamble and gap
MIN_PACKET_BYTES = 62 + OVERHEAD_BYTES  # Ethernet, IPv6 and UDP headers
MAX_PACKET_BYTES = MAX_BYTES + OVERHEAD_BYTES


class TofinoTest(SwitchTest):
    """Time goes where the test says: `self.now_ns`."""

    now_ns = 0

    def setUp(self) -> None:
        super().setUp()
        if not self.capabilities.stamped:
            self.skipTest(f"{self.capabilities.target}: time goes by itself there")

    def start_queue(self, rate_gbps: int, now_ns: int, limit_bytes: int = 0) -> None:
        """A fresh program, an empty queue."""
        self.push_pipeline()
        self.add_stations()
        self.switch.insert("drain_rate", {"port": RECEIVER}, f"gbps_{rate_gbps}", {})
        self.rate_gbps = rate_gbps
        self.now_ns = self._drained_ns = now_ns
        self._exact_eighths = 0
        self.last = self.ask(limit_bytes=limit_bytes)

    def ask(self, limit_bytes: int | None = None, start_window: bool = False) -> Snapshot:
        """A mailbox request."""
        operation = MAILBOX_START_BACKLOG_WINDOW if start_window else 0
        if limit_bytes is not None:
            operation |= MAILBOX_WRITE_QUEUE_LIMIT
        stamp_ns = self.now_ns % STAMP_NS
        payload = stamped(stamp_ns)
        self.switch.request(Request(RECEIVER, operation, limit_bytes or 0), payload=payload)
        self.last = self.switch.reply(payload)
        self.assertEqual(self.last.timestamp_us, stamp_ns // 1000)
        return self.last

    def offer(self, size: int) -> bool:
        """A frame that takes so many bytes of the wire; whether it was admitted, then it has left.
        `last` is the queue behind it."""
        before = self.last
        frame = ipv6(
            size - OVERHEAD_BYTES,
            "2001:db8::2",
            ethernet_destination=station(RECEIVER),
            ethernet_source=self.now_ns % STAMP_NS,
        )
        self.send(SENDER, frame)
        end = time.monotonic() + DEADLINE_S
        while self.ask().offered_bytes == before.offered_bytes:
            self.assertLess(time.monotonic(), end, "the frame does not arrive")
        admitted_bytes = self.last.admitted_bytes - before.admitted_bytes
        dropped_bytes = self.last.dropped_bytes - before.dropped_bytes
        self.assertIn((admitted_bytes, dropped_bytes), ((size, 0), (0, size)))
        if admitted_bytes:
            self.expect(RECEIVER, frame)
        self._exact_eighths = self._exact_now() + 8 * admitted_bytes
        self._drained_ns = self.now_ns
        return admitted_bytes > 0

    def error_bytes(self) -> float:
        """How much the backlog that the program told last is beyond the exact one."""
        return self.last.backlog_bytes - self._exact_now() / 8

    def _exact_now(self) -> int:
        elapsed_ns = self.now_ns - self._drained_ns
        return max(0, self._exact_eighths - elapsed_ns * self.rate_gbps)
