"""The most bytes that a frame of a port counts: the table port_mtu (p4src/tna/wire_bytes.p4).

A port without an entry has the default, a frame of 1514 bytes.
"""

from collections.abc import Iterable, Mapping

from p4abs.targets.tofino.offer import FRAME_OVERHEAD_BYTES

TABLE = "port_mtu"
ACTION = "at_most"
PORT, WIRE_BYTES = "port", "wire_bytes"
DEFAULT_WIRE_BYTES = 1514 + FRAME_OVERHEAD_BYTES


def named(names: Iterable[str], name: str) -> str | None:
    """The one of these full names that ends so; None: the program has none."""
    return next((each for each in names if each.rpartition(".")[2] == name), None)


def changes(mtu_bytes: Mapping[int, int], present: Mapping[int, int]) -> dict[int, int]:
    """What the wire carries of a port's longest frame, where the entries `present` say another."""
    wanted = {port: mtu + FRAME_OVERHEAD_BYTES for port, mtu in mtu_bytes.items()}
    return {
        port: wire_bytes
        for port, wire_bytes in wanted.items()
        if present.get(port, DEFAULT_WIRE_BYTES) != wire_bytes
    }
