"""A queue that stands long enough for the limit's decisions to be predicted to the byte.

The *queue* build stands a queue on a slow link, the *virtual queue* build lowers the drain rate
to one byte a second. Bytes may still leave at any moment, so a decision is judged only when the
snapshots around it show the same departed bytes; otherwise the same question is asked again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import NamedTuple, Self

from absptf.capabilities import RECEIVER, SENDER, SLOW
from absptf.frames import MAX_BYTES
from absptf.mailbox_packets import Snapshot
from absptf.switch_test import SwitchTest

ATTEMPTS = 50
ONE_BYTE_PER_SECOND = 1  # 1.05 s, to be exact


class Decision(NamedTuple):
    """One frame at the limit, between two snapshots with the same departed bytes."""

    size: int
    before: Snapshot  # the limit is in force
    after: Snapshot  # the frame is counted

    @property
    def admitted(self) -> bool:
        change = (self.after.admitted_bytes - self.before.admitted_bytes) % 2**64
        return change == self.size

    @property
    def dropped(self) -> bool:
        change = (self.after.dropped_bytes - self.before.dropped_bytes) % 2**64
        return change == self.size

    @property
    def marked(self) -> bool:
        change = (self.after.marked_bytes - self.before.marked_bytes) % 2**64
        return change == self.size


class StandingQueue:
    """Use it with `with`; on the way out the queue is emptied and its frames are received."""

    def __init__(self, test: SwitchTest, least_bytes: int = 2 * MAX_BYTES) -> None:
        self.port = SLOW if test.has_real_queue else RECEIVER
        self._test = test
        self._least_bytes = least_bytes
        self._sent = 0
        self.received: list[bytes] = []  # on the way out
        if test.has_real_queue and not test.capabilities.slow_links:
            test.skipTest(f"{test.capabilities.target} offers no slow link here")

    def __enter__(self) -> Self:
        self.stand()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.release()
        else:  # the test has failed; let it not spoil the next one
            with contextlib.suppress(Exception):
                self.release()

    def stand(self) -> None:
        """Slows the port down and fills its queue."""
        self._start = self._exchange()
        if not self._test.has_real_queue:
            self._test.switch.exchange(self.port, drain_rate=ONE_BYTE_PER_SECOND)
        self.fill()

    def fill(self) -> Snapshot:
        """Brings the backlog to at least `least_bytes`; leaves the port without a limit."""
        snapshot = self._test.switch.exchange(self.port, queue_limit_bytes=0)
        while snapshot.backlog_bytes < self._least_bytes:
            snapshot = self.send(MAX_BYTES)
        return snapshot

    def top_up(self) -> Snapshot:
        """As it stands, filled anew where it has drained."""
        seen = self._exchange()
        return self.fill() if seen.backlog_bytes < self._least_bytes else seen

    def send(self, size: int) -> Snapshot:
        """Sends a frame and waits for the snapshot that counts it."""
        self._sent += 1
        return self.send_frame(self._test.frame(size, self.port, number=self._sent))

    def send_frame(self, frame: bytes) -> Snapshot:
        """The same of this frame, which goes to the port."""
        counted = self._exchange().offered_bytes + len(frame)
        self._test.send(SENDER, frame)
        return self._test.wait_until_offered(self.port, counted)

    def offer(self, size: int, above_backlog: int) -> Decision:
        """Offers a frame under a limit of the backlog plus `above_backlog` bytes."""
        self._sent += 1
        frame = self._test.frame(size, self.port, number=self._sent)
        return self.offer_frame(frame, lambda backlog: backlog + above_backlog)

    def offer_frame(self, frame: bytes, limit: Callable[[int], int]) -> Decision:
        """Offers this frame, which goes to the port, under a limit that the backlog decides."""
        for _ in range(ATTEMPTS):
            seen = self.top_up()
            before = self._test.switch.exchange(
                self.port, queue_limit_bytes=limit(seen.backlog_bytes)
            )
            if before.departed_bytes == seen.departed_bytes:
                after = self.send_frame(frame)
                if after.departed_bytes == before.departed_bytes:
                    return Decision(len(frame), before, after)
        raise AssertionError(f"port {self.port} never stood still around a frame")

    def release(self) -> None:
        """Empties the queue: all that was admitted, and nothing else, leaves the port."""
        if not self._test.has_real_queue:
            self._test.switch.exchange(self.port, drain_rate=0)
        end = self._test.wait_for(self.port, lambda s: s.backlog_bytes == 0)
        admitted = (end.admitted_bytes - self._start.admitted_bytes) % 2**64
        received = 0
        while received < admitted:
            self.received.append(self._test.receive(self.port))
            received += len(self.received[-1])
        self._test.assertEqual(received, admitted)

    def _exchange(self) -> Snapshot:
        return self._test.switch.exchange(self.port)
