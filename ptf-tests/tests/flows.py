"""How many flows send to a port, and how long their round trips are, by the switch's own clock."""

from __future__ import annotations

from absptf.capabilities import RECEIVER, SENDER
from absptf.frames import ROUTER, ethernet, ipv4, ipv6, station, tagged, tcp
from absptf.mailbox_packets import Snapshot
from absptf.switch_test import SwitchTest

FRAME_BYTES = 200
TICK_US = 1 << 8
LONG_US = 2048 * TICK_US
ROUND_TRIP_US = 50_000
MEASURED_US = LONG_US + 300_000
VLAN = (0x8100, 5)
SHORTEST_IPV4_BYTES = 34
HOSTS = f"10.0.{RECEIVER}"  # whose packets leave by RECEIVER
REGISTERS = ("active_flow_us", "long_flow_us", "untracked_bytes", "timed_bytes", "timed_byte_us")


class FlowsTest(SwitchTest):
    """Flows that send for a while, as often as the tester can."""

    frames: tuple[bytes, ...]
    routed: tuple[bytes, ...] = ()  # where a program of others routes

    def setUp(self) -> None:
        super().setUp()
        if self.plane is not None:
            self.frames = self.routed

    def send_all(self) -> tuple[Snapshot, Snapshot]:
        """A packet of each flow, between two snapshots."""
        before = self.switch.exchange(RECEIVER)
        for frame in self.frames:
            self.send(SENDER, frame)
            self.expect_forwarded(RECEIVER, frame)
        return before, self.switch.exchange(RECEIVER)

    def expect_flows(self, count: int) -> None:
        """Their time lies within what the snapshots leave open, to a tick at both ends."""
        before, begun = self.send_all()
        ending, ended = self.send_all()
        while ending.timestamp_us < begun.timestamp_us + MEASURED_US:
            ending, ended = self.send_all()
        active_us = ended.active_flow_us - before.active_flow_us
        long_us = ended.long_flow_us - before.long_flow_us
        self.assertGreaterEqual(
            active_us, count * (ending.timestamp_us - begun.timestamp_us - TICK_US)
        )
        self.assertLessEqual(
            active_us, count * (ended.timestamp_us - before.timestamp_us + TICK_US)
        )
        self.assertGreater(long_us, 0)
        self.assertLessEqual(long_us, active_us - count * LONG_US)
        self.assertEqual(ended.untracked_bytes, before.untracked_bytes)


class FlowsAddTheirTime(FlowsTest):
    frames = (
        ipv4(FRAME_BYTES, "10.0.0.1", ethernet_destination=station(RECEIVER)),
        ipv4(FRAME_BYTES, "10.0.0.2", ethernet_destination=station(RECEIVER)),
        ipv6(FRAME_BYTES, "2001:db8::2", ethernet_destination=station(RECEIVER)),
        tagged(ipv6(FRAME_BYTES, "2001:db8::3", ethernet_destination=station(RECEIVER)), VLAN),
    )
    routed = (
        ipv4(FRAME_BYTES, f"{HOSTS}.1"),
        ipv4(FRAME_BYTES, f"{HOSTS}.2"),
        tcp(FRAME_BYTES, f"{HOSTS}.2", "A"),
        tcp(FRAME_BYTES, f"{HOSTS}.2", "A", ports=(1001, 2000)),
    )

    def runTest(self) -> None:
        self.expect_flows(len(self.frames))


class PacketsWithOneHashAreOneFlow(FlowsTest):
    """They differ in what no hash has."""

    frames = tuple(
        ipv4(FRAME_BYTES, "10.0.0.1", ethernet_destination=station(RECEIVER), id=number, ttl=number)
        for number in range(9, 12)
    )
    routed = tuple(
        ipv4(FRAME_BYTES, f"{HOSTS}.3", id=number, ttl=number) for number in range(9, 12)
    )

    def runTest(self) -> None:
        self.expect_flows(1)


class WhatIsNoIpIsNoFlow(FlowsTest):
    frames = (ethernet(FRAME_BYTES, station(RECEIVER)),)

    def runTest(self) -> None:
        before, after = self.send_all()
        before, after = self.send_all()
        self.assertEqual(after.active_flow_us, before.active_flow_us)


class PacketThatEndsBeforeItsPortsIsForwarded(FlowsTest):
    frames = (
        ipv4(FRAME_BYTES, "10.0.0.3", ethernet_destination=station(RECEIVER))[:SHORTEST_IPV4_BYTES],
    )

    def runTest(self) -> None:
        before, after = self.send_all()
        self.assertEqual(after.admitted_bytes - before.admitted_bytes, SHORTEST_IPV4_BYTES)


class RoundTripsTest(SwitchTest):
    """A connection whose first packets the tester sends, its peer's part waited for."""

    def send_segment(self, host: int, flags: str) -> tuple[Snapshot, Snapshot]:
        """Between two snapshots."""
        before = self.switch.exchange(RECEIVER)
        mac = station(RECEIVER) if self.plane is None else ROUTER
        frame = tcp(FRAME_BYTES, f"{HOSTS}.{host}", flags, ethernet_destination=mac)
        self.send(SENDER, frame)
        self.expect_forwarded(RECEIVER, frame)
        return before, self.switch.exchange(RECEIVER)

    def wait_past(self, timestamp_us: int) -> None:
        """By the data plane's clock."""
        self.wait_for(RECEIVER, lambda snapshot: snapshot.timestamp_us > timestamp_us)

    def expect_round_trip(self, host: int, first: str) -> None:
        """Of a connection whose first packet has these flags."""
        begun, sent = self.send_segment(host, first)
        self.wait_past(sent.timestamp_us + ROUND_TRIP_US)
        before, after = self.send_segment(host, "A")
        self.assertEqual(after.timed_bytes - begun.timed_bytes, FRAME_BYTES)
        round_trip_us = (after.timed_byte_us - begun.timed_byte_us) / FRAME_BYTES
        self.assertGreater(round_trip_us, before.timestamp_us - sent.timestamp_us - TICK_US)
        self.assertLess(round_trip_us, after.timestamp_us - begun.timestamp_us + TICK_US)


class RoundTripLastsFromTheFirstPacketToTheNext(RoundTripsTest):
    def runTest(self) -> None:
        for host, first in enumerate(("S", "SA"), 1):
            with self.subTest(first=first):
                self.expect_round_trip(host, first)


class FlowWhoseBeginningWasNotSeenHasNoRoundTrip(RoundTripsTest):
    def runTest(self) -> None:
        begun, sent = self.send_segment(3, "A")
        self.wait_past(sent.timestamp_us + TICK_US)
        _, after = self.send_segment(3, "A")
        self.assertGreater(after.active_flow_us, begun.active_flow_us)
        self.assertEqual(after.timed_bytes, begun.timed_bytes)


class RegistersTellOfFlowsWhatTheMailboxTells(RoundTripsTest):
    """Of a flow that has lasted for long, and whose round trip is known."""

    def runTest(self) -> None:
        self.expect_round_trip(4, "S")
        _, told = self.send_segment(4, "A")
        while not told.long_flow_us:
            _, told = self.send_segment(4, "A")
        self.assertGreater(told.active_flow_us, told.long_flow_us)
        self.assertGreater(told.timed_bytes, FRAME_BYTES)
        self.assertEqual(told.untracked_bytes, 0)
        if not self.capabilities.serves_registers:
            return
        for register in REGISTERS:
            with self.subTest(register=register):
                value = self.switch.read_register(register, RECEIVER)
                self.assertEqual(value, {RECEIVER: getattr(told, register)})
