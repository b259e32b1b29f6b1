"""Multicast groups and clone sessions of a switch that is reached over P4Runtime."""

from collections.abc import Sequence

from finsy.proto import p4r

from p4abs_switch._engine import EntryNotFound
from p4abs_switch.console.session import Session
from p4abs_switch.engine_types import Replica


class RemoteGroups:
    """As bmv2.replication.Groups says. Raises RpcError besides."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def multicast_group_insert(self, group_id: int, replicas: Sequence[Replica]) -> None:
        self._session.insert(packet_replication_engine_entry=_group(group_id, replicas))

    def multicast_group_modify(self, group_id: int, replicas: Sequence[Replica]) -> None:
        self._session.modify(packet_replication_engine_entry=_group(group_id, replicas))

    def multicast_group_delete(self, group_id: int) -> None:
        self._session.delete(packet_replication_engine_entry=_group(group_id))

    def multicast_group_read(
        self, group_id: int | None = None
    ) -> Sequence[tuple[int, Sequence[Replica]]]:
        entries = [
            each.packet_replication_engine_entry.multicast_group_entry
            for each in self._session.read(packet_replication_engine_entry=_group(group_id or 0))
        ]
        groups = [(each.multicast_group_id, _told(each.replicas)) for each in entries]
        found = [each for each in groups if group_id in (None, each[0])]
        if group_id is not None and not found:
            raise EntryNotFound(f"there is no multicast group {group_id}")
        return found

    def clone_session_insert(self, session_id: int, replicas: Sequence[Replica]) -> None:
        self._session.insert(packet_replication_engine_entry=_clones(session_id, replicas))

    def clone_session_modify(self, session_id: int, replicas: Sequence[Replica]) -> None:
        self.clone_session_read(session_id)
        self._session.modify(packet_replication_engine_entry=_clones(session_id, replicas))

    def clone_session_delete(self, session_id: int) -> None:
        self._session.delete(packet_replication_engine_entry=_clones(session_id))

    def clone_session_read(
        self, session_id: int | None = None
    ) -> Sequence[tuple[int, Sequence[Replica], int, int]]:
        # One that is not there would be an error to read by its number.
        entries = [
            each.packet_replication_engine_entry.clone_session_entry
            for each in self._session.read(packet_replication_engine_entry=_clones(0))
        ]
        found = [
            (
                each.session_id,
                _told(each.replicas),
                each.class_of_service,
                each.packet_length_bytes,
            )
            for each in entries
            if session_id in (None, each.session_id)
        ]
        if session_id is not None and not found:
            raise EntryNotFound(f"there is no mirroring session {session_id}")
        return found


def _group(number: int, replicas: Sequence[Replica] = ()) -> p4r.PacketReplicationEngineEntry:
    entry = p4r.MulticastGroupEntry(multicast_group_id=number, replicas=_sent(replicas))
    return p4r.PacketReplicationEngineEntry(multicast_group_entry=entry)


def _clones(number: int, replicas: Sequence[Replica] = ()) -> p4r.PacketReplicationEngineEntry:
    entry = p4r.CloneSessionEntry(session_id=number, replicas=_sent(replicas))
    return p4r.PacketReplicationEngineEntry(clone_session_entry=entry)


def _sent(replicas: Sequence[Replica]) -> list[p4r.Replica]:
    # The number of the port in its older field, which every server understands.
    return [p4r.Replica(egress_port=port, instance=instance) for port, instance, _ in replicas]


def _told(replicas: Sequence[p4r.Replica]) -> list[Replica]:
    """With the port in either of the forms that P4Runtime has."""
    return [
        (int.from_bytes(each.port, "big") if each.port else each.egress_port, each.instance, ())
        for each in replicas
    ]
