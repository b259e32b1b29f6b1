"""Ethernet frames of exact sizes. All sizes are in bytes, without the FCS."""

from __future__ import annotations

import random
from typing import Any

from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

ETHERNET_BYTES = 14
MIN_BYTES = 60
MAX_BYTES = 1514
LOCAL_EXPERIMENTAL = 0x88B5  # IEEE 802, EtherType 1 for local experiments

TESTER = 0x0200_0000_00FE  # the source address of the tests' frames
ROUTER = 0x0200_0000_00AA  # the source address that routes write


def station(port: int) -> int:
    """The MAC address of the station behind a port."""
    return 0x0200_0000_0000 + port


def mac(address: int) -> str:
    """As scapy and Linux write it."""
    return address.to_bytes(6, "big").hex(":")


def ethernet(
    size: int, destination: int, *, ether_type: int = LOCAL_EXPERIMENTAL, number: int = 0
) -> bytes:
    """A frame whose payload is random and differs from number to number."""
    header = destination.to_bytes(6, "big") + TESTER.to_bytes(6, "big")
    payload = random.Random(number).randbytes(size - ETHERNET_BYTES)
    return header + ether_type.to_bytes(2, "big") + payload


def vlan(size: int, destination: int, tag: int) -> bytes:
    """A frame with an IEEE 802.1Q tag; the size includes it."""
    frame = ethernet(size - 4, destination)
    return frame[:12] + b"\x81\x00" + tag.to_bytes(2, "big") + frame[12:]


def tagged(frame: bytes, *tags: tuple[int, int]) -> bytes:
    """The frame with tags, each a TPID and what follows it, the outermost first; it grows."""
    inserted = b"".join(tpid.to_bytes(2) + tag.to_bytes(2) for tpid, tag in tags)
    return frame[:12] + inserted + frame[12:]


def ipv4(
    size: int,
    destination: str,
    *,
    ethernet_destination: int = ROUTER,
    ethernet_source: int = TESTER,
    source: str = "192.0.2.1",
    **fields: Any,
) -> bytes:
    """A UDP datagram over IPv4, its checksum right unless `chksum` is among the fields."""
    datagram = IP(src=source, dst=destination, **fields) / _udp(checksum=0)
    return _framed(size, ethernet_destination, ethernet_source, datagram)


def tcp(
    size: int,
    destination: str,
    flags: str,
    *,
    ethernet_destination: int = ROUTER,
    ports: tuple[int, int] = (1000, 2000),
) -> bytes:
    """A segment over IPv4 with flags as scapy writes them, such as "SA"."""
    sport, dport = ports
    segment = IP(src="192.0.2.1", dst=destination) / TCP(sport=sport, dport=dport, flags=flags)
    return _framed(size, ethernet_destination, TESTER, segment)


def ipv6(
    size: int,
    destination: str,
    *,
    ethernet_destination: int = ROUTER,
    ethernet_source: int = TESTER,
    source: str = "2001:db8::1",
    **fields: Any,
) -> bytes:
    """A UDP datagram over IPv6."""
    datagram = IPv6(src=source, dst=destination, **fields) / _udp(checksum=1)
    return _framed(size, ethernet_destination, ethernet_source, datagram)


def _udp(checksum: int) -> Any:
    return UDP(sport=1000, dport=2000, chksum=checksum)


def _framed(size: int, destination: int, source: int, datagram: Any) -> bytes:
    headers = Ether(dst=mac(destination), src=mac(source)) / datagram
    return bytes(headers / bytes(size - len(headers)))
