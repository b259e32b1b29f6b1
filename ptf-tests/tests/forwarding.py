"""Where packets go and how they look there."""

from __future__ import annotations

from typing import Any

from scapy.layers.inet import IPOption_Router_Alert

from absptf.capabilities import PORTS, RECEIVER, SENDER
from absptf.frames import ROUTER, ethernet, ipv4, ipv6, station, tagged, vlan
from absptf.routing_test import IPV4_ROUTE, NEXT_HOP, RoutingTest, ipv4_key
from absptf.switch_test import BATCH_FRAMES, SwitchTest

VLAN, SERVICE = 0x8100, 0x88A8  # TPIDs


class KnownStationGetsTheFrameUnchanged(SwitchTest):
    """Whatever the frame carries, on every port."""

    def runTest(self) -> None:
        for port in PORTS:
            to = station(port)
            for frame in (
                ethernet(60, to),
                ethernet(60, to, ether_type=0x0806),
                ethernet(300, to, ether_type=46),  # IEEE 802.3: a length, not a type
                ipv4(100, "10.0.0.1", ethernet_destination=to),
                ipv4(100, "10.0.0.1", ethernet_destination=to, ttl=1),
                ipv6(100, "2001:db8::2", ethernet_destination=to, hlim=1),
            ):
                with self.subTest(port=port, frame=frame.hex()):
                    self.send(SENDER, frame)
                    self.expect(port, frame)


class VlanTagIsKept(SwitchTest):
    """The kernel takes tags off received frames; the target has to put them back."""

    def runTest(self) -> None:
        for tag in (0x0001, 0x0FFE, 0x6005, 0x2000):  # the last: priority only, VLAN 0
            for size in (64, 1000, 1514):
                with self.subTest(tag=tag, size=size):
                    frame = vlan(size, station(RECEIVER), tag)
                    self.send(SENDER, frame)
                    self.expect(RECEIVER, frame)


class NestedTagsAreKept(SwitchTest):
    """Two are parsed; what is nested deeper is payload."""

    def runTest(self) -> None:
        for depth in range(1, 11):
            tags = [(SERVICE, 0x0007), *[(VLAN, 0x6000 + n) for n in range(depth - 1)]]
            for frame in (
                ethernet(100, station(RECEIVER)),
                ipv4(100, "10.0.0.1", ethernet_destination=station(RECEIVER)),
                ipv6(100, "2001:db8::2", ethernet_destination=station(RECEIVER)),
            ):
                with self.subTest(depth=depth):
                    self.send(SENDER, tagged(frame, *tags))
                    self.expect(RECEIVER, tagged(frame, *tags))


class TaggedPacketIsNotRouted(RoutingTest):
    """Its tag names a network that the routes know nothing of."""

    def runTest(self) -> None:
        self.route("0.0.0.0/0")
        self.route("::/0")
        for tags in ([(VLAN, 5)], [(VLAN, 0x2000)], [(SERVICE, 5), (VLAN, 6)], [(VLAN, 5)] * 10):
            self.expect_refused([
                tagged(ipv4(100, "10.0.0.1"), *tags),
                tagged(ipv6(100, "2001:db8::2"), *tags),
            ])  # fmt: skip


class FrameMayLeaveByThePortItCameFrom(SwitchTest):
    def runTest(self) -> None:
        frame = ethernet(200, station(SENDER))
        self.send(SENDER, frame)
        self.expect(SENDER, frame)


class OrderIsKept(SwitchTest):
    def runTest(self) -> None:
        frames = [ethernet(60 + 97 * n % 1400, station(RECEIVER), number=n) for n in range(500)]
        for first in range(0, len(frames), BATCH_FRAMES):
            batch = frames[first : first + BATCH_FRAMES]
            for frame in batch:
                self.send(SENDER, frame)
            for frame in batch:
                self.expect(RECEIVER, frame)


class LongestIpv4PrefixWins(RoutingTest):
    prefixes = ("0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "10.1.2.0/24", "10.1.2.3/32")
    destinations = ("192.0.2.9", "10.200.0.1", "10.1.200.1", "10.1.2.200", "10.1.2.3")

    def runTest(self) -> None:
        for hop, prefix in enumerate(self.prefixes, NEXT_HOP):
            self.route(prefix, hop)
        for hop, destination in enumerate(self.destinations, NEXT_HOP):
            self.expect_next_hop(ipv4(100, destination), hop)
        # Without the longest match, the next shorter one takes over.
        self.switch.delete(IPV4_ROUTE, ipv4_key(self.prefixes[3]))
        self.expect_next_hop(ipv4(100, self.destinations[3]), NEXT_HOP + 2)
        self.expect_next_hop(ipv4(100, self.destinations[4]), NEXT_HOP + 4)


class LongestIpv6PrefixWins(RoutingTest):
    prefixes = ("::/0", "2001:db8::/32", "2001:db8:1::/64", "2001:db8:1::7/128")
    destinations = ("2002::1", "2001:db8:ffff::1", "2001:db8:1::8", "2001:db8:1::7")

    def runTest(self) -> None:
        for hop, prefix in enumerate(self.prefixes, NEXT_HOP):
            self.route(prefix, hop)
        for hop, destination in enumerate(self.destinations, NEXT_HOP):
            self.expect_next_hop(ipv6(100, destination), hop)


class RoutedIpv4LosesOneHopAndItsChecksumIsRight(RoutingTest):
    def runTest(self) -> None:
        self.route("10.0.0.0/8")
        for time_to_live in range(2, 256):
            for tos, identification in ((0, 1), (0xFF, 0xFFFF)):
                fields: dict[str, Any] = {"tos": tos, "id": identification}
                sent = ipv4(90, "10.9.8.7", ttl=time_to_live, **fields)
                routed = ipv4(
                    90, "10.9.8.7", ttl=time_to_live - 1, **fields,
                    ethernet_destination=NEXT_HOP, ethernet_source=ROUTER,
                )  # fmt: skip
                self.send(SENDER, sent)
                self.expect(RECEIVER, routed)


class RoutedIpv6LosesOneHop(RoutingTest):
    def runTest(self) -> None:
        self.route("2001:db8::/32")
        for hop_limit in range(2, 256):
            self.send(SENDER, ipv6(90, "2001:db8::2", hlim=hop_limit))
            routed = ipv6(
                90, "2001:db8::2", hlim=hop_limit - 1,
                ethernet_destination=NEXT_HOP, ethernet_source=ROUTER,
            )  # fmt: skip
            self.expect(RECEIVER, routed)


class UnknownDestinationIsRefused(RoutingTest):
    def runTest(self) -> None:
        self.route("10.0.0.0/8")
        self.route("2001:db8::/32")
        self.expect_refused([
            ethernet(60, NEXT_HOP),
            ethernet(1514, 0xFFFF_FFFF_FFFF),
            ipv4(100, "11.0.0.1"),
            ipv6(100, "2001:db9::1"),
        ])  # fmt: skip


class LastHopIsRefused(RoutingTest):
    """Nothing is routed whose time to live would reach 0."""

    def runTest(self) -> None:
        self.route("0.0.0.0/0")
        self.route("::/0")
        self.expect_refused([
            ipv4(100, "10.0.0.1", ttl=1),
            ipv4(100, "10.0.0.1", ttl=0),
            ipv6(100, "2001:db8::2", hlim=1),
            ipv6(100, "2001:db8::2", hlim=0),
        ])  # fmt: skip


class Ipv4OptionsAreSwitchedButNotRouted(RoutingTest):
    """The program parses no options, so it could not renew such a header's checksum."""

    def runTest(self) -> None:
        self.route("0.0.0.0/0")
        self.expect_refused([ipv4(100, "10.0.0.1", options=IPOption_Router_Alert())])
        switched = ipv4(
            100, "10.0.0.1", ethernet_destination=station(RECEIVER),
            options=IPOption_Router_Alert(),
        )  # fmt: skip
        self.send(SENDER, switched)
        self.expect(RECEIVER, switched)
