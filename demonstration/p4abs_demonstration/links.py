"""What the kernel counts on the demonstration's links, read from outside of their namespaces.

Linux counts Ethernet frames without FCS, as the data plane does (proc(5), /proc/net/dev).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from p4abs_demonstration.dumbbell import Dumbbell
from p4abs_demonstration.measure.quality import FrameCounts


class LinkGone(Exception):
    """Somebody has removed a part of the demonstration's network."""


@dataclass(frozen=True)
class Link:
    """One interface since it was made; frames in both directions."""

    received_bytes: int
    sent_bytes: int
    frames: int
    dropped_frames: int


def read_counts(dumbbell: Dumbbell, time_s: float) -> FrameCounts:
    """The counters as they are now, which is `time_s`. Raises LinkGone."""
    far_end = dumbbell.far_end
    here = _read(Path("/proc/net/dev"), dumbbell.interfaces.values())
    far = _read(Path(f"/proc/{far_end.pid}/net/dev"), (far_end.uplink, *far_end.deliveries))
    links = (*here.values(), *far.values())
    return FrameCounts(
        time_s=time_s,
        offered_bytes=sum(
            here[dumbbell.interfaces[pair.port]].received_bytes for pair in dumbbell.pairs
        ),
        delivered_bytes=(
            sum(far[name].sent_bytes for name in far_end.deliveries)
            if far_end.deliveries
            else far[far_end.uplink].received_bytes
        ),
        frames=sum(link.frames for link in links),
        dropped_frames=sum(link.dropped_frames for link in links),
    )


def _read(path: Path, names: Iterable[str]) -> dict[str, Link]:
    try:
        found = parse_links(path.read_text())
        return {name: found[name] for name in names}
    except (KeyError, OSError) as error:
        raise LinkGone(f"a link of the demonstration is gone: {error}") from None


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
