"""Multicast groups and their nodes.

P4Runtime knows groups and their replicas. A node, which is a replication id, ports and lags, is
this session's: the ports of those that are associated with a group are the group's replicas. Other
replicas get nodes when they are first shown.

BMv2 hashes no packet to choose a lag's port: each goes to the same one, which is a replica, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from finsy.proto import p4r

from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.error import CommandError
from p4abs_switch.console.handles import Handles
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import whole, words

_GREATEST_PORT = 511  # of BMv2's nodes
_GREATEST_LAG = 256
_LAG_HASH = 255
_GREATEST_ID = 2**16 - 1  # of groups and replication ids in v1model


@dataclass
class _Node:
    instance: int
    ports: tuple[int, ...]
    lags: tuple[int, ...] = ()
    groups: set[int] = field(default_factory=set)


class MulticastCommands(Group):
    """`mc_mgrp_create` and its kin."""

    def __init__(self, session: Session, handles: Handles) -> None:
        super().__init__(session, handles)
        self._nodes: dict[int, _Node] = {}
        self._lags: dict[int, tuple[int, ...]] = {}
        self._created = 0

    def do_mc_mgrp_create(self, line: str) -> None:
        """Create a multicast group: mc_mgrp_create <group>"""
        [group] = words(line, "group")
        number = group_number(group)
        self.say(f"Creating multicast group {number}")
        self.session.insert(packet_replication_engine_entry=_group(number, ()))

    def do_mc_mgrp_destroy(self, line: str) -> None:
        """Destroy a multicast group: mc_mgrp_destroy <group>"""
        [group] = words(line, "group")
        number = group_number(group)
        self.say(f"Destroying multicast group {number}")
        self.session.delete(packet_replication_engine_entry=_group(number, ()))
        for node in self._nodes.values():
            node.groups.discard(number)
        self.group_changed(number)

    def do_mc_node_create(self, line: str) -> None:
        """Create a node: mc_node_create <rid> [<ports>] [| <lags>]"""
        rid, *texts = words(line, "rid", more=True)
        node = _Node(whole(rid, "the rid", _GREATEST_ID), *_ports_and_lags(texts))
        self.say(f"Creating node with rid {node.instance} , {_maps(node)}")
        self.say(f"node was created with handle {self._add(node)}")

    def do_mc_node_update(self, line: str) -> None:
        """Change a node's ports and lags: mc_node_update <node> [<ports>] [| <lags>]"""
        handle, *texts = words(line, "node", more=True)
        node = self._node(handle)
        ports, lags = _ports_and_lags(texts)
        after = replace(node, ports=ports, lags=lags)
        self.say(f"Updating node {int(handle, 0)} with {_maps(after)}")
        for group in sorted(node.groups):
            self._exchange(group, self._replicas(node), self._replicas(after))
        node.ports, node.lags = ports, lags

    def do_mc_set_lag_membership(self, line: str) -> None:
        """Give a lag its ports: mc_set_lag_membership <lag> <ports>"""
        lag, *texts = words(line, "lag port", more=True)
        number, ports = _lag(lag), _ports(texts)
        self.say(f"Setting lag membership: {number} <- {_map(ports)}")
        nodes = [node for node in self._nodes.values() if number in node.lags]
        before = [self._replicas(node) for node in nodes]
        self._lags[number] = ports
        for node, removed in zip(nodes, before, strict=True):
            for group in sorted(node.groups):
                self._exchange(group, removed, self._replicas(node))

    def do_mc_node_associate(self, line: str) -> None:
        """Associate a node with a group: mc_node_associate <group> <node>"""
        group, handle = words(line, "group node")
        number, node = group_number(group), self._node(handle)
        self.say(f"Associating node {int(handle, 0)} to multicast group {number}")
        if number not in node.groups:
            self._exchange(number, [], self._replicas(node))
            node.groups.add(number)

    def do_mc_node_dissociate(self, line: str) -> None:
        """Dissociate a node from a group: mc_node_dissociate <group> <node>"""
        group, handle = words(line, "group node")
        number, node = group_number(group), self._node(handle)
        self.say(f"Dissociating node {int(handle, 0)} from multicast group {number}")
        if number not in node.groups:
            valid = ", ".join(str(each) for each in sorted(node.groups)) or "none"
            raise CommandError(f"node {handle} is not in group {number}; valid: {valid}")
        self._exchange(number, self._replicas(node), [])
        node.groups.discard(number)

    def do_mc_node_destroy(self, line: str) -> None:
        """Destroy a node: mc_node_destroy <node>"""
        [handle] = words(line, "node")
        node = self._node(handle)
        self.say(f"Destroying node {int(handle, 0)}")
        for group in sorted(node.groups):
            self._exchange(group, self._replicas(node), [])
        del self._nodes[int(handle, 0)]

    def do_mc_dump(self, line: str) -> None:
        """Show the multicast groups: mc_dump"""
        words(line, "")
        self.say("==========\nMC ENTRIES")
        for found in self.session.read(packet_replication_engine_entry=_group(0, ())):
            self._dump(found.packet_replication_engine_entry.multicast_group_entry)
        self.say("==========\nLAGS")
        for lag, ports in sorted(self._lags.items()):
            self.say(f"lag({lag}) -> ports=[{_listed(ports)}]")
        self.say("==========")

    def group_changed(self, group: int) -> None:
        """A group has other replicas than before, or is gone."""

    def replicas_of(self, group: int) -> list[p4r.Replica] | None:
        """Those that the switch has; None without such a group."""
        found = self.session.read(packet_replication_engine_entry=_group(group, ()))
        for each in found:
            entry = each.packet_replication_engine_entry.multicast_group_entry
            if entry.multicast_group_id == group:  # to read group 0 is to read all
                return [*entry.replicas]
        return None

    def _dump(self, group: p4r.MulticastGroupEntry) -> None:
        self.say(f"**********\nmgrp({group.multicast_group_id})")
        found = [(port_of(each), each.instance) for each in group.replicas]
        self._adopt(group.multicast_group_id, found)
        for handle, node in self._nodes.items():
            if group.multicast_group_id in node.groups:
                rid = node.instance
                ports = _listed(port for port in node.ports if (port, rid) in found)
                lags = _listed(node.lags)
                self.say(f"  -> (L1h={handle}, rid={rid}) -> (ports=[{ports}], lags=[{lags}])")

    def _adopt(self, group: int, found: list[tuple[int, int]]) -> None:
        """Makes nodes of the replicas of a group that are no node's."""
        nodes = [node for node in self._nodes.values() if group in node.groups]
        known = {replica for node in nodes for replica in self._replicas(node)}
        ports: dict[int, list[int]] = {}
        for port, instance in found:
            if (port, instance) not in known:
                ports.setdefault(instance, []).append(port)
        for instance, theirs in ports.items():
            self._add(_Node(instance, tuple(theirs), groups={group}))

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
        found = self.replicas_of(group)
        if found is None:
            raise CommandError(
                f"there is no multicast group {group}; mc_dump shows those there are"
            )
        replicas = [(port_of(each), each.instance) for each in found]
        replicas = [each for each in replicas if each not in removed]
        self.session.modify(packet_replication_engine_entry=_group(group, [*replicas, *added]))
        self.group_changed(group)

    def _replicas(self, node: _Node) -> list[tuple[int, int]]:
        lags = [self._lags[lag] for lag in node.lags if self._lags.get(lag)]
        chosen = [ports[_LAG_HASH % len(ports)] for ports in lags]
        return [(port, node.instance) for port in (*node.ports, *chosen)]


def group_number(text: str) -> int:
    """The number of a multicast group. Raises CommandError."""
    return whole(text, "the group", _GREATEST_ID)


def _group(number: int, replicas: Iterable[tuple[int, int]]) -> p4r.PacketReplicationEngineEntry:
    entry = p4r.MulticastGroupEntry(multicast_group_id=number)
    for port, instance in replicas:
        # The number of the port in its older field, which every server understands.
        entry.replicas.add(egress_port=port, instance=instance)
    return p4r.PacketReplicationEngineEntry(multicast_group_entry=entry)


def port_of(replica: p4r.Replica) -> int:
    """The port of a replica, in either of the forms that P4Runtime has."""
    return int.from_bytes(replica.port, "big") if replica.port else replica.egress_port


def _ports_and_lags(texts: list[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What stands before `|` and behind it. Raises CommandError."""
    bar = texts.index("|") if "|" in texts else len(texts)
    return _ports(texts[:bar]), _once("lags", texts[bar + 1 :], map(_lag, texts[bar + 1 :]))


def _ports(texts: list[str]) -> tuple[int, ...]:
    return _once("ports", texts, (whole(text, "the port", _GREATEST_PORT) for text in texts))


def _lag(text: str) -> int:
    return whole(text, "the lag", _GREATEST_LAG)


def _once(what: str, texts: list[str], numbers: Iterable[int]) -> tuple[int, ...]:
    """In their order. Raises CommandError."""
    found = sorted(numbers)
    if len(set(found)) != len(found):
        raise CommandError(f"{what} {' '.join(texts)}: one is there twice")
    return tuple(found)


def _maps(node: _Node) -> str:
    return f"port map {_map(node.ports)} and lag map {_map(node.lags)}"


def _map(numbers: tuple[int, ...]) -> str:
    """A digit for each number, the highest first."""
    return f"{sum(1 << number for number in numbers):b}" if numbers else ""


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in numbers)
