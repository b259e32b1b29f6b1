"""Multicast groups and their nodes.

P4Runtime knows groups and their replicas. A node, which is a replication id and ports, is this
session's: the ports of those that are associated with a group are the group's replicas. Other
replicas get nodes when they are first shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from finsy.proto import p4r

from p4abs.console.commands.group import Group
from p4abs.console.error import CommandError
from p4abs.console.handles import Handles
from p4abs.console.session import Session
from p4abs.console.values import whole, words

_GREATEST_PORT = 511  # of BMv2's nodes
_GREATEST_ID = 2**16 - 1  # of groups and replication ids in v1model


@dataclass
class _Node:
    instance: int
    ports: tuple[int, ...]
    groups: set[int]


class MulticastCommands(Group):
    """`mc_mgrp_create` and its kin."""

    def __init__(self, session: Session, handles: Handles) -> None:
        super().__init__(session, handles)
        self._nodes: dict[int, _Node] = {}
        self._created = 0

    def do_mc_mgrp_create(self, line: str) -> None:
        """Create a multicast group: mc_mgrp_create <group>"""
        [group] = words(line, "group")
        number = _number(group)
        self.say(f"Creating multicast group {number}")
        self.session.insert(packet_replication_engine_entry=_group(number, ()))

    def do_mc_mgrp_destroy(self, line: str) -> None:
        """Destroy a multicast group: mc_mgrp_destroy <group>"""
        [group] = words(line, "group")
        number = _number(group)
        self.say(f"Destroying multicast group {number}")
        self.session.delete(packet_replication_engine_entry=_group(number, ()))
        for node in self._nodes.values():
            node.groups.discard(number)

    def do_mc_node_create(self, line: str) -> None:
        """Create a node: mc_node_create <rid> <ports>"""
        rid, *ports = words(line, "rid", more=True)
        node = _Node(whole(rid, "the rid", _GREATEST_ID), _ports(ports), set())
        port_map = _port_map(node.ports)
        self.say(f"Creating node with rid {node.instance} , port map {port_map} and lag map ")
        self.say(f"node was created with handle {self._add(node)}")

    def do_mc_node_update(self, line: str) -> None:
        """Change a node's ports: mc_node_update <node> <ports>"""
        handle, *texts = words(line, "node", more=True)
        node, ports = self._node(handle), _ports(texts)
        port_map = _port_map(ports)
        self.say(f"Updating node {int(handle, 0)} with port map {port_map} and lag map ")
        for group in sorted(node.groups):
            self._exchange(group, _replicas(node), _replicas(_Node(node.instance, ports, set())))
        node.ports = ports

    def do_mc_node_associate(self, line: str) -> None:
        """Associate a node with a group: mc_node_associate <group> <node>"""
        group, handle = words(line, "group node")
        number, node = _number(group), self._node(handle)
        self.say(f"Associating node {int(handle, 0)} to multicast group {number}")
        if number not in node.groups:
            self._exchange(number, [], _replicas(node))
            node.groups.add(number)

    def do_mc_node_dissociate(self, line: str) -> None:
        """Dissociate a node from a group: mc_node_dissociate <group> <node>"""
        group, handle = words(line, "group node")
        number, node = _number(group), self._node(handle)
        self.say(f"Dissociating node {int(handle, 0)} from multicast group {number}")
        if number not in node.groups:
            valid = ", ".join(str(each) for each in sorted(node.groups)) or "none"
            raise CommandError(f"node {handle} is not in group {number}; valid: {valid}")
        self._exchange(number, _replicas(node), [])
        node.groups.discard(number)

    def do_mc_node_destroy(self, line: str) -> None:
        """Destroy a node: mc_node_destroy <node>"""
        [handle] = words(line, "node")
        node = self._node(handle)
        self.say(f"Destroying node {int(handle, 0)}")
        for group in sorted(node.groups):
            self._exchange(group, _replicas(node), [])
        del self._nodes[int(handle, 0)]

    def do_mc_dump(self, line: str) -> None:
        """Show the multicast groups: mc_dump"""
        words(line, "")
        self.say("==========\nMC ENTRIES")
        for found in self.session.read(packet_replication_engine_entry=_group(0, ())):
            self._dump(found.packet_replication_engine_entry.multicast_group_entry)
        self.say("==========\nLAGS\n==========")

    def _dump(self, group: p4r.MulticastGroupEntry) -> None:
        self.say(f"**********\nmgrp({group.multicast_group_id})")
        found = [(_port(each), each.instance) for each in group.replicas]
        self._adopt(group.multicast_group_id, found)
        for handle, node in self._nodes.items():
            if group.multicast_group_id in node.groups:
                rid = node.instance
                ports = ", ".join(str(port) for port in node.ports if (port, rid) in found)
                self.say(f"  -> (L1h={handle}, rid={rid}) -> (ports=[{ports}], lags=[])")

    def _adopt(self, group: int, found: list[tuple[int, int]]) -> None:
        """Makes nodes of the replicas of a group that are no node's."""
        nodes = [node for node in self._nodes.values() if group in node.groups]
        known = {replica for node in nodes for replica in _replicas(node)}
        ports: dict[int, list[int]] = {}
        for port, instance in found:
            if (port, instance) not in known:
                ports.setdefault(instance, []).append(port)
        for instance, theirs in ports.items():
            self._add(_Node(instance, tuple(theirs), {group}))

    def _add(self, node: _Node) -> int:
        handle = self._created
        self._nodes[handle] = node
        self._created += 1
        return handle

    def _node(self, handle: str) -> _Node:
        number = whole(handle, "the node")
        if number not in self._nodes:
            valid = ", ".join(str(each) for each in self._nodes) or "none"
            raise CommandError(f"this session has created no node {number}; valid: {valid}")
        return self._nodes[number]

    def _exchange(
        self, group: int, removed: list[tuple[int, int]], added: list[tuple[int, int]]
    ) -> None:
        """Changes a group's replicas."""
        found = self.session.read(packet_replication_engine_entry=_group(group, ()))
        if not found:
            raise CommandError(
                f"there is no multicast group {group}; mc_dump shows those there are"
            )
        entry = found[0].packet_replication_engine_entry.multicast_group_entry
        replicas = [(_port(each), each.instance) for each in entry.replicas]
        replicas = [each for each in replicas if each not in removed]
        self.session.modify(packet_replication_engine_entry=_group(group, [*replicas, *added]))


def _group(number: int, replicas: Iterable[tuple[int, int]]) -> p4r.PacketReplicationEngineEntry:
    entry = p4r.MulticastGroupEntry(multicast_group_id=number)
    for port, instance in replicas:
        # The number of the port in its older field, which every server understands.
        entry.replicas.add(egress_port=port, instance=instance)
    return p4r.PacketReplicationEngineEntry(multicast_group_entry=entry)


def _replicas(node: _Node) -> list[tuple[int, int]]:
    return [(port, node.instance) for port in node.ports]


def _port(replica: p4r.Replica) -> int:
    return int.from_bytes(replica.port, "big") if replica.port else replica.egress_port


def _number(text: str) -> int:
    return whole(text, "the group", _GREATEST_ID)


def _ports(texts: list[str]) -> tuple[int, ...]:
    """Those before `|`, which lags may follow on BMv2. Raises CommandError."""
    bar = texts.index("|") if "|" in texts else len(texts)
    if texts[bar + 1 :]:
        raise CommandError("lags are behind |: P4Runtime has no lags; valid: their ports before it")
    ports = tuple(whole(text, "the port", _GREATEST_PORT) for text in texts[:bar])
    if len(set(ports)) != len(ports):
        raise CommandError(f"ports {' '.join(texts[:bar])}: one is there twice")
    return ports


def _port_map(ports: tuple[int, ...]) -> str:
    """A digit for each port, the highest port first."""
    return f"{sum(1 << port for port in ports):b}" if ports else ""
