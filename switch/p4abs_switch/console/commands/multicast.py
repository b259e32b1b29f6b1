"""Multicast groups and their nodes.

P4Runtime knows groups and their replicas. Nodes (a replication id with ports and lags) belong to
this console: the ports of a group's nodes are its replicas. Replicas of other clients get nodes
when they are first shown.
"""

from collections.abc import Iterable

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import whole, words
from p4abs_switch.runtime.replication import GREATEST_ID, Replication
from p4abs_switch.runtime.tables import Tables

_GREATEST_PORT = 511  # of BMv2's nodes
_GREATEST_LAG = 256


class MulticastCommands(Group):
    """`mc_mgrp_create` and its kin."""

    def __init__(self, session: Session, tables: Tables) -> None:
        super().__init__(session, tables)
        self.replication = Replication(session)

    def do_mc_mgrp_create(self, line: str) -> None:
        """Create a multicast group: mc_mgrp_create <group>"""
        [group] = words(line, "group")
        number = group_number(group)
        self.say(f"Creating multicast group {number}")
        self.replication.create_group(number)

    def do_mc_mgrp_destroy(self, line: str) -> None:
        """Destroy a multicast group: mc_mgrp_destroy <group>"""
        [group] = words(line, "group")
        number = group_number(group)
        self.say(f"Destroying multicast group {number}")
        self.replication.delete_group(number)

    def do_mc_node_create(self, line: str) -> None:
        """Create a node: mc_node_create <rid> [<ports>] [| <lags>]"""
        rid, *texts = words(line, "rid", more=True)
        instance = whole(rid, "the rid", GREATEST_ID)
        ports, lags = _ports_and_lags(texts)
        self.say(f"Creating node with rid {instance} , {_maps(ports, lags)}")
        node = self.replication.create_node(instance, ports, lags)
        self.say(f"node was created with handle {node}")

    def do_mc_node_update(self, line: str) -> None:
        """Change a node's ports and lags: mc_node_update <node> [<ports>] [| <lags>]"""
        text, *texts = words(line, "node", more=True)
        node = self._node(text)
        ports, lags = _ports_and_lags(texts)
        self.say(f"Updating node {node} with {_maps(ports, lags)}")
        self.replication.update_node(node, ports, lags)

    def do_mc_set_lag_membership(self, line: str) -> None:
        """Give a lag its ports: mc_set_lag_membership <lag> <ports>"""
        lag, *texts = words(line, "lag port", more=True)
        number, ports = _lag(lag), _ports(texts)
        self.say(f"Setting lag membership: {number} <- {_map(ports)}")
        self.replication.set_lag(number, ports)

    def do_mc_node_associate(self, line: str) -> None:
        """Associate a node with a group: mc_node_associate <group> <node>"""
        group, text = words(line, "group node")
        number, node = group_number(group), self._node(text)
        self.say(f"Associating node {node} to multicast group {number}")
        self.replication.associate(number, node)

    def do_mc_node_dissociate(self, line: str) -> None:
        """Dissociate a node from a group: mc_node_dissociate <group> <node>"""
        group, text = words(line, "group node")
        number, node = group_number(group), self._node(text)
        self.say(f"Dissociating node {node} from multicast group {number}")
        self.replication.dissociate(number, node)

    def do_mc_node_destroy(self, line: str) -> None:
        """Destroy a node: mc_node_destroy <node>"""
        [text] = words(line, "node")
        node = self._node(text)
        self.say(f"Destroying node {node}")
        self.replication.delete_node(node)

    def do_mc_dump(self, line: str) -> None:
        """Show the multicast groups: mc_dump"""
        words(line, "")
        self.say("==========\nMC ENTRIES")
        for group in self.replication.groups():
            self._dump(group)
        self.say("==========\nLAGS")
        for lag, ports in sorted(self.replication.lags.items()):
            self.say(f"lag({lag}) -> ports=[{_listed(ports)}]")
        self.say("==========")

    def _dump(self, group: int) -> None:
        self.say(f"**********\nmgrp({group})")
        found = self.replication.adopt(group)
        for handle, node in self.replication.nodes.items():
            if group in node.groups:
                rid = node.instance
                ports = _listed(port for port in node.ports if (port, rid) in found)
                lags = _listed(node.lags)
                self.say(f"  -> (L1h={handle}, rid={rid}) -> (ports=[{ports}], lags=[{lags}])")

    def _node(self, text: str) -> int:
        number = whole(text, "the node")
        if number not in self.replication.nodes:
            valid = ", ".join(map(str, self.replication.nodes)) or "none"
            raise InputError(f"this session has created no node {number}; valid: {valid}")
        return number


def group_number(text: str) -> int:
    """The number of a multicast group. Raises InputError."""
    return whole(text, "the group", GREATEST_ID)


def _ports_and_lags(texts: list[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What stands before `|` and behind it. Raises InputError."""
    bar = texts.index("|") if "|" in texts else len(texts)
    return _ports(texts[:bar]), _once("lags", texts[bar + 1 :], map(_lag, texts[bar + 1 :]))


def _ports(texts: list[str]) -> tuple[int, ...]:
    return _once("ports", texts, (whole(text, "the port", _GREATEST_PORT) for text in texts))


def _lag(text: str) -> int:
    return whole(text, "the lag", _GREATEST_LAG)


def _once(what: str, texts: list[str], numbers: Iterable[int]) -> tuple[int, ...]:
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
