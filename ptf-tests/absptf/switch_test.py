"""The base of every test: a fresh pipeline, a known station behind every port, exact waiting."""

from __future__ import annotations

import json
import time
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ptf
import ptf.testutils

from absptf.capabilities import (
    ADAPTIVE,
    PORTS,
    QUEUE,
    RECEIVER,
    SENDER,
    SHARED_QUEUE,
    TOFINO,
    Capabilities,
)
from absptf.frames import ethernet, station
from absptf.mailbox_packets import MailboxPackets, Snapshot
from absptf.p4runtime_client import P4RuntimeClient
from absptf.planes import Routed
from absptf.tofino_mailbox import StampedMailboxPackets, TofinoMailboxPackets

DEADLINE_S = 30.0
BATCH_FRAMES = 50  # few enough for the socket buffers on the way

ETHERNET_FORWARD = "ethernet_forward"
FORWARD = "forward"
REFUSED_PACKETS = "refused_packets"


class SwitchTest(unittest.TestCase):
    """One property of the switch; a subclass states it in runTest."""

    capabilities: Capabilities
    switch: P4RuntimeClient

    def setUp(self) -> None:
        ptf.open_logfile(self.name)
        self.capabilities = _capabilities()
        self.switch = self.enterContext(
            P4RuntimeClient(
                self.capabilities.grpc_address,
                self.capabilities.device_id,
                Path(self.capabilities.p4info),
                self._mailbox(),
            )
        )
        self.push_pipeline()
        self.add_stations()
        ptf.dataplane_instance.flush()

    def _mailbox(self) -> type[MailboxPackets]:
        if self.capabilities.stamped:
            return StampedMailboxPackets
        return TofinoMailboxPackets if self.capabilities.build == TOFINO else MailboxPackets

    def run(self, result: Any = None) -> Any:
        """Runs the test and appends its outcome to the results."""
        kinds = ("failures", "errors", "skipped")
        before = [len(getattr(result, kind)) for kind in kinds]
        outcome = super().run(result)
        new = {
            kind: [text for _, text in getattr(result, kind)[count:]]
            for kind, count in zip(kinds, before, strict=True)
        }
        with Path(_capabilities().results).open("a") as results:
            results.write(json.dumps({"test": self.name, **new}) + "\n")
        return outcome

    @property
    def name(self) -> str:
        """As results and PTF's selections name it: module.Class."""
        return f"{type(self).__module__}.{type(self).__name__}"

    @property
    def has_real_queue(self) -> bool:
        """Whether frames wait in the target's queue, not in a count that drains with time."""
        return self.capabilities.build in (QUEUE, SHARED_QUEUE, *ADAPTIVE)

    @property
    def plane(self) -> Routed | None:
        """How a program of others forwards; None: by stations."""
        return Routed(self.switch.tables) if self.capabilities.build in ADAPTIVE else None

    def push_pipeline(self) -> None:
        """The program anew: no entries, no limits, all counts 0."""
        self.switch.push_pipeline(Path(self.capabilities.program))

    def add_stations(self) -> None:
        """What is sent to `frames.station(port)` leaves by that port, for every port."""
        if self.plane is not None:
            for entry in self.plane.entries():
                self.switch.change(entry)
            return
        for port in PORTS:
            key = {"dst_mac": station(port)}
            self.switch.insert(ETHERNET_FORWARD, key, FORWARD, {"port": port})

    # -- packets --

    def frame(self, size: int, port: int, number: int = 0) -> bytes:
        """One of this size that leaves by the port; it differs from number to number."""
        if self.plane is not None:
            return self.plane.frame(size, port, number)
        return ethernet(size, station(port), number=number)

    def send(self, port: int, frame: bytes) -> None:
        """Into the port, as a host behind it would."""
        sent = ptf.dataplane_instance.send(0, port, frame)
        self.assertEqual(sent, len(frame))

    def receive(self, port: int, deadline_s: float = DEADLINE_S) -> bytes:
        """The next frame that leaves the port."""
        polled = ptf.dataplane_instance.poll(0, port, deadline_s)
        if polled.packet is None:
            self.fail(f"nothing left port {port} within {deadline_s} s")
        return bytes(polled.packet)

    def expect(self, port: int, frame: bytes) -> None:
        """The next frame that leaves the port is this one, to the byte."""
        self.assertEqual(self.receive(port).hex(), frame.hex())

    def expect_forwarded(self, port: int, frame: bytes) -> None:
        """The next frame that leaves the port is this one, as the program forwards it."""
        self.expect(port, self.forwarded(frame, port))

    def forwarded(self, frame: bytes, port: int) -> bytes:
        """A frame as it leaves by the port."""
        return self.plane.forwarded(frame, port) if self.plane else frame

    def received_frames(self, port: int) -> int:
        """How many frames have left the port and are not yet received by the test."""
        return len(ptf.dataplane_instance.packet_queues[(0, port)])

    def expect_forwarding_works(self, ingress: int = SENDER) -> None:
        """A frame for a known station passes, and nothing else has left any port."""
        frame = self.frame(100, RECEIVER, number=-1)
        self.send(ingress, frame)
        self.expect_forwarded(RECEIVER, frame)
        for port in PORTS:
            self.assertEqual(self.received_frames(port), 0, f"stray frame at port {port}")

    # -- registers and counters --

    def snapshots(self) -> list[Snapshot]:
        """Of all ports, one exchange after the other."""
        return [self.switch.exchange(port) for port in PORTS]

    def wait_for(
        self, port: int, condition: Callable[[Snapshot], bool], deadline_s: float = DEADLINE_S
    ) -> Snapshot:
        """The first snapshot of the port that meets the condition."""
        end = time.monotonic() + deadline_s
        while not condition(snapshot := self.switch.exchange(port)):
            if time.monotonic() > end:
                self.fail(f"port {port} is still at {snapshot} after {deadline_s} s")
        return snapshot

    def wait_until_offered(self, port: int, offered_bytes: int) -> Snapshot:
        """Waits until the limit has decided on so many bytes since the pipeline was pushed."""
        return self.wait_for(port, lambda s: s.offered_bytes == offered_bytes % 2**64)

    def refused(self, ingress: int = SENDER) -> tuple[int, int]:
        """Packets and bytes."""
        return self.switch.counter(REFUSED_PACKETS, ingress)

    def expect_refused(self, frames: Sequence[bytes], ingress: int = SENDER) -> None:
        """Every frame is counted as refused, touches no queue and leaves by no port."""
        before = [s.state for s in self.snapshots()]
        packets, size = self.refused(ingress)
        for first in range(0, len(frames), BATCH_FRAMES):
            batch = frames[first : first + BATCH_FRAMES]
            for frame in batch:
                self.send(ingress, frame)
            packets += len(batch)
            size += sum(map(len, batch))
            self._wait_until_refused(ingress, packets)
            self.assertEqual(self.refused(ingress), (packets, size))
        self.assertEqual([s.state for s in self.snapshots()], before)
        self.expect_forwarding_works(ingress)

    def _wait_until_refused(self, ingress: int, packets: int) -> None:
        end = time.monotonic() + DEADLINE_S
        while (seen := self.refused(ingress)[0]) < packets:
            if time.monotonic() > end:
                self.fail(f"{seen} refused packets, not {packets}, after {DEADLINE_S} s")


def _capabilities() -> Capabilities:
    return Capabilities.read(Path(ptf.testutils.test_params_get()["capabilities"]))
