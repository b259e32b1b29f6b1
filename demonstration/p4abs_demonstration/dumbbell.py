"""The network as a demonstration sees it: senders, one switch, one bottleneck port, receivers.

sender 1 --- 1 +--------+ bottleneck      +-----+--- receiver 1
sender 2 --- 2 | switch |-----------------| far |--- receiver 2
...            +--------+ port N+1        | end |    ...
                                          +-----+
"""

import subprocess
from dataclasses import dataclass, field

from p4abs_switch.testbed.namespaces import inside


class LinkNotSwitched(Exception):
    """The bottleneck's link does not go up or down as it should."""


@dataclass(frozen=True)
class Pair:
    """A sender and its receiver: processes in their namespaces, and where the sender hangs.

    port: the sender's switch port, which also is the pair's number, from 1.
    """

    sender_pid: int
    receiver_pid: int
    receiver_address: str
    port: int


@dataclass(frozen=True)
class FarEnd:
    """The namespace behind the bottleneck.

    pid: a process in it.
    uplink: its interface towards the switch.
    deliveries: its interfaces towards the receivers; empty: the receivers are in it.
    """

    pid: int
    uplink: str
    deliveries: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dumbbell:
    """A built network.

    interfaces: the switch's interfaces by port number, in this process's namespace.
    stations: the switch port behind which each MAC address is.
    addresses: the IPv4 address of each MAC address, where they are known.
    """

    pairs: tuple[Pair, ...]
    far_end: FarEnd
    interfaces: dict[int, str]
    stations: dict[str, int]
    bottleneck_port: int
    addresses: dict[str, str] = field(default_factory=dict)


def switch_link(dumbbell: Dumbbell, state: str) -> None:
    """Switches the bottleneck's link "up" or "down" at its far end: the carrier goes, too.

    Raises LinkNotSwitched.
    """
    far_end = dumbbell.far_end
    switched = subprocess.run(
        [*inside(far_end.pid), "ip", "link", "set", far_end.uplink, state],
        capture_output=True,
        check=False,
        text=True,
    )
    if switched.returncode != 0:
        reason = " ".join(switched.stderr.split())
        raise LinkNotSwitched(f"the bottleneck's link cannot be switched {state}: {reason}")
