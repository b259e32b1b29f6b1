"""Registers are 64 bits wide, and differences survive the wrap at 2^64."""

from __future__ import annotations

import subprocess

from ptf.testutils import group

from absptf.capabilities import QUEUE, RECEIVER, SENDER
from absptf.frames import MAX_BYTES, MIN_BYTES, ethernet, station
from absptf.standing_queue import StandingQueue
from absptf.switch_test import SwitchTest


class PresetTest(SwitchTest):
    """Sets registers to values that traffic would take years to reach."""

    def preset(self, port: int, *, counted: int, dropped: int = 0) -> None:
        """An empty queue that has taken in `counted` bytes and turned away `dropped`."""
        self.write("admitted_bytes", port, counted)
        self.write("departed_bytes", port, counted)
        self.write("dropped_bytes", port, dropped)
        seen = self.switch.exchange(port)
        self.assertEqual(
            (seen.admitted_bytes, seen.departed_bytes, seen.dropped_bytes),
            (counted, counted, dropped),
        )

    def write(self, register: str, index: int, value: int) -> None:
        command_line = self.capabilities.simple_switch_cli
        if self.capabilities.serves_registers:
            self.switch.write_register(register, index, value)
        elif command_line is not None:
            signed = value - 2**64 if value >= 2**63 else value  # Thrift has no unsigned integers
            command = f"register_write {register} {index} {signed}\n"
            subprocess.run(
                [command_line], input=command, check=True, capture_output=True, text=True,
                timeout=20,
            )  # fmt: skip
        else:
            self.skipTest(f"{self.capabilities.target} offers no way to preset a register here")

    def expect_exact_counts(self, start: int) -> None:
        """Admits and drops across the given count."""
        queue = StandingQueue(self)
        self.preset(queue.port, counted=start, dropped=start)
        with queue:
            for size in (MIN_BYTES, 777, MAX_BYTES, 61, MAX_BYTES):
                self.assertTrue(queue.offer(size, above_backlog=size - 1).dropped)
                self.assertTrue(queue.offer(size, above_backlog=size).admitted)
            seen = self.switch.exchange(queue.port)
        for count in (seen.admitted_bytes, seen.dropped_bytes):
            self.assertIn((count - start) % 2**64, range(1000, 1_000_000))


class CountsGrowPast32Bits(PresetTest):
    def runTest(self) -> None:
        self.expect_exact_counts(2**32 - 1000)


class CountsGrowPast63Bits(PresetTest):
    """Where signed arithmetic would turn negative."""

    def runTest(self) -> None:
        self.expect_exact_counts(2**63 - 1000)


class CountsWrapAt64Bits(PresetTest):
    def runTest(self) -> None:
        self.expect_exact_counts(2**64 - 1000)


class UnsaturatedTimeWrapsAt64Bits(PresetTest):
    def runTest(self) -> None:
        start = self.switch.exchange(RECEIVER)
        counted_us = 2**64 - 1000
        self.write("unsaturated_us", RECEIVER, counted_us)
        self.write("unsaturated_bytes", RECEIVER, 2**64 - MIN_BYTES)
        frame = ethernet(MAX_BYTES, station(RECEIVER))
        self.send(SENDER, frame)
        self.expect(RECEIVER, frame)
        seen = self.wait_for(RECEIVER, lambda s: s.timestamp_us > start.timestamp_us + 2000)
        elapsed_us = seen.timestamp_us - start.timestamp_us
        self.assertEqual(seen.unsaturated_us, (counted_us + elapsed_us) % 2**64)
        self.assertEqual(seen.unsaturated_bytes, MAX_BYTES - MIN_BYTES)


class LimitHoldsAcrossTheWrap(PresetTest):
    """The backlog is the wrapped difference, while admitted has wrapped and departed has not."""

    def runTest(self) -> None:
        start = 2**64 - MAX_BYTES - 700
        queue = StandingQueue(self, least_bytes=3 * MAX_BYTES)
        self.preset(queue.port, counted=start)
        with queue:
            seen = self.switch.exchange(queue.port)
            self.assertLess(seen.admitted_bytes, start)
            # Whole frames have left the real queue; a few bytes at most the virtual one.
            self.assertLess((seen.departed_bytes - start) % 2**64 % MAX_BYTES, 10)
            for size in (MIN_BYTES, 1000, MAX_BYTES):
                self.assertTrue(queue.offer(size, above_backlog=size - 1).dropped)
                self.assertTrue(queue.offer(size, above_backlog=size).admitted)


@group(QUEUE)
class StallBeforeTheWrapIsForgottenAfterIt(PresetTest):
    """Bytes that never depart stand still at a large count; small counts follow."""

    def runTest(self) -> None:
        self.preset(RECEIVER, counted=2**64 - 100)
        self.write("departed_bytes", RECEIVER, 2**64 - 1100)
        standing = self.switch.exchange(RECEIVER, queue_limit_bytes=MAX_BYTES)
        self.assertEqual(standing.backlog_bytes, 1000)
        self.wait_for(RECEIVER, lambda s: s.unsaturated_us != standing.unsaturated_us)
        for number in range(5):
            frame = ethernet(MAX_BYTES, station(RECEIVER), number=number)
            self.send(SENDER, frame)
            self.expect(RECEIVER, frame)
            self.assertEqual(self.switch.exchange(RECEIVER).backlog_bytes, 0)
