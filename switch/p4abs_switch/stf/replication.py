"""BMv2's multicast nodes and mirroring sessions, as the engine's groups and clone sessions.

BMv2 builds a group from nodes (one instance at several ports), numbered from 0 as they are made; a
mirroring session refers to a port or to a group, whose later nodes count too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from p4abs_switch._engine import Switch
from p4abs_switch.engine_types import Replica
from p4abs_switch.stf.errors import StfError

Replicas: TypeAlias = list[Replica]
"""Of each copy; BMv2 has no backups."""


@dataclass(slots=True)
class Replication:
    """The nodes made so far, and who refers to them."""

    engine: Switch
    _nodes: list[Replicas] = field(default_factory=list)
    _groups: dict[int, list[int]] = field(default_factory=dict)
    _sessions_of_groups: dict[int, int] = field(default_factory=dict)

    def create_group(self, group: int) -> None:
        """Makes an empty group."""
        self.engine.multicast_group_insert(group, [])
        self._groups[group] = []

    def create_node(self, instance: int, ports: Sequence[int]) -> None:
        """Makes the next node."""
        self._nodes.append([(port, instance, ()) for port in ports])

    def update_node(self, node: int, ports: Sequence[int]) -> None:
        """Replaces a node's ports. Raises StfError."""
        instance = self._node(node)[0][1]
        self._nodes[node] = [(port, instance, ()) for port in ports]
        for group, nodes in self._groups.items():
            if node in nodes:
                self._refresh(group)

    def associate(self, group: int, node: int) -> None:
        """Adds a node to a group. Raises StfError."""
        self._node(node)
        self._group(group).append(node)
        self._refresh(group)

    def mirror_to_port(self, session: int, port: int) -> None:
        """Makes a session with one port."""
        self.engine.clone_session_insert(session, [(port, 0, ())])

    def mirror_to_group(self, session: int, group: int) -> None:
        """Makes a session with a group's replicas. Raises StfError."""
        replicas = self._replicas(group)
        self.engine.clone_session_insert(session, replicas)
        self._sessions_of_groups[session] = group

    def delete_session(self, session: int) -> None:
        """Removes a session."""
        self.engine.clone_session_delete(session)
        self._sessions_of_groups.pop(session, None)

    def _refresh(self, group: int) -> None:
        replicas = self._replicas(group)
        self.engine.multicast_group_modify(group, replicas)
        for session, of_group in self._sessions_of_groups.items():
            if of_group == group:
                self.engine.clone_session_modify(session, replicas)

    def _replicas(self, group: int) -> Replicas:
        return [replica for node in self._group(group) for replica in self._nodes[node]]

    def _group(self, group: int) -> list[int]:
        if group not in self._groups:
            valid = ", ".join(map(str, self._groups))
            raise StfError(f"no multicast group {group}; valid: {valid or 'none'}")
        return self._groups[group]

    def _node(self, node: int) -> Replicas:
        if not 0 <= node < len(self._nodes):
            raise StfError(f"no multicast node {node}; valid: below {len(self._nodes)}")
        return self._nodes[node]
