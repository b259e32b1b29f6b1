"""What the kernel counts on the demonstration's links, read from outside of their namespaces.

Linux counts Ethernet frames without FCS, as the data plane does (proc(5), /proc/net/dev).
"""

from dataclasses import dataclass
from pathlib import Path

from absdemo.dumbbell.topology import Dumbbell
from absdemo.measure.quality import FrameCounts


@dataclass(frozen=True)
class Link:
    """One interface since it was made; frames in both directions."""

    received_bytes: int
    sent_bytes: int
    frames: int
    dropped_frames: int


def read_counts(dumbbell: Dumbbell, time_s: float) -> FrameCounts:
    """The counters as they are now, which is `time_s`."""
    here = parse_links(Path("/proc/net/dev").read_text())
    there = parse_links(Path(f"/proc/{dumbbell.lan.pid}/net/dev").read_text())
    switch_links = {port: here[name] for port, name in dumbbell.interfaces.items()}
    lan_links = {name: there[name] for name in dumbbell.lan.intfNames()}
    links = (*switch_links.values(), *lan_links.values())
    return FrameCounts(
        time_s=time_s,
        offered_bytes=sum(switch_links[pair.port].received_bytes for pair in dumbbell.pairs),
        delivered_bytes=sum(
            link.sent_bytes for name, link in lan_links.items() if name != dumbbell.lan_uplink
        ),
        frames=sum(link.frames for link in links),
        dropped_frames=sum(link.dropped_frames for link in links),
    )


def parse_links(text: str) -> dict[str, Link]:
    """Links by name, of two lines of headings, then sixteen numbers for each interface."""
    lines = (line.rpartition(":") for line in text.splitlines()[2:])
    return {name.strip(): _link([int(word) for word in words.split()]) for name, _, words in lines}


def _link(numbers: list[int]) -> Link:
    received_bytes, received_frames, _, received_dropped = numbers[:4]
    sent_bytes, sent_frames, _, sent_dropped = numbers[8:12]
    return Link(
        received_bytes, sent_bytes, received_frames + sent_frames, received_dropped + sent_dropped
    )
