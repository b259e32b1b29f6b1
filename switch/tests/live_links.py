"""Two stations with a virtual link each to where a switch's ports are to be, in a network namespace
of this process, and a frame from one to the other."""

import subprocess
from pathlib import Path

from p4abs_switch.testbed.namespaces import enter_own

PROGRAM = Path(__file__).parent / "programs" / "kinds.json"
STATION = bytes.fromhex("020000000002")
ETHERTYPE = 0x88B5
FRAME = STATION + bytes(6) + ETHERTYPE.to_bytes(2, "big") + bytes(range(60))


def enter() -> None:
    """Enters the namespace: `one` is linked to `port1`, `two` to `port2`."""
    enter_own()
    _ip("link set lo up")
    for station, port in (("one", "port1"), ("two", "port2")):
        _ip(f"link add {station} type veth peer name {port}")
        _ip(f"link set {station} up")
        _ip(f"link set {port} up")


def _ip(arguments: str) -> None:
    subprocess.run(["ip", *arguments.split()], check=True)
