"""Multicast groups and clone sessions (PacketReplicationEngineEntry, P4Runtime 1.5, section 9.5).

They belong to no object of the program. Port numbers are those of the switch.
"""

from collections.abc import Iterable, Iterator

from finsy.proto import p4r

from p4abs_switch._engine import EntryNotFound
from p4abs_switch.engine_types import Replica
from p4abs_switch.entities.kind import Change, Kind
from p4abs_switch.messages import ports
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.program.translation import SdnStrings
from p4abs_switch.status import Code, RequestError, engine_errors, invalid

_LAST_SESSION = (1 << 15) - 1  # BMv2 keeps 15 bits
_INSTANCE_LIMIT = 1 << 16


def write(loaded: LoadedProgram, change: Change, entry: p4r.PacketReplicationEngineEntry) -> None:
    """Applies one update. Raises RequestError; then nothing was changed."""
    match entry.WhichOneof("type"):
        case "multicast_group_entry":
            _write_group(loaded, change, entry.multicast_group_entry)
        case "clone_session_entry":
            _write_session(loaded, change, entry.clone_session_entry)
        case _:
            raise invalid(
                "the packet replication engine entry is empty; valid: multicast_group_entry,"
                " clone_session_entry"
            )


def read(loaded: LoadedProgram, wanted: p4r.PacketReplicationEngineEntry) -> Iterator[p4r.Entity]:
    """One group or session, or with id 0 all; an empty entry is all of both."""
    groups: list[p4r.MulticastGroupEntry] = []
    sessions: list[p4r.CloneSessionEntry] = []
    if not wanted.HasField("clone_session_entry"):
        groups = _groups(loaded, wanted.multicast_group_entry.multicast_group_id)
    if not wanted.HasField("multicast_group_entry"):
        sessions = _sessions(loaded, wanted.clone_session_entry.session_id)
    entries = [
        *(p4r.PacketReplicationEngineEntry(multicast_group_entry=group) for group in groups),
        *(p4r.PacketReplicationEngineEntry(clone_session_entry=item) for item in sessions),
    ]
    return (p4r.Entity(packet_replication_engine_entry=entry) for entry in entries)


def _write_group(loaded: LoadedProgram, change: Change, entry: p4r.MulticastGroupEntry) -> None:
    group_id, switch = entry.multicast_group_id, loaded.switch
    what = f"multicast group {group_id}"
    _check_id(what, group_id)
    if change == p4r.Update.DELETE:
        with engine_errors():
            switch.multicast_group_delete(group_id)
        loaded.group_metadata.pop(group_id, None)
        return
    replicas = _replicas(what, entry.replicas, loaded.program.ports)
    with engine_errors():
        if change == p4r.Update.INSERT:
            switch.multicast_group_insert(group_id, replicas)
        else:
            switch.multicast_group_modify(group_id, replicas)
    loaded.group_metadata[group_id] = entry.metadata


def _write_session(loaded: LoadedProgram, change: Change, entry: p4r.CloneSessionEntry) -> None:
    session_id, switch = entry.session_id, loaded.switch
    what = f"clone session {session_id}"
    _check_id(what, session_id)
    if session_id > _LAST_SESSION:
        raise invalid(f"{what} is out of range; valid are 1 to {_LAST_SESSION}")
    if change == p4r.Update.DELETE:
        with engine_errors():
            switch.clone_session_delete(session_id)
        return
    replicas = _replicas(what, entry.replicas, loaded.program.ports)
    if entry.packet_length_bytes < 0:
        raise invalid(f"{what} has packet_length_bytes {entry.packet_length_bytes}")
    attributes = (entry.class_of_service, entry.packet_length_bytes)
    with engine_errors():
        if change == p4r.Update.INSERT:
            switch.clone_session_insert(session_id, replicas, *attributes)
        else:
            switch.clone_session_modify(session_id, replicas, *attributes)


def _groups(loaded: LoadedProgram, group_id: int) -> list[p4r.MulticastGroupEntry]:
    with engine_errors():
        try:
            found = loaded.switch.multicast_group_read(group_id or None)
        except EntryNotFound:
            found = []
    return [
        p4r.MulticastGroupEntry(
            multicast_group_id=number,
            replicas=_messages(replicas, loaded.program.ports),
            metadata=loaded.group_metadata.get(number, b""),
        )
        for number, replicas in found
    ]


def _sessions(loaded: LoadedProgram, session_id: int) -> list[p4r.CloneSessionEntry]:
    with engine_errors():
        try:
            found = loaded.switch.clone_session_read(session_id or None)
        except EntryNotFound:
            found = []
    return [
        p4r.CloneSessionEntry(
            session_id=number,
            replicas=_messages(replicas, loaded.program.ports),
            class_of_service=class_of_service,
            packet_length_bytes=packet_length_bytes,
        )
        for number, replicas, class_of_service, packet_length_bytes in found
    ]


def _replicas(
    what: str, replicas: Iterable[p4r.Replica], names: SdnStrings | None
) -> list[Replica]:
    return [
        (
            _port(what, replica, names),
            _instance(what, replica.instance),
            [
                (_named_port(what, backup.port, names), _instance(what, backup.instance))
                for backup in replica.backup_replicas
            ],
        )
        for replica in replicas
    ]


def _instance(what: str, instance: int) -> int:
    if instance >= _INSTANCE_LIMIT:
        raise invalid(f"{what} has instance {instance}; valid: 0 to {_INSTANCE_LIMIT - 1}")
    return instance


def _port(what: str, replica: p4r.Replica, names: SdnStrings | None) -> int:
    """The port; `egress_port` is its older field."""
    match replica.WhichOneof("port_kind"):
        case "port":
            return _named_port(what, replica.port, names)
        case "egress_port":
            return ports.decode(replica.egress_port, f"{what} has a replica at", names)
        case _:
            raise invalid(f"{what} has a replica without port")


def _named_port(what: str, port: bytes, names: SdnStrings | None) -> int:
    if not port:
        raise RequestError(
            Code.OUT_OF_RANGE, f"{what} has a replica whose port is an empty byte string"
        )
    return ports.decode(port, f"{what} has a replica at", names)


def _messages(replicas: Iterable[Replica], names: SdnStrings | None) -> list[p4r.Replica]:
    return [
        p4r.Replica(
            port=ports.encode(port, names),
            instance=instance,
            backup_replicas=[
                p4r.BackupReplica(port=ports.encode(backup_port, names), instance=backup_instance)
                for backup_port, backup_instance in backups
            ],
        )
        for port, instance, backups in replicas
    ]


def _check_id(what: str, number: int) -> None:
    if number == 0:
        raise invalid(f"{what}: 0 is no id; it stands for all in reads")


KIND = Kind[p4r.PacketReplicationEngineEntry](
    name="packet_replication_engine_entry",
    object_id=lambda _: 0,
    write=write,
    read=read,
    wildcards=(p4r.Entity(packet_replication_engine_entry=p4r.PacketReplicationEngineEntry()),),
)
