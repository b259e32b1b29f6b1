"""How programs that are made adaptive forward: what tests send to a port, and what leaves it."""

from __future__ import annotations

from finsy import P4TableEntry
from p4abs_demonstration.targets.routes import Host, entries
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether

from absptf.capabilities import PORTS
from absptf.frames import ROUTER, ipv4, mac, station


class Routed:
    """By a router of IPv4: behind each port is a prefix of its own."""

    def __init__(self, tables: set[str]) -> None:
        self._tables = tables

    def entries(self) -> list[P4TableEntry]:
        """Those by which all of the tests' ports are reached, in the order of insertion."""
        hosts = [Host(mac(station(port)), port, f"10.0.{port}.0/24") for port in PORTS]
        return entries(self._tables, hosts)

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
