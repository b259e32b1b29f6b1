"""A form of entities in which two with the same meaning are equal, whichever switch wrote them."""

from collections.abc import Hashable, Iterable
from typing import Any

from finsy.proto import p4r
from google.protobuf.message import Message


def identity(entity: p4r.Entity) -> Hashable:
    """The key that distinguishes an entry, a group or a session from others."""
    if entity.HasField("table_entry"):
        entry = entity.table_entry
        match = _plain(entry.match)
        return ("table", entry.table_id, entry.is_default_action, entry.priority, match)
    found = entity.packet_replication_engine_entry
    if found.HasField("multicast_group_entry"):
        return ("group", found.multicast_group_entry.multicast_group_id)
    return ("session", found.clone_session_entry.session_id)


def content(entity: p4r.Entity) -> Hashable:
    """The rest that a file says of one: its action, or its replicas and their settings."""
    if entity.HasField("table_entry"):
        return _plain(entity.table_entry.action)
    found = entity.packet_replication_engine_entry
    if found.HasField("multicast_group_entry"):
        return _replicas(found.multicast_group_entry.replicas)
    session = found.clone_session_entry
    replicas = _replicas(session.replicas)
    return (replicas, session.packet_length_bytes, session.class_of_service)


def call(action_id: int, arguments: Iterable[Any]) -> Hashable:
    """The content of an entry with this action; each argument has a param_id and a value."""
    message = p4r.TableAction(action=p4r.Action(action_id=action_id))
    for each in arguments:
        message.action.params.add(param_id=each.param_id, value=each.value)
    return _plain(message)


def _replicas(replicas: Iterable[p4r.Replica]) -> Hashable:
    """A port is in one of two fields."""
    return frozenset(
        (
            each.egress_port or int.from_bytes(each.port, "big"),
            each.instance,
            _plain(each.backup_replicas),
        )
        for each in replicas
    )


def _plain(value: Any) -> Hashable:
    """Byte strings are numbers of any length. The order of repeated fields has no meaning."""
    if isinstance(value, bytes):
        return int.from_bytes(value, "big")
    if isinstance(value, Message):
        return frozenset((field.name, _plain(part)) for field, part in value.ListFields())
    if isinstance(value, str | int | float):
        return value
    return frozenset(map(_plain, value))
