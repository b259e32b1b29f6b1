"""VLAN tags in the v1model programs: kept, looked beneath for marks, never routed."""

import pytest

from p4src.tests.v1model_queues import BUILDS, FORWARDING, SOURCE, Queues, frame

PORT = 2
VLAN, SERVICE = b"\x81\x00\x60\x05", b"\x88\xa8\x00\x07"
ROUTER = bytes([2, 0, 0, 0, 0, 0xAA])
ECT_0, CE = 2, 3
TAGS = {
    "untagged": b"",
    "802.1Q": VLAN,
    "a provider's": SERVICE,
    "QinQ": SERVICE + VLAN,
    "two of 802.1Q": VLAN + VLAN,
    "the wrong way round": VLAN + SERVICE,
}
DEEP = [VLAN * 3, (SERVICE + VLAN) * 5]


def ipv4(size: int, ecn: int, *, time_to_live: int = 64) -> bytes:
    """EtherType and datagram, with the right checksum."""
    header = bytearray(20)
    header[0:4] = bytes([0x45, ecn]) + size.to_bytes(2, "big")
    header[8:10] = bytes([time_to_live, 17])
    header[12:20] = bytes([192, 0, 2, 1, 10, 0, 0, 1])
    words = sum(int.from_bytes(header[at : at + 2], "big") for at in range(0, 20, 2))
    words = (words & 0xFFFF) + (words >> 16)
    header[10:12] = (~(words + (words >> 16)) & 0xFFFF).to_bytes(2, "big")
    return b"\x08\x00" + bytes(header).ljust(size, b"\x55")


def ipv6(size: int, ecn: int, *, time_to_live: int = 64) -> bytes:
    header = (0x6000_0000 | ecn << 20).to_bytes(4, "big") + (size - 40).to_bytes(2, "big")
    addresses = b"".join(bytes.fromhex("20010db8").ljust(16, host) for host in (b"\2", b"\1"))
    return b"\x86\xdd" + (header + bytes([17, time_to_live]) + addresses).ljust(size, b"\x55")


def standing(build: str) -> Queues:
    """A queue that marks what the program understands, and drops the rest."""
    queues = Queues(build)
    while queues.snapshot(PORT).backlog_bytes < 2_000:
        queues.offer(PORT, 1_000)
    queues.exchange(PORT, limit=2_000, marking=1)
    return queues


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("tags", TAGS)
@pytest.mark.parametrize("datagram", [ipv4, ipv6])
def test_marks_are_set_beneath_tags(build: str, tags: str, datagram) -> None:
    """And an IPv4 checksum is renewed."""
    queues = standing(build)
    sent, marked = (frame(PORT, 0, TAGS[tags] + datagram(500, ecn)) for ecn in (ECT_0, CE))
    assert queues.offer_frame(PORT, sent)
    queues.run(10_000)
    assert queues.sent[-1] == (PORT, marked)
    assert queues.snapshot(PORT).marked_bytes == len(sent)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("tags", DEEP)
def test_what_is_tagged_deeper_is_payload(build: str, tags: bytes) -> None:
    sent = frame(PORT, 0, tags + ipv4(500, ECT_0))
    queues = standing(build)
    assert not queues.offer_frame(PORT, sent)
    assert queues.snapshot(PORT).dropped_bytes == len(sent)
    queues.exchange(PORT, limit=0)
    assert queues.offer_frame(PORT, sent)
    queues.run(10_000)
    assert queues.sent[-1] == (PORT, sent)


@pytest.mark.parametrize("tags", [*TAGS.values(), *DEEP])
@pytest.mark.parametrize("protocol", ["ipv4", "ipv6"])
def test_only_untagged_packets_are_routed(tags: bytes, protocol: str) -> None:
    """A tag names a network that the routes know nothing of."""
    queues = Queues("queue")
    prefix = {"ipv4": bytes([10, 0, 0, 0]), "ipv6": bytes.fromhex("20010db8").ljust(16, b"\0")}
    queues.tables.add(
        f"{FORWARDING}.{protocol}_route",
        [(int.from_bytes(prefix[protocol], "big"), {"ipv4": 8, "ipv6": 32}[protocol])],
        f"{FORWARDING}.route_{protocol}",
        *(PORT, int.from_bytes(ROUTER, "big"), int.from_bytes(frame(PORT, 6)[:6], "big")),
    )
    datagram = {"ipv4": ipv4, "ipv6": ipv6}[protocol]
    sent = ROUTER + frame(PORT, 0, tags + datagram(500, 0))[6:]
    refused = queues.tables.counted(f"{FORWARDING}.refused_packets", SOURCE)
    assert queues.offer_frame(PORT, sent) == (not tags)
    queues.run(1_000)
    if tags:
        again = queues.tables.counted(f"{FORWARDING}.refused_packets", SOURCE)
        assert again == (refused[0] + 1, refused[1] + len(sent))
    else:
        routed = frame(PORT, 0, datagram(500, 0, time_to_live=63))
        assert queues.sent == [(PORT, routed[:6] + ROUTER + routed[12:])]


@pytest.mark.parametrize("cut", range(15, 40))
def test_a_frame_that_ends_within_its_tags_or_beneath_them_is_refused(cut: int) -> None:
    whole = frame(PORT, 0, SERVICE + VLAN + ipv4(46, 0))
    queues = Queues("queue")
    assert not queues.offer_frame(PORT, whole[:cut])
    assert queues.tables.counted(f"{FORWARDING}.refused_packets", SOURCE) == (1, cut)
    assert queues.offer_frame(PORT, whole)
