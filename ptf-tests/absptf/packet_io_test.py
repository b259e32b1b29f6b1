"""The base of tests of packet-in and packet-out beside the mailbox, and of copies of packets."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

from finsy import (
    Action,
    Match,
    P4CloneSessionEntry,
    P4MeterConfig,
    P4MeterEntry,
    P4MulticastGroupEntry,
    P4TableEntry,
)
from finsy.proto import p4r
from p4abs.p4_constants import COPY_SESSION

from absptf.capabilities import TOFINO
from absptf.frames import MIN_BYTES
from absptf.routing_test import RoutingTest
from absptf.switch_test import DEADLINE_S
from absptf.tofino_test import OVERHEAD_BYTES

ARP = 0x0806
LLDP = 0x88CC
IPV4 = 0x0800
NOWHERE = 511
BROADCAST = 0xFFFF_FFFF_FFFF


class PacketIn(NamedTuple):
    """What a controller gets."""

    ingress_port: int
    target_egress_port: int
    reason: int
    frame: bytes


class PacketIoTest(RoutingTest):
    """Entries of traps, groups and clone sessions, and what comes to the controller."""

    def trap(
        self, action: str, match: Mapping[str, object], packet_class: int = 0, priority: int = 1
    ) -> None:
        """An entry of the trap table; each match is of all bits unless it has a mask."""
        self.switch.change(
            P4TableEntry(
                "trap",
                match=Match(match),
                action=Action(action, packet_in_class=packet_class),
                priority=priority,
            )
        )

    def allow(self, packet_class: int, packets_per_s: int, burst: int) -> None:
        """How many packets of the class a controller gets."""
        config = P4MeterConfig(cir=packets_per_s, cburst=burst, pir=packets_per_s, pburst=burst)
        entry = P4MeterEntry("packet_in_meter", index=packet_class, config=config)
        self.switch.change(entry, p4r.Update.MODIFY)

    def copy_to(self, port: int) -> None:
        """Where copies for the controller go."""
        self._until_the_end(P4CloneSessionEntry(COPY_SESSION, replicas=[port]))

    def replicate(self, station: int, *ports: int) -> None:
        """Frames for this station go to all of the ports."""
        self._until_the_end(P4MulticastGroupEntry(1, replicas=ports))
        match, action = Match({"dst_mac": station}), Action("replicate", multicast_group_id=1)
        self.switch.change(P4TableEntry("ethernet_multicast", match=match, action=action))

    def packet_in(self) -> PacketIn:
        """The next one."""
        fields, frame = self.switch.packet_in()
        return PacketIn(**fields, frame=frame)

    def send_out(self, port: int, frame: bytes, submit_to_ingress: int = 0) -> None:
        """As the controller."""
        packet = self.switch.mailbox.frame_out(port, frame, submit_to_ingress)
        self.switch.send_packet_out(packet)

    def counted_bytes(self, frame: bytes) -> int:
        """What a frame without an IP header counts for: a Tofino knows no length of it."""
        is_tofino = self.capabilities.build == TOFINO
        return MIN_BYTES + OVERHEAD_BYTES if is_tofino else len(frame)

    def bypassing(self, port: int) -> tuple[int, int]:
        """Packets and bytes that have left the port without passing its limit."""
        return self.switch.counter("bypassing_packets", port)

    def wait_for_count(self, counter: str, index: int, packets: int, most_fewer: int = 0) -> None:
        """Until the counter has so many packets, or not many fewer."""
        wanted = range(packets - most_fewer, packets + 1)
        end = time.monotonic() + DEADLINE_S
        while (seen := self.switch.counter(counter, index)[0]) not in wanted:
            if time.monotonic() > end:
                self.fail(f"{counter}[{index}] is {seen}, not {packets}, after {DEADLINE_S} s")

    def _until_the_end(self, entity: P4CloneSessionEntry | P4MulticastGroupEntry) -> None:
        """Of the test: on BMv2 it would outlive the program."""
        self.switch.change(entity)
        self.addCleanup(self.switch.change, entity, p4r.Update.DELETE)
