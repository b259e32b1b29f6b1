"""The base of tests that route: routes with a next hop each, and where a frame was sent on to."""

from __future__ import annotations

from absptf.capabilities import RECEIVER, SENDER
from absptf.frames import ROUTER, mac
from absptf.switch_test import SwitchTest

IPV4_ROUTE = "ipv4_route"
IPV6_ROUTE = "ipv6_route"
ROUTE_IPV4 = "route_ipv4"
ROUTE_IPV6 = "route_ipv6"
NEXT_HOP = 0x0200_0000_0100


def ipv4_key(prefix: str) -> dict[str, str]:
    """The match of a prefix such as 10.0.0.0/8."""
    return {"ipv4_dst": prefix}


def ipv6_key(prefix: str) -> dict[str, str]:
    """The match of a prefix such as 2001:db8::/32."""
    return {"ipv6_dst": prefix}


class RoutingTest(SwitchTest):
    """Adds routes; each has a next hop of its own, so that a frame tells which route it took."""

    def route(self, prefix: str, next_hop: int = NEXT_HOP, port: int = RECEIVER) -> None:
        """Adds one of either version; `next_hop` is the MAC address that it writes."""
        arguments = {"port": port, "src_mac": ROUTER, "dst_mac": next_hop}
        if ":" in prefix:
            self.switch.insert(IPV6_ROUTE, ipv6_key(prefix), ROUTE_IPV6, arguments)
        else:
            self.switch.insert(IPV4_ROUTE, ipv4_key(prefix), ROUTE_IPV4, arguments)

    def expect_next_hop(self, frame: bytes, next_hop: int) -> None:
        """The frame leaves by RECEIVER, to the MAC address of this next hop."""
        self.send(SENDER, frame)
        self.assertEqual(self.receive(RECEIVER)[:6].hex(":"), mac(next_hop))
