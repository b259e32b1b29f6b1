"""BMv2's multicast nodes and mirroring sessions, as P4Runtime's groups and clone sessions.

BMv2 builds a group from nodes: an instance at several ports and lags, numbered from 0. A mirroring
session refers to a port, to a group, whose later nodes count too, or to both. BMv2 does not hash
packets over a lag's ports: each packet goes to the same port.

P4Runtime knows groups and sessions by their replicas. It has no nodes, so these are kept here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.switch import Switch

GREATEST_ID = 2**16 - 1
"""Of groups and instances in v1model."""

_LAG_HASH = 255
_GREATEST_NUMBER = 2**32 - 1  # of messages

Place: TypeAlias = tuple[int, int]
"""A port, and the instance of what leaves there."""


class UnknownGroup(InputError):
    """There is no multicast group of this number."""


class UnknownNode(InputError):
    """There is no node of this number."""


class WrongMembership(InputError):
    """A node is in a group already, or is not."""


class UnknownSession(InputError):
    """There is no mirroring session of this number."""


@dataclass(slots=True)
class Node:
    """An instance at ports and lags, and the groups that it is associated with."""

    instance: int
    ports: tuple[int, ...]
    lags: tuple[int, ...] = ()
    groups: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Mirror:
    """Where a mirroring session's copies go."""

    port: int | None = None
    group: int | None = None


@dataclass(slots=True)
class Replication:
    """The nodes made so far, and who refers to them. All methods raise what the switch does.

    Groups that others made can be used, too; their replicas stay.
    """

    switch: Switch
    _nodes: dict[int, Node] = field(default_factory=dict)
    _lags: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _mirrors: dict[int, Mirror] = field(default_factory=dict)

    @property
    def nodes(self) -> Mapping[int, Node]:
        """By their numbers."""
        return self._nodes

    @property
    def lags(self) -> Mapping[int, Sequence[int]]:
        """The ports of each lag."""
        return self._lags

    def groups(self) -> list[int]:
        """The switch's groups."""
        return [*self._groups()]

    def check_group(self, group: int) -> None:
        """Raises UnknownGroup."""
        self._group(group)

    def create_group(self, group: int) -> None:
        """Makes an empty group."""
        message = p4r.MulticastGroupEntry(multicast_group_id=_number("group", group))
        self.switch.insert(packet_replication_engine_entry=_of_group(message))
        self._refresh_mirrors(group)

    def delete_group(self, group: int) -> None:
        """Removes a group; its nodes stay. Raises UnknownGroup."""
        self.switch.delete(packet_replication_engine_entry=_of_group(self._group(group)))
        for node in self._nodes.values():
            node.groups.discard(group)
        self._refresh_mirrors(group)

    def create_node(self, instance: int, ports: Iterable[int], lags: Iterable[int] = ()) -> int:
        """Makes a node and returns its number: the lowest that is free."""
        number = next(n for n in range(len(self._nodes) + 1) if n not in self._nodes)
        self._nodes[number] = Node(instance, tuple(ports), tuple(lags))
        return number

    def update_node(self, node: int, ports: Iterable[int], lags: Iterable[int] = ()) -> None:
        """Replaces a node's ports and lags. Raises UnknownNode."""
        found = self._node(node)
        updated = replace(found, ports=tuple(ports), lags=tuple(lags))
        before, after = self._places(found), self._places(updated)
        self._exchange([(group, before, after) for group in found.groups])
        self._nodes[node] = updated

    def set_lag(self, lag: int, ports: Iterable[int]) -> None:
        """Gives a lag its ports."""
        lags = self._lags | {lag: tuple(ports)}
        self._exchange(
            [
                (group, self._places(node), _places(node, lags))
                for node in self._nodes.values()
                if lag in node.lags
                for group in node.groups
            ]
        )
        self._lags = lags

    def associate(self, group: int, node: int) -> None:
        """Adds a node to a group. Raises UnknownGroup, UnknownNode, WrongMembership."""
        self.check_group(group)
        found = self._node(node)
        if group in found.groups:
            raise WrongMembership(f"multicast node {node} is in group {group} already")
        self._exchange([(group, [], self._places(found))])
        found.groups.add(group)

    def dissociate(self, group: int, node: int) -> None:
        """Takes a node from a group. Raises UnknownGroup, UnknownNode, WrongMembership."""
        self.check_group(group)
        found = self._node(node)
        if group not in found.groups:
            raise WrongMembership(f"multicast node {node} is not in group {group}")
        self._exchange([(group, self._places(found), [])])
        found.groups.discard(group)

    def delete_node(self, node: int) -> None:
        """Removes a node, from its groups too. Raises UnknownNode."""
        found = self._node(node)
        self._exchange([(group, self._places(found), []) for group in found.groups])
        del self._nodes[node]

    def adopt(self, group: int) -> list[Place]:
        """Makes nodes of a group's replicas that are no node's; its ports and instances."""
        found = [place_of(replica) for replica in self._group(group).replicas]
        nodes = [node for node in self._nodes.values() if group in node.groups]
        known = {place for node in nodes for place in self._places(node)}
        ports: dict[int, list[int]] = {}
        for port, instance in found:
            if (port, instance) not in known:
                ports.setdefault(instance, []).append(port)
        for instance, theirs in ports.items():
            self._nodes[self.create_node(instance, theirs)].groups.add(group)
        return found

    def mirror(self, session: int, to: Mirror) -> None:
        """Makes a session, or replaces it."""
        entry = _session(session, self._mirrored(to))
        write = self.switch.modify if session in self._sessions() else self.switch.insert
        write(packet_replication_engine_entry=entry)
        self._mirrors[session] = to

    def mirror_of(self, session: int) -> Mirror:
        """Where a session's copies go. Raises UnknownSession."""
        places = self.session(session)
        made = self._mirrors.get(session)
        if made is not None and [*map(place_of, self._mirrored(made))] == places:
            return made
        return Mirror(port=places[0][0]) if places else Mirror()

    def session(self, session: int) -> list[Place]:
        """Where the switch sends its copies. Raises UnknownSession."""
        sessions = self._sessions()
        if session not in sessions:
            raise UnknownSession(f"there is no mirroring session {session}")
        return [place_of(replica) for replica in sessions[session].replicas]

    def delete_session(self, session: int) -> None:
        """Removes a session. Raises UnknownSession."""
        self.session(session)
        self.switch.delete(packet_replication_engine_entry=_session(session))
        self._mirrors.pop(session, None)

    def _exchange(self, changes: Sequence[tuple[int, Sequence[Place], Sequence[Place]]]) -> None:
        """Takes replicas from groups, and adds others; what is refused changes nothing."""
        before = {group: self._group(group) for group, _, _ in changes}
        try:
            for group, removed, added in changes:
                message = self._group(group)
                kept = [each for each in message.replicas if place_of(each) not in removed]
                del message.replicas[:]
                message.replicas.extend([*kept, *map(_replica, added)])
                self._set(message)
        except Exception:
            for message in before.values():
                self._set(message)
            raise

    def _set(self, group: p4r.MulticastGroupEntry) -> None:
        self.switch.modify(packet_replication_engine_entry=_of_group(group))
        self._refresh_mirrors(group.multicast_group_id)

    def _refresh_mirrors(self, group: int) -> None:
        to_group = {session for session, mirror in self._mirrors.items() if mirror.group == group}
        if not to_group:
            return
        for session in to_group & self._sessions().keys():  # others may have removed some
            entry = _session(session, self._mirrored(self._mirrors[session]))
            self.switch.modify(packet_replication_engine_entry=entry)

    def _mirrored(self, mirror: Mirror) -> list[p4r.Replica]:
        replicas = [] if mirror.port is None else [_replica((mirror.port, 0))]
        if mirror.group is not None:
            found = self._groups().get(mirror.group)  # it may come later
            replicas += [] if found is None else found.replicas
        return replicas

    def _places(self, node: Node) -> Sequence[Place]:
        return _places(node, self._lags)

    def _groups(self) -> dict[int, p4r.MulticastGroupEntry]:
        wanted = _of_group(p4r.MulticastGroupEntry())
        found = self.switch.read(packet_replication_engine_entry=wanted)
        groups = [each.packet_replication_engine_entry.multicast_group_entry for each in found]
        return {each.multicast_group_id: each for each in groups}

    def _group(self, group: int) -> p4r.MulticastGroupEntry:
        groups = self._groups()
        if group not in groups:
            valid = ", ".join(map(str, sorted(groups)))
            raise UnknownGroup(f"no multicast group {group}; valid: {valid or 'none'}")
        return groups[group]

    def _sessions(self) -> dict[int, p4r.CloneSessionEntry]:
        # One that is not there would be an error to read by its number.
        found = self.switch.read(packet_replication_engine_entry=_session(0))
        sessions = [each.packet_replication_engine_entry.clone_session_entry for each in found]
        return {each.session_id: each for each in sessions}

    def _node(self, node: int) -> Node:
        if node not in self._nodes:
            valid = ", ".join(map(str, self._nodes))
            raise UnknownNode(f"no multicast node {node}; valid: {valid or 'none'}")
        return self._nodes[node]


def place_of(replica: p4r.Replica) -> Place:
    """Its port, in either of the forms that P4Runtime has, and its instance."""
    named = replica.WhichOneof("port_kind") == "port"
    port = int.from_bytes(replica.port, "big") if named else replica.egress_port
    return port, replica.instance


def _places(node: Node, lags: Mapping[int, tuple[int, ...]]) -> list[Place]:
    ports = [lags[lag] for lag in node.lags if lags.get(lag)]
    chosen = [each[_LAG_HASH % len(each)] for each in ports]
    return [(port, node.instance) for port in (*node.ports, *chosen)]


def _replica(place: Place) -> p4r.Replica:
    port, instance = place
    # The number of the port in its older field, which every server understands.
    return p4r.Replica(egress_port=_number("port", port), instance=_number("instance", instance))


def _of_group(group: p4r.MulticastGroupEntry) -> p4r.PacketReplicationEngineEntry:
    return p4r.PacketReplicationEngineEntry(multicast_group_entry=group)


def _session(number: int, replicas: Iterable[p4r.Replica] = ()) -> p4r.PacketReplicationEngineEntry:
    entry = p4r.CloneSessionEntry(session_id=_number("session", number), replicas=replicas)
    return p4r.PacketReplicationEngineEntry(clone_session_entry=entry)


def _number(what: str, number: int) -> int:
    if not 0 <= number <= _GREATEST_NUMBER:
        raise InputError(f"{what} {number}; valid: a number from 0")
    return number
