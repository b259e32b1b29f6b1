"""The kernel's counters are understood."""

import os
import socket
from dataclasses import replace
from typing import Any

import pytest
from p4abs_demonstration.dumbbell import Dumbbell, FarEnd
from p4abs_demonstration.links import Link, LinkGone, parse_links, read_counts

RECEIVED = ("bytes", "packets", "errs", "drop", "fifo", "frame", "compressed", "multicast")
SENT = ("bytes", "packets", "errs", "drop", "fifo", "colls", "carrier", "compressed")
HEADINGS = f"Inter-| Receive | Transmit\n face |{' '.join(RECEIVED)}|{' '.join(SENT)}\n"


def line(name: str, received: dict[str, int], sent: dict[str, int]) -> str:
    """As proc(5) describes it."""
    numbers = [received.get(of, 0) for of in RECEIVED] + [sent.get(of, 0) for of in SENT]
    return f"{name:>6}: {' '.join(f'{number:7}' for number in numbers)}\n"


def test_bytes_frames_and_drops_of_each_link_are_read() -> None:
    received = {"bytes": 476_916, "packets": 331, "drop": 3}
    sent = {"bytes": 16_596, "packets": 234, "drop": 2}
    text = HEADINGS + line("lo", {}, {}) + line("absd-sw1-eth1", received, sent)
    assert parse_links(text) == {
        "lo": Link(0, 0, 0, 0),
        "absd-sw1-eth1": Link(476_916, 16_596, 565, 5),
    }


def dumbbell(**changes: Any) -> Dumbbell:
    """A network that consists of this namespace's loopback interface."""
    whole = Dumbbell((), FarEnd(os.getpid(), "lo"), {1: "lo"}, {}, 1)
    return replace(whole, **changes)


def test_a_link_that_is_gone_is_named() -> None:
    with pytest.raises(LinkGone, match="absd-gone"):
        read_counts(dumbbell(interfaces={1: "absd-gone"}), 0.0)


def test_what_the_uplink_receives_is_delivered_where_the_receivers_are_behind_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        before = read_counts(dumbbell(), 0.0)
        socket.create_connection(server.getsockname()).close()
        after = read_counts(dumbbell(), 1.0)
    assert after.delivered_bytes > before.delivered_bytes
    assert after.frames > before.frames
