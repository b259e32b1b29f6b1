"""Datagrams of flows that are told apart, and when they are sent."""

from collections.abc import Iterable, Iterator, Mapping

SIZE = 100
TCP, UDP, ICMP = 6, 17, 1


def ipv4(
    flow: int, *, protocol: int = TCP, fragment: int = 0, options: bytes = b"", ports: bool = True
) -> bytes:
    """EtherType and a datagram between two hosts, of a flow that its source port names."""
    header = bytearray(20) + options
    header[0] = 0x40 | len(header) // 4
    header[2:4] = (SIZE - 14).to_bytes(2, "big")
    header[6:8] = fragment.to_bytes(2, "big")
    header[8:10] = bytes([64, protocol])
    header[12:20] = bytes([192, 0, 2, 1, 10, 0, 0, 1])
    words = sum(int.from_bytes(header[at : at + 2], "big") for at in range(0, len(header), 2))
    words = (words & 0xFFFF) + (words >> 16)
    header[10:12] = (~(words + (words >> 16)) & 0xFFFF).to_bytes(2, "big")
    return b"\x08\x00" + bytes(header) + (flow.to_bytes(2, "big") + b"\0\x50" if ports else b"")


def ipv6(flow: int, *, next_header: int = TCP, label: int = 0, source: bytes = b"\1") -> bytes:
    header = (0x6000_0000 | label).to_bytes(4, "big") + (SIZE - 54).to_bytes(2, "big")
    addresses = source.rjust(16, b"\0") + bytes.fromhex("20010db8").ljust(16, b"\1")
    ports = flow.to_bytes(2, "big") + b"\0\x50"
    return b"\x86\xdd" + header + bytes([next_header, 64]) + addresses + ports


def every(period_us: int, until_us: int, from_us: int = 0) -> Iterator[int]:
    return iter(range(from_us, until_us + 1, period_us))


def sent_by_turns(times: Mapping[int, Iterable[float]]) -> list[tuple[float, int]]:
    """Times and flows, in the order of time."""
    return sorted((at_us, flow) for flow, each in times.items() for at_us in each)


PAIRS = [
    (ipv4(1), ipv4(2), False),
    (ipv4(1), ipv4(1, protocol=UDP), False),
    (ipv4(1, protocol=UDP), ipv4(2, protocol=UDP), False),
    (ipv4(1, protocol=ICMP), ipv4(2, protocol=ICMP), True),
    (ipv4(1, fragment=0x2000), ipv4(2, fragment=0x2000), True),
    (ipv4(1, fragment=7), ipv4(2, fragment=7), True),
    (ipv4(1, options=bytes(4)), ipv4(2, options=bytes(4)), True),
    (ipv6(1), ipv6(2), False),
    (ipv6(1), ipv6(1, source=b"\2"), False),
    (ipv6(1), ipv6(1, source=bytes([1] + [0] * 11)), False),
    (ipv6(1, next_header=44, label=5), ipv6(2, next_header=44, label=6), False),
    (ipv6(1, next_header=44, label=5), ipv6(2, next_header=44, label=5), True),
    (ipv4(1), b"\x81\x00\x60\x05" + ipv4(1), True),
]
"""Two packets, and whether a program that measures flows takes them for one flow."""
