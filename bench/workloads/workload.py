"""What a program is and does whose speed is measured."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.testbed.entry import Entry

ROOT = Path(__file__).resolve().parents[2]

STATION = 0x0200_0000_0002  # the MAC address that frames are sent to
STATION_MAC = STATION.to_bytes(6, "big").hex(":")


@dataclass(frozen=True)
class Workload:
    """One program, where it forwards what comes, and to how many IPv4 addresses that goes.

    `entries` are all table entries, in the order of their insertion. `destinations` are anywhere in
    10.0.0.0/8. `receivers` is the number of ports behind which they are.
    """

    name: str
    program: Path
    entries: Callable[[], Iterator[Entry]]
    destinations: int
    receivers: int = 1

    @property
    def p4info(self) -> Path:
        return self.program.with_suffix(".p4info.txtpb")
