"""Multicast groups and their nodes.

P4Runtime knows groups and their replicas. Nodes (a replication id with ports and lags) belong to
this console: the ports of a group's nodes are its replicas. Replicas of other clients get nodes
when they are first shown.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, TypeAlias

from p4abs_switch.console.commands.arguments import number
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.values import GREATEST_PORT, whole
from p4abs_switch.errors import InputError
from p4abs_switch.runtime.replication import GREATEST_ID

_GREATEST_LAG = 256


def _node(group: Group, text: str) -> int:
    found, nodes = whole(text, "the node"), group.objects.replication.nodes
    if found not in nodes:
        valid = ", ".join(map(str, nodes)) or "none"
        raise InputError(f"this session has created no node {found}; valid: {valid}")
    return found


GroupNumber: TypeAlias = Annotated[int, number("the group", GREATEST_ID, 1)]
Rid: TypeAlias = Annotated[int, number("the rid", GREATEST_ID)]
Lag: TypeAlias = Annotated[int, number("the lag", _GREATEST_LAG)]
Node: TypeAlias = Annotated[int, _node]


class MulticastCommands(Group):
    """`mc_mgrp_create` and its kin."""

    def do_mc_mgrp_create(self, group: GroupNumber) -> None:
        """Create a multicast group: mc_mgrp_create <group>"""
        self.say(f"Creating multicast group {group}")
        self.objects.replication.create_group(group)

    def do_mc_mgrp_destroy(self, group: GroupNumber) -> None:
        """Destroy a multicast group: mc_mgrp_destroy <group>"""
        self.say(f"Destroying multicast group {group}")
        self.objects.replication.delete_group(group)

    def do_mc_node_create(self, rid: Rid, *places: str) -> None:
        """Create a node: mc_node_create <rid> [<ports>] [| <lags>]"""
        ports, lags = _ports_and_lags(places)
        self.say(f"Creating node with rid {rid} , {_maps(ports, lags)}")
        node = self.objects.replication.create_node(rid, ports, lags)
        self.say(f"node was created with handle {node}")

    def do_mc_node_update(self, node: Node, *places: str) -> None:
        """Change a node's ports and lags: mc_node_update <node> [<ports>] [| <lags>]"""
        ports, lags = _ports_and_lags(places)
        self.say(f"Updating node {node} with {_maps(ports, lags)}")
        self.objects.replication.update_node(node, ports, lags)

    def do_mc_set_lag_membership(self, lag: Lag, port: str, *more: str) -> None:
        """Give a lag its ports: mc_set_lag_membership <lag> <ports>"""
        ports = _ports((port, *more))
        self.say(f"Setting lag membership: {lag} <- {_map(ports)}")
        self.objects.replication.set_lag(lag, ports)

    def do_mc_node_associate(self, group: GroupNumber, node: Node) -> None:
        """Associate a node with a group: mc_node_associate <group> <node>"""
        self.say(f"Associating node {node} to multicast group {group}")
        self.objects.replication.associate(group, node)

    def do_mc_node_dissociate(self, group: GroupNumber, node: Node) -> None:
        """Dissociate a node from a group: mc_node_dissociate <group> <node>"""
        self.say(f"Dissociating node {node} from multicast group {group}")
        self.objects.replication.dissociate(group, node)

    def do_mc_node_destroy(self, node: Node) -> None:
        """Destroy a node: mc_node_destroy <node>"""
        self.say(f"Destroying node {node}")
        self.objects.replication.delete_node(node)

    def do_mc_dump(self) -> None:
        """Show the multicast groups: mc_dump"""
        self.say("==========\nMC ENTRIES")
        for group in self.objects.replication.groups():
            self._dump(group)
        self.say("==========\nLAGS")
        for lag, ports in sorted(self.objects.replication.lags.items()):
            self.say(f"lag({lag}) -> ports=[{_listed(ports)}]")
        self.say("==========")

    def _dump(self, group: int) -> None:
        self.say(f"**********\nmgrp({group})")
        found = self.objects.replication.adopt(group)
        for handle, node in self.objects.replication.nodes.items():
            if group in node.groups:
                rid = node.instance
                ports = _listed(port for port in node.ports if (port, rid) in found)
                lags = _listed(node.lags)
                self.say(f"  -> (L1h={handle}, rid={rid}) -> (ports=[{ports}], lags=[{lags}])")


def _ports_and_lags(texts: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What stands before `|` and behind it. Raises InputError."""
    bar = texts.index("|") if "|" in texts else len(texts)
    lags = texts[bar + 1 :]
    numbers = (whole(text, "the lag", _GREATEST_LAG) for text in lags)
    return _ports(texts[:bar]), _once("lags", lags, numbers)


def _ports(texts: Sequence[str]) -> tuple[int, ...]:
    return _once("ports", texts, (whole(text, "the port", GREATEST_PORT) for text in texts))


def _once(what: str, texts: Sequence[str], numbers: Iterable[int]) -> tuple[int, ...]:
    """In their order. Raises InputError."""
    found = sorted(numbers)
    if len(set(found)) != len(found):
        raise InputError(f"{what} {' '.join(texts)}: give each number once")
    return tuple(found)


def _maps(ports: tuple[int, ...], lags: tuple[int, ...]) -> str:
    return f"port map {_map(ports)} and lag map {_map(lags)}"


def _map(numbers: tuple[int, ...]) -> str:
    """A digit for each number, the highest first."""
    return f"{sum(1 << number for number in numbers):b}" if numbers else ""


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in numbers)
