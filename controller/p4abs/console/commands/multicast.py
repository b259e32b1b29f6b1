"""Multicast groups and their nodes.

P4Runtime knows groups and their replicas. A node, which is a replication id and ports, is this
session's: the ports of those that are associated with a group are the group's replicas.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from finsy.proto import p4r

from p4abs.console.commands.group import Group
from p4abs.console.error import CommandError
from p4abs.console.handles import Handles
from p4abs.console.session import Session
from p4abs.console.values import whole, words


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
        number = whole(group, "the group")
        self.session.insert(packet_replication_engine_entry=_group(number, ()))
        self.say(f"Creating multicast group {number}")

    def do_mc_mgrp_destroy(self, line: str) -> None:
        """Destroy a multicast group: mc_mgrp_destroy <group>"""
        [group] = words(line, "group")
        number = whole(group, "the group")
        self.session.delete(packet_replication_engine_entry=_group(number, ()))
        for node in self._nodes.values():
            node.groups.discard(number)

    def do_mc_node_create(self, line: str) -> None:
        """Create a node: mc_node_create <rid> <ports>"""
        rid, *ports = words(line, "rid", more=True)
        node = _Node(whole(rid, "the rid"), _ports(ports), set())
        handle = self._created
        self._nodes[handle] = node
        self._created += 1
        self.say(f"node was created with handle {handle}")

    def do_mc_node_update(self, line: str) -> None:
        """Change a node's ports: mc_node_update <node> <ports>"""
        handle, *texts = words(line, "node", more=True)
        node, ports = self._node(handle), _ports(texts)
        for group in sorted(node.groups):
            self._exchange(group, _replicas(node), _replicas(_Node(node.instance, ports, set())))
        node.ports = ports

    def do_mc_node_associate(self, line: str) -> None:
        """Associate a node with a group: mc_node_associate <group> <node>"""
        group, handle = words(line, "group node")
        number, node = whole(group, "the group"), self._node(handle)
        if number not in node.groups:
            self._exchange(number, [], _replicas(node))
            node.groups.add(number)

    def do_mc_node_dissociate(self, line: str) -> None:
        """Dissociate a node from a group: mc_node_dissociate <group> <node>"""
        group, handle = words(line, "group node")
        number, node = whole(group, "the group"), self._node(handle)
        if number not in node.groups:
            valid = ", ".join(str(each) for each in sorted(node.groups)) or "none"
            raise CommandError(f"node {handle} is not in group {number}; valid: {valid}")
        self._exchange(number, _replicas(node), [])
        node.groups.discard(number)

    def do_mc_node_destroy(self, line: str) -> None:
        """Destroy a node: mc_node_destroy <node>"""
        [handle] = words(line, "node")
        node = self._node(handle)
        for group in sorted(node.groups):
            self._exchange(group, _replicas(node), [])
        del self._nodes[int(handle, 0)]

    def do_mc_dump(self, line: str) -> None:
        """Show the multicast groups: mc_dump"""
        words(line, "")
        self.say("==========\nMC ENTRIES")
        for found in self.session.read(packet_replication_engine_entry=_group(0, ())):
            group = found.packet_replication_engine_entry.multicast_group_entry
            self.say(f"**********\nmgrp({group.multicast_group_id})")
            instances: dict[int, list[str]] = {}
            for replica in group.replicas:
                instances.setdefault(replica.instance, []).append(str(_port(replica)))
            for instance, ports in instances.items():
                self.say(f"  -> (rid={instance}) -> (ports=[{', '.join(ports)}])")
        self.say("==========")

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


def _ports(texts: list[str]) -> tuple[int, ...]:
    if "|" in texts:
        raise CommandError("| and lags behind it: P4Runtime has no lags; valid: ports")
    ports = tuple(whole(text, "the port") for text in texts)
    if len(set(ports)) != len(ports):
        raise CommandError(f"ports {' '.join(texts)}: one is there twice")
    return ports
