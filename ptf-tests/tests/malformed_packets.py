"""Whatever arrives: refused, counted, and the switch goes on."""

from __future__ import annotations

import random

from absptf.capabilities import RECEIVER, SENDER
from absptf.frames import ETHERNET_BYTES, MAX_BYTES, ROUTER, ethernet, ipv4, ipv6, station
from absptf.routing_test import RoutingTest

SEED = 20261121
RANDOM_FRAMES = 2000
IPV4_HEADER_BYTES = 20
IPV6_HEADER_BYTES = 40


class MalformedTest(RoutingTest):
    """Every destination has a route, so only what is wrong with a frame can have it refused."""

    def setUp(self) -> None:
        super().setUp()
        self.route("0.0.0.0/0")
        self.route("::/0")


def destinations() -> tuple[int, int]:
    """A frame may be meant for the router, or for a station that is known."""
    return ROUTER, station(RECEIVER)


class TruncatedIpv4HeaderIsRefused(MalformedTest):
    def runTest(self) -> None:
        for to in destinations():
            whole = ipv4(100, "10.0.0.1", ethernet_destination=to)
            shorter = range(ETHERNET_BYTES + 1, ETHERNET_BYTES + IPV4_HEADER_BYTES)
            self.expect_refused([whole[:size] for size in shorter])


class TruncatedIpv6HeaderIsRefused(MalformedTest):
    def runTest(self) -> None:
        for to in destinations():
            whole = ipv6(100, "2001:db8::2", ethernet_destination=to)
            shorter = range(ETHERNET_BYTES + 1, ETHERNET_BYTES + IPV6_HEADER_BYTES)
            self.expect_refused([whole[:size] for size in shorter])


class WrongIpVersionIsRefused(MalformedTest):
    def runTest(self) -> None:
        for to in destinations():
            as_ipv4 = [
                ipv4(100, "10.0.0.1", ethernet_destination=to, version=version)
                for version in range(16)
                if version != 4
            ]
            as_ipv6 = [
                ipv6(100, "2001:db8::2", ethernet_destination=to, version=version)
                for version in range(16)
                if version != 6
            ]
            self.expect_refused(as_ipv4 + as_ipv6)


class Ipv4HeaderShorterThanItsMinimumIsRefused(MalformedTest):
    def runTest(self) -> None:
        for to in destinations():
            self.expect_refused([
                ipv4(100, "10.0.0.1", ethernet_destination=to, ihl=words) for words in range(5)
            ])  # fmt: skip


class AnyFlippedBitOfAnIpv4HeaderIsRefused(MalformedTest):
    """By its version, by its length, or by its checksum."""

    def runTest(self) -> None:
        whole = ipv4(100, "10.0.0.1")
        self.expect_refused([
            flipped(whole, ETHERNET_BYTES * 8 + bit) for bit in range(IPV4_HEADER_BYTES * 8)
        ])  # fmt: skip


class BadChecksumIsRefusedEvenForAKnownStation(MalformedTest):
    def runTest(self) -> None:
        whole = ipv4(100, "10.0.0.1", ethernet_destination=station(RECEIVER))
        checksum_bit = (ETHERNET_BYTES + 10) * 8
        self.expect_refused([flipped(whole, checksum_bit + bit) for bit in range(16)])


class RandomBytesAreRefused(MalformedTest):
    """No random frame finds a station, and no random IPv4 header has the right checksum."""

    def runTest(self) -> None:
        chance = random.Random(SEED)
        self.expect_refused([random_frame(chance) for _ in range(RANDOM_FRAMES)])


class RandomPayloadBehindAKnownStationPasses(MalformedTest):
    """Nothing beyond Ethernet matters to a frame that is not IP."""

    def runTest(self) -> None:
        chance = random.Random(SEED)
        for number in range(300):
            ether_type = chance.randrange(2**16)
            if ether_type in (0x0800, 0x86DD, 0x8100, 0x88A8):
                continue
            size = chance.randrange(ETHERNET_BYTES + 1, MAX_BYTES + 1)
            frame = ethernet(size, station(RECEIVER), ether_type=ether_type, number=number)
            self.send(SENDER, frame)
            self.expect(RECEIVER, frame)


def flipped(frame: bytes, bit: int) -> bytes:
    changed = bytearray(frame)
    changed[bit // 8] ^= 0x80 >> bit % 8
    return bytes(changed)


def random_frame(chance: random.Random) -> bytes:
    """Half of them claim to be IP, half of those with the right first byte."""
    size = chance.randrange(ETHERNET_BYTES + 1, MAX_BYTES + 1)
    frame = bytearray(chance.randbytes(size))
    match chance.randrange(8):
        case 0:
            frame[12:15] = b"\x08\x00\x45"
        case 1:
            frame[12:15] = b"\x86\xdd\x60"
            frame[21:22] = b"\x00"  # the hop limit; with another, the frame would be routed
        case 2:
            frame[12:14] = b"\x08\x00"
        case 3:
            frame[12:14] = b"\x86\xdd"
            frame[21:22] = b"\x00"
    return bytes(frame[:size])
