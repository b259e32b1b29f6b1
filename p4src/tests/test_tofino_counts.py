"""Counts, extremes and frame lengths of `tna/`, run as their P4 source stands there."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p4src.tests import p4_controls

TNA = Path(__file__).resolve().parents[1] / "tna"
CONTROLS = p4_controls.load(
    *(TNA / f"{name}.p4" for name in ("wraps", "backlog_extremes", "frame_bytes", "wire_bytes"))
)


def test_a_count_goes_on_beyond_32_bits() -> None:
    wraps = CONTROLS["Wraps"]()
    total = 0
    for added in (1500, 0xF0000000, 0xF0000000, 0, 0xFFFFFFF0, 9216):
        total += added
        low = total & 0xFFFFFFFF
        assert (wraps.apply(0, low) << 32) + low == total


def test_extremes_are_those_of_the_window_that_the_request_ends() -> None:
    extremes, window = CONTROLS["BacklogExtremes"](), CONTROLS["BacklogWindow"]()

    def passes(found: int, left: int, starts: bool, sequence: int) -> tuple[int, int, int]:
        return *extremes.apply(0, found, left, starts), window.apply(0, starts, sequence)

    passes(500, 500, True, 1)
    for found, left in ((500, 2000), (300, 1800), (0x10000000, 0), (900, 2400)):
        passes(found, left, False, 99)
    assert passes(700, 700, False, 2) == (300, 2400, 1)
    assert passes(700, 700, True, 3) == (300, 2400, 1)
    assert passes(800, 800, False, 4) == (700, 800, 3)


def headers(tags: int = 0, **of_packet: int) -> Any:
    def header(name: str, field: str) -> SimpleNamespace:
        return SimpleNamespace(isValid=lambda: name in of_packet, **{field: of_packet.get(name, 0)})

    def tag(number: int) -> SimpleNamespace:
        return SimpleNamespace(isValid=lambda: tags >= number)

    return SimpleNamespace(
        ipv4=header("ipv4", "total_len"),
        ipv6=header("ipv6", "payload_bytes"),
        outer_tag=tag(1),
        inner_tag=tag(2),
    )


def counted(packet: dict[str, int], mtu: int) -> int:
    """What a frame to a port counts for, less what it takes of the wire beside itself."""
    frame, wire = CONTROLS["FrameBytes"](), CONTROLS["WireBytes"]()
    overhead = int(CONTROLS["WIRE_OVERHEAD_BYTES"])
    frame.apply(headers(**packet), 0)
    wire.table_action["port_mtu"] = "at_most"
    wire.table_arguments["port_mtu"] = (mtu + overhead,)
    wire.apply(1, frame.bytes, 0)
    return int(wire.frame_bytes) - overhead


@pytest.mark.parametrize(
    ("packet", "frame_bytes"),
    [
        ({"ipv4": 1500}, 1514),
        ({"ipv4": 1500, "tags": 1}, 1518),
        ({"ipv4": 1500, "tags": 2}, 1522),
        ({"ipv4": 9202}, 9216),
        ({"ipv4": 28}, 60),
        ({"ipv4": 46}, 60),
        ({"ipv4": 47}, 61),
        ({"ipv4": 46, "tags": 2}, 68),
        ({"ipv6": 1460}, 1514),
        ({"ipv6": 1460, "tags": 2}, 1522),
        ({"ipv6": 0}, 60),
        ({"ipv6": 0, "tags": 1}, 60),
        ({}, 60),
        ({"tags": 2}, 60),
    ],
)
def test_a_frame_is_its_ip_packet_and_what_is_before_it_and_no_less_than_ethernets_least(
    packet: dict[str, int], frame_bytes: int
) -> None:
    assert counted(packet, mtu=9216) == frame_bytes


@pytest.mark.parametrize("mtu", [64, 1514, 1522, 9216])
@pytest.mark.parametrize("tags", [0, 1, 2])
@pytest.mark.parametrize("header", ["ipv4", "ipv6"])
def test_a_forged_length_counts_for_no_more_than_the_mtu_and_no_less_than_the_least_frame(
    header: str, tags: int, mtu: int
) -> None:
    for claimed in (0, 19, 60, 1513, 1514, 9217, 65_500, 65_513, 65_521, 65_535):
        assert 60 <= counted({header: claimed, "tags": tags}, mtu) <= mtu
