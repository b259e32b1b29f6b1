"""BMv2's multicast nodes and mirroring sessions, as a switch's groups and clone sessions.

BMv2 builds a group from nodes: an instance at several ports and lags, numbered from 0. A mirroring
session refers to a port, to a group, whose later nodes count too, or to both. BMv2 hashes no packet
to choose a lag's port: each goes to the same one.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from p4abs_switch._engine import EntryNotFound, InvalidArgument
from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.engine_types import Replica

_LAG_HASH = 255

Replicas: TypeAlias = Sequence[Replica]


class Groups(Protocol):
    """What holds groups and clone sessions: the engine, or a switch that is reached otherwise.

    What is not there is an EntryNotFound.
    """

    def multicast_group_insert(self, group_id: int, replicas: Replicas) -> None: ...
    def multicast_group_modify(self, group_id: int, replicas: Replicas) -> None: ...
    def multicast_group_delete(self, group_id: int) -> None: ...
    def multicast_group_read(
        self, group_id: int | None = None
    ) -> Sequence[tuple[int, Replicas]]: ...
    def clone_session_insert(self, session_id: int, replicas: Replicas) -> None: ...
    def clone_session_modify(self, session_id: int, replicas: Replicas) -> None: ...
    def clone_session_delete(self, session_id: int) -> None: ...
    def clone_session_read(
        self, session_id: int | None = None
    ) -> Sequence[tuple[int, Replicas, int, int]]: ...


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

    switch: Groups
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
        return [group for group, _ in self.switch.multicast_group_read()]

    def check_group(self, group: int) -> None:
        """Raises UnknownGroup."""
        self._replicas_of(group)

    def create_group(self, group: int) -> None:
        """Makes an empty group."""
        self.switch.multicast_group_insert(group, [])
        self._refresh_mirrors(group)

    def delete_group(self, group: int) -> None:
        """Removes a group; its nodes stay. Raises UnknownGroup."""
        self.check_group(group)
        self.switch.multicast_group_delete(group)
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
        before, after = self._replicas(found), self._replicas(updated)
        self._exchange([(group, before, after) for group in found.groups])
        self._nodes[node] = updated

    def set_lag(self, lag: int, ports: Iterable[int]) -> None:
        """Gives a lag its ports."""
        lags = self._lags | {lag: tuple(ports)}
        self._exchange(
            [
                (group, self._replicas(node), _replicas(node, lags))
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
        self._exchange([(group, [], self._replicas(found))])
        found.groups.add(group)

    def dissociate(self, group: int, node: int) -> None:
        """Takes a node from a group. Raises UnknownGroup, UnknownNode, WrongMembership."""
        self.check_group(group)
        found = self._node(node)
        if group not in found.groups:
            raise WrongMembership(f"multicast node {node} is not in group {group}")
        self._exchange([(group, self._replicas(found), [])])
        found.groups.discard(group)

    def delete_node(self, node: int) -> None:
        """Removes a node, from its groups too. Raises UnknownNode."""
        found = self._node(node)
        self._exchange([(group, self._replicas(found), []) for group in found.groups])
        del self._nodes[node]

    def adopt(self, group: int) -> list[tuple[int, int]]:
        """Makes nodes of a group's replicas that are no node's; its ports and instances."""
        found = [(port, instance) for port, instance, _ in self._replicas_of(group)]
        nodes = [node for node in self._nodes.values() if group in node.groups]
        known = {replica[:2] for node in nodes for replica in self._replicas(node)}
        ports: dict[int, list[int]] = {}
        for port, instance in found:
            if (port, instance) not in known:
                ports.setdefault(instance, []).append(port)
        for instance, theirs in ports.items():
            self._nodes[self.create_node(instance, theirs)].groups.add(group)
        return found

    def mirror(self, session: int, to: Mirror) -> None:
        """Makes a session, or replaces it."""
        replicas = self._mirrored(to)
        try:
            self.switch.clone_session_modify(session, replicas)
        except EntryNotFound:
            self.switch.clone_session_insert(session, replicas)
        self._mirrors[session] = to

    def mirror_of(self, session: int) -> Mirror:
        """Where a session's copies go. Raises UnknownSession."""
        try:
            [(_, replicas, _, _)] = self.switch.clone_session_read(session)
        except EntryNotFound as error:
            raise UnknownSession(str(error)) from None
        made = self._mirrors.get(session)
        if made is not None and self._mirrored(made) == _comparable(replicas):
            return made
        return Mirror(port=replicas[0][0]) if replicas else Mirror()

    def delete_session(self, session: int) -> None:
        """Removes a session. Raises UnknownSession."""
        try:
            self.switch.clone_session_delete(session)
        except EntryNotFound as error:
            raise UnknownSession(str(error)) from None
        self._mirrors.pop(session, None)

    def _exchange(self, changes: Sequence[tuple[int, Replicas, Replicas]]) -> None:
        """Takes replicas from groups, and adds others; what is refused changes nothing."""
        before = {group: self._replicas_of(group) for group, _, _ in changes}
        try:
            for group, removed, added in changes:
                kept = [replica for replica in self._replicas_of(group) if replica not in removed]
                self._set(group, [*kept, *added])
        except Exception:
            for group, replicas in before.items():
                self._set(group, replicas)
            raise

    def _set(self, group: int, replicas: Replicas) -> None:
        self.switch.multicast_group_modify(group, replicas)
        self._refresh_mirrors(group)

    def _refresh_mirrors(self, group: int) -> None:
        for session, mirror in self._mirrors.items():
            if mirror.group == group:
                with suppress(EntryNotFound):  # another controller has removed it
                    self.switch.clone_session_modify(session, self._mirrored(mirror))

    def _mirrored(self, mirror: Mirror) -> Replicas:
        replicas: list[Replica] = [] if mirror.port is None else [(mirror.port, 0, ())]
        if mirror.group is not None:
            with suppress(UnknownGroup):  # it may come later
                replicas += self._replicas_of(mirror.group)
        return replicas

    def _replicas(self, node: Node) -> Replicas:
        return _replicas(node, self._lags)

    def _replicas_of(self, group: int) -> Replicas:
        try:
            [(_, replicas)] = self.switch.multicast_group_read(group)
        except (EntryNotFound, InvalidArgument):
            valid = ", ".join(map(str, sorted(self.groups())))
            raise UnknownGroup(f"no multicast group {group}; valid: {valid or 'none'}") from None
        return _comparable(replicas)

    def _node(self, node: int) -> Node:
        if node not in self._nodes:
            valid = ", ".join(map(str, self._nodes))
            raise UnknownNode(f"no multicast node {node}; valid: {valid or 'none'}")
        return self._nodes[node]


def _replicas(node: Node, lags: Mapping[int, tuple[int, ...]]) -> Replicas:
    ports = [lags[lag] for lag in node.lags if lags.get(lag)]
    chosen = [each[_LAG_HASH % len(each)] for each in ports]
    return [(port, node.instance, ()) for port in (*node.ports, *chosen)]


def _comparable(replicas: Iterable[Replica]) -> Replicas:
    """What the engine tells, with backups as they are written here."""
    return [(port, instance, tuple(backups)) for port, instance, backups in replicas]
