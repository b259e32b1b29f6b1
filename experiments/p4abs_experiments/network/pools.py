"""A memory that several links share."""

from dataclasses import dataclass
from typing import Literal

Sharing = Literal["limits", "dynamic thresholds", "active buffer management"]
"""Who shares the memory out.

    limits                    a controller: the sum of the limits of its links stays within the
                              memory (M(n) of the ABS paper, section 3.2), from the beginning
    dynamic thresholds        the data plane, packet by packet: a queue may be alpha times as long
                              as the memory that is free (Choudhury and Hahne, 1998)
    active buffer management  the same, divided by the number of congested queues (ABM, Addanki
                              et al., SIGCOMM 2022)
"""


@dataclass(frozen=True, slots=True)
class Pool:
    """`size_bytes` of packet memory for the queues of `links`."""

    name: str
    size_bytes: int
    links: tuple[str, ...]
    sharing: Sharing = "limits"
