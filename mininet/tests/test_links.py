"""The kernel's counters are understood."""

import os
from types import SimpleNamespace
from typing import cast

import pytest
from absdemo.dumbbell.topology import Dumbbell
from absdemo.links import Link, LinkGone, parse_links, read_counts

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


def test_a_link_that_is_gone_is_named() -> None:
    lan = SimpleNamespace(pid=os.getpid(), intfNames=lambda: ["lo"])
    dumbbell = SimpleNamespace(lan=lan, interfaces={1: "absd-gone"}, pairs=())
    with pytest.raises(LinkGone, match="absd-gone"):
        read_counts(cast(Dumbbell, dumbbell), 0.0)
