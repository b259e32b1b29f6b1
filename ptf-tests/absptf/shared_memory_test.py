"""The base of tests with memory that queues share: its tables, and frames that meet it."""

from __future__ import annotations

from typing import NamedTuple

from absptf.capabilities import RECEIVER, SENDER
from absptf.frames import ethernet, station
from absptf.standing_queue import ATTEMPTS, StandingQueue
from absptf.switch_test import SwitchTest

SIZE, SHARING, SCALE = "memory_size", "memory_sharing", "memory_class_scale"
ALPHA_1 = 1 << 10
SCALE_1 = 1 << 16


class Offer(NamedTuple):
    """What became of a frame that met the memory, while nothing left the standing queue."""

    admitted: bool
    dropped: bool
    marked: bool


class SharedMemoryTest(SwitchTest):
    """Queues share with alpha and class; a frame meets the memory, and a queue its threshold."""

    def set_memory(self, memory_bytes: int) -> None:
        """0: it is not shared."""
        self.switch.set_default(SIZE, "set_memory", {"memory_bytes": memory_bytes})

    def share(self, port: int, alpha_1024ths: int, memory_class: int = 0, queue: int = 0) -> None:
        """Gives the port's queue a threshold."""
        arguments = {"memory_class": memory_class, "alpha_1024ths": alpha_1024ths}
        self.switch.insert(SHARING, {"egress_port": port, "queue": queue}, "share", arguments)

    def offer(
        self,
        queue: StandingQueue,
        memory_above: int,
        size: int,
        port: int = RECEIVER,
        frame: bytes | None = None,
        times: int = 1,
        limit_above: int | None = None,
    ) -> Offer:
        """Offers a frame while memory is what the queue holds, some times, and some bytes above.

        `limit_above` is how much the port's limit is above what the queue holds; None: no limit.
        """
        sent = frame or ethernet(size, station(port))
        for _ in range(ATTEMPTS):
            held = queue.top_up()
            self.set_memory(times * held.backlog_bytes + memory_above)
            limit = None if limit_above is None else held.backlog_bytes + limit_above
            before = self.switch.exchange(port, queue_limit_bytes=limit)
            self.send(SENDER, sent)
            after = self.wait_until_offered(port, before.offered_bytes + size)
            self.set_memory(0)
            if after.admitted_bytes != before.admitted_bytes and port != queue.port:
                self.receive(port)
            if self.switch.exchange(queue.port).departed_bytes == held.departed_bytes:
                return Offer(
                    after.admitted_bytes - before.admitted_bytes == size,
                    after.dropped_bytes - before.dropped_bytes == size,
                    after.marked_bytes - before.marked_bytes == size,
                )
        raise AssertionError(f"port {queue.port} never stood still around a frame")

    def expect_occupied(self, occupied_bytes: int) -> None:
        """No byte more and none less is counted: as much memory admits a frame above it."""
        size = 100
        for memory, is_admitted in ((size - 1, False), (size, True)):
            before = self.switch.exchange(RECEIVER)
            self.set_memory(occupied_bytes + memory)
            self.send(SENDER, ethernet(size, station(RECEIVER)))
            after = self.wait_until_offered(RECEIVER, before.offered_bytes + size)
            self.assertEqual(after.admitted_bytes - before.admitted_bytes, size * is_admitted)
        self.receive(RECEIVER)
        self.set_memory(0)
