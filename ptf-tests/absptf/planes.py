"""How programs that are made adaptive forward: what tests send to a port, and what leaves it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from finsy import Action, Match, P4TableEntry
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether

from absptf.capabilities import MIDDLEBLOCK, PORTS
from absptf.frames import ROUTER, ipv4, mac, station


class Plane(ABC):
    """A router of IPv4: behind each port is a prefix of its own."""

    @abstractmethod
    def entries(self) -> Iterator[P4TableEntry]:
        """Those by which all of the tests' ports are reached, in the order of insertion."""

    def frame(self, size: int, port: int, number: int) -> bytes:
        """One of this size for the port, which differs from number to number."""
        return ipv4(size, f"10.0.{port}.1", id=number % 2**16)

    def forwarded(self, frame: bytes, port: int) -> bytes:
        """As it leaves by the port: to the next hop, one hop less."""
        packet = Ether(frame)
        packet.src, packet.dst = mac(ROUTER), mac(station(port))
        packet[IP].ttl -= 1
        del packet[IP].chksum
        return bytes(packet)


class CourseRouter(Plane):
    """p4src/examples and the exercise basic of p4lang/tutorials. A frame's source address becomes
    the one that it was sent to."""

    def entries(self) -> Iterator[P4TableEntry]:
        for port in PORTS:
            yield P4TableEntry(
                "ipv4_lpm",
                match=Match({"hdr.ipv4.dstAddr": f"10.0.{port}.0/24"}),
                action=Action("ipv4_forward", dstAddr=station(port), port=port),
            )


class Middleblock(Plane):
    """That of PINS: a route, a next hop, a router interface and a neighbor for each port."""

    def entries(self) -> Iterator[P4TableEntry]:
        yield P4TableEntry("l3_admit_table", action=Action("admit_to_l3"), priority=1)
        for port in PORTS:
            interface, neighbor = port, f"fe80::{port}"
            yield P4TableEntry(
                "router_interface_table",
                match=Match(router_interface_id=interface),
                action=Action("unicast_set_port_and_src_mac", port=port, src_mac=ROUTER),
            )
            yield P4TableEntry(
                "neighbor_table",
                match=Match(router_interface_id=interface, neighbor_id=neighbor),
                action=Action("set_dst_mac", dst_mac=station(port)),
            )
            yield P4TableEntry(
                "nexthop_table",
                match=Match(nexthop_id=port),
                action=Action(
                    "set_ip_nexthop", router_interface_id=interface, neighbor_id=neighbor
                ),
            )
            yield P4TableEntry(
                "ipv4_table",
                match=Match(vrf_id=0, ipv4_dst=f"10.0.{port}.0/24"),
                action=Action("set_nexthop_id", nexthop_id=port),
            )


def plane_of(build: str) -> Plane:
    """That of one of capabilities.ADAPTIVE."""
    return Middleblock() if build == MIDDLEBLOCK else CourseRouter()
