"""RegisterEntry: served in full, or answered UNIMPLEMENTED - never something in between."""

from __future__ import annotations

import grpc
from p4abs_switch.client import RpcError

from absptf.capabilities import RECEIVER, SENDER
from absptf.switch_test import SwitchTest

FRAME_BYTES = 777
LIMIT_BYTES = 123_456
REGISTERS = (
    "admitted_bytes",
    "dropped_bytes",
    "departed_bytes",
    "queue_limit_bytes",
    "drain_rate",
    "unsaturated_bytes",
    "least_backlog_bytes",
    "greatest_backlog_bytes",
    "marked_bytes",
    "active_flow_us",
    "long_flow_us",
    "untracked_bytes",
    "timed_bytes",
    "timed_byte_us",
    "ecn_marking",
)


class RegisterTest(SwitchTest):
    """Some traffic, so that every register has something to show."""

    def setUp(self) -> None:
        super().setUp()
        for port, limit in ((RECEIVER, LIMIT_BYTES), (SENDER, 1)):
            frame = self.frame(FRAME_BYTES, port)
            self.switch.exchange(port, queue_limit_bytes=limit, drain_rate=LIMIT_BYTES)
            self.send(SENDER, frame)
            self.wait_until_offered(port, FRAME_BYTES)
            self.receive(port)

    def served(self) -> bool:
        """Whether there is more to check; where registers are not served, that is checked here."""
        if not self.capabilities.serves_registers:
            self.expect_refusal(grpc.StatusCode.UNIMPLEMENTED)
        return self.capabilities.serves_registers

    def expect_refusal(self, code: grpc.StatusCode) -> None:
        with self.assertRaises(RpcError) as refused:
            self.access()
        self.assertEqual(refused.exception.code, code)

    def access(self) -> dict[int, int]:
        """One RegisterEntry read or write; index to value."""
        raise NotImplementedError


class OneIndexIsRead(RegisterTest):
    def access(self) -> dict[int, int]:
        return self.switch.read_register("admitted_bytes", RECEIVER)

    def runTest(self) -> None:
        if not self.served():
            return
        self.assertEqual(self.access(), {RECEIVER: FRAME_BYTES})
        self.switch.write_register("dropped_bytes", SENDER, FRAME_BYTES)
        for port in (SENDER, RECEIVER):
            # Until then a virtual queue's departures may go on between the two readings.
            snapshot = self.wait_for(port, lambda s: s.departed_bytes == s.admitted_bytes)
            for register in filter(self.switch.has_register, REGISTERS):
                with self.subTest(register=register, port=port):
                    value = self.switch.read_register(register, port)
                    self.assertEqual(value, {port: getattr(snapshot, register)})


class WholeRegisterIsRead(RegisterTest):
    def access(self) -> dict[int, int]:
        return self.switch.read_register("queue_limit_bytes")

    def runTest(self) -> None:
        if not self.served():
            return
        queues = range(self.switch.register_size("queue_limit_bytes"))
        limits = dict.fromkeys(queues, 0) | {RECEIVER: LIMIT_BYTES, SENDER: 1}
        self.assertEqual(self.access(), limits)


class WriteIsSeenByTheDataPlane(RegisterTest):
    limit = 2**64 - 12_345

    def access(self) -> dict[int, int]:
        self.switch.write_register("queue_limit_bytes", SENDER, self.limit)
        return {SENDER: self.limit}

    def runTest(self) -> None:
        if not self.served():
            return
        self.access()
        self.assertEqual(self.switch.exchange(SENDER).queue_limit_bytes, self.limit)
        frame = self.frame(FRAME_BYTES, SENDER, number=1)
        self.send(SENDER, frame)
        self.expect_forwarded(SENDER, frame)
        self.assertEqual(self.switch.exchange(RECEIVER).queue_limit_bytes, LIMIT_BYTES)


class IndexBeyondTheRegisterIsRefused(RegisterTest):
    def access(self) -> dict[int, int]:
        size = self.switch.register_size("admitted_bytes")
        return self.switch.read_register("admitted_bytes", size)

    def runTest(self) -> None:
        if not self.served():
            return
        self.expect_refusal(grpc.StatusCode.OUT_OF_RANGE)
