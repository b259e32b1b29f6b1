"""A dumbbell in Mininet: senders, one switch, one bottleneck port, receivers.

    sender 1 --- 1 +--------+ bottleneck      +-----+--- receiver 1
    sender 2 --- 2 | switch |-----------------| LAN |--- receiver 2
    ...            +--------+ port N+1        +-----+    ...

The switch's ends of the links are in the root namespace, where the P4 target opens them. The LAN
is a bridge in a namespace of its own, so all traffic leaves the switch by one port. Addresses and
neighbours are static and IPv6 is off: TCP of the flows is all there is on the wire.
"""

import contextlib
import socket
from collections.abc import Mapping
from pathlib import Path

from mininet.log import setLogLevel
from mininet.net import Mininet
from mininet.node import Node, Switch
from mininet.util import quietRun
from p4abs_demonstration.dumbbell import Dumbbell, FarEnd, Pair
from p4abs_demonstration.hosts import IPV6_OFF
from p4abs_switch.testbed.network import OFFLOADS

PREFIX = "absd"  # of every host and interface, so that leftovers can be recognised
SWITCH_NAME = f"{PREFIX}-sw1"


class SwitchPorts(Switch):  # type: ignore[misc]
    """The switch as Mininet sees it: interfaces only, the P4 target is a process of its own."""

    def start(self, controllers: object) -> None:
        pass


def create() -> Mininet:
    """An empty network, for destroy() to know before anything is built."""
    setLogLevel("error")
    # Mininet.init() would change this machine's settings for good; the namespaces' own suffice.
    Mininet.inited = True
    return Mininet(topo=None, build=False, switch=SwitchPorts, controller=None)


def build(net: Mininet, pair_count: int, host_settings: Mapping[str, str]) -> Dumbbell:
    """Builds the dumbbell; `host_settings` are those of its hosts, by name.

    Nodes need no bookkeeping for crashes: their shells end when this process does.
    """
    switch = net.addSwitch(SWITCH_NAME)
    lan = net.addHost(f"{PREFIX}-lan", ip=None)
    bottleneck_port = pair_count + 1
    stations: dict[str, int] = {}
    hosts: list[tuple[Node, Node]] = []
    for number in range(1, pair_count + 1):
        sender = _add_host(net, "s", 1, number)
        receiver = _add_host(net, "r", 2, number)
        net.addLink(switch, sender, port1=number)
        net.addLink(lan, receiver)
        stations[sender.params["mac"]] = number
        stations[receiver.params["mac"]] = bottleneck_port
        hosts.append((sender, receiver))
    net.addLink(switch, lan, port1=bottleneck_port)
    net.build()
    for sender, receiver in hosts:
        _meet(sender, receiver, host_settings)
        _meet(receiver, sender, host_settings)
    _join(lan)
    interfaces = {port: str(switch.intfs[port]) for port in range(1, bottleneck_port + 1)}
    for interface in interfaces.values():
        _quiet(interface)
    pairs = tuple(
        Pair(sender.pid, receiver.pid, _address(2, number), number)
        for number, (sender, receiver) in enumerate(hosts, start=1)
    )
    *deliveries, uplink = lan.intfNames()
    far_end = FarEnd(lan.pid, uplink, tuple(deliveries))
    return Dumbbell(pairs, far_end, interfaces, stations, bottleneck_port)


def _address(side: int, number: int) -> str:
    return f"10.0.{side}.{number}"


def _add_host(net: Mininet, role: str, side: int, number: int) -> Node:
    return net.addHost(
        f"{PREFIX}-{role}{number}",
        ip=f"{_address(side, number)}/16",
        mac=f"02:00:00:00:{side:02x}:{number:02x}",
    )


def _offloads_off(interface: str) -> str:
    return f"ethtool -K {interface} " + " ".join(f"{name} off" for name in OFFLOADS)


def _set(settings: Mapping[str, str]) -> str:
    return "; ".join(f'sysctl -q -w {key}="{value}"' for key, value in settings.items())


def _meet(host: Node, peer: Node, host_settings: Mapping[str, str]) -> None:
    """Prepares a host for TCP with its peer."""
    interface = str(host.defaultIntf())
    address = peer.params["ip"].partition("/")[0]
    host.cmd(
        f"{_set(host_settings)}; {_offloads_off(interface)}; "
        f"ip neighbour replace {address} lladdr {peer.params['mac']} dev {interface}"
    )


def _join(lan: Node) -> None:
    """Makes one bridge of all interfaces of the LAN."""
    lan.cmd(f"{_set(IPV6_OFF)}; ip link add lan type bridge; ip link set lan up")
    for interface in lan.intfNames():
        lan.cmd(f"{_offloads_off(interface)}; ip link set {interface} master lan up")


def _quiet(interface: str) -> None:
    """A switch port carries what the hosts send, nothing of this machine's own."""
    quietRun(_offloads_off(interface))
    ipv6 = Path(f"/proc/sys/net/ipv6/conf/{interface}/disable_ipv6")
    with contextlib.suppress(FileNotFoundError):  # no IPv6 in this kernel
        ipv6.write_text("1")


def destroy(net: Mininet) -> None:
    """Ends all nodes, in whatever state they are; namespaces and interfaces go with them.

    Not by Mininet.stop(): it talks to the shells, and an interrupted one does not answer.
    """
    for node in (*net.hosts, *net.switches):
        node.terminate()
    remove_leftovers()


def remove_leftovers() -> None:
    """Deletes interfaces of ours in the root namespace, and nothing else."""
    # Not of /sys, which may show another namespace.
    for _, name in socket.if_nameindex():
        if name.startswith(f"{PREFIX}-"):
            quietRun(f"ip link delete {name}")
