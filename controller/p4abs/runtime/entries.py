"""Entries of runtime files as P4Runtime updates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from finsy.proto import p4i, p4r

from p4abs.runtime import rules
from p4abs.runtime.values import RuntimeFileError, encode, is_what, masked, shown

Entry = Mapping[str, Any]

_TABLE_KEYS = ("table", "match", "priority", "default_action", "action_name", "action_params")
_LAST_CLONE_SESSION = 2**15 - 1
_LAST_GROUP = 2**16 - 1
_LAST_INSTANCE = 2**16 - 1
_LAST_PORT = 510
_MAX_INT32 = 2**31 - 1
_MAX_UINT32 = 2**32 - 1


def table_entry(p4info: p4i.P4Info, entry: Entry) -> p4r.Update:
    """A table entry to insert, or the default entry of a table to set. Raises RuntimeFileError."""
    _refuse_unknown(entry, _TABLE_KEYS)
    table = _named("table", entry.get("table"), p4info.tables)
    message = p4r.TableEntry(
        table_id=table.preamble.id, priority=_whole(entry, "priority", 0, _MAX_INT32)
    )
    is_default = entry.get("default_action")
    if not (is_default is None or isinstance(is_default, bool)):
        raise RuntimeFileError(f'"default_action" {is_what(is_default)}; valid: true or false')
    message.is_default_action = bool(is_default)
    for name, value in _mapping(entry, "match").items():
        match = _field_match(table, name, value)
        if match is not None:
            message.match.append(match)
    if entry.get("action_name") is not None:
        message.action.action.CopyFrom(_action(p4info, table, entry))
    rules.check(p4info, table, message)
    kind = p4r.Update.MODIFY if message.is_default_action else p4r.Update.INSERT
    return p4r.Update(type=kind, entity=p4r.Entity(table_entry=message))


def multicast_group(entry: Entry) -> p4r.Update:
    """A multicast group to insert. Raises RuntimeFileError."""
    _refuse_unknown(entry, ("multicast_group_id", "replicas"))
    group = p4r.MulticastGroupEntry(
        multicast_group_id=_whole(entry, "multicast_group_id", maximum=_LAST_GROUP, minimum=1),
        replicas=_replicas(entry),
    )
    return _replication(p4r.PacketReplicationEngineEntry(multicast_group_entry=group))


def clone_session(entry: Entry) -> p4r.Update:
    """A clone session to insert. Raises RuntimeFileError."""
    _refuse_unknown(
        entry, ("clone_session_id", "replicas", "packet_length_bytes", "class_of_service")
    )
    session = p4r.CloneSessionEntry(
        session_id=_whole(entry, "clone_session_id", maximum=_LAST_CLONE_SESSION, minimum=1),
        replicas=_replicas(entry),
        packet_length_bytes=_whole(entry, "packet_length_bytes", 0, _MAX_INT32),
        class_of_service=_whole(entry, "class_of_service", 0),
    )
    return _replication(p4r.PacketReplicationEngineEntry(clone_session_entry=session))


def _replication(entry: p4r.PacketReplicationEngineEntry) -> p4r.Update:
    entity = p4r.Entity(packet_replication_engine_entry=entry)
    return p4r.Update(type=p4r.Update.INSERT, entity=entity)


def _replicas(entry: Entry) -> list[p4r.Replica]:
    replicas = entry.get("replicas")
    if not isinstance(replicas, list):
        raise RuntimeFileError('"replicas" must be a list of {"egress_port": 1, "instance": 1}')
    messages: list[p4r.Replica] = []
    for position, replica in enumerate(replicas):
        try:
            message = _replica(replica)
            if message in messages:
                raise RuntimeFileError(f"the same as replicas[{messages.index(message)}]")
            messages.append(message)
        except RuntimeFileError as error:
            raise RuntimeFileError(f"replicas[{position}]: {error}") from None
    return messages


def _replica(replica: Entry) -> p4r.Replica:
    """The number of the port in its older field, which every server understands."""
    _refuse_unknown(replica, ("egress_port", "instance"))
    return p4r.Replica(
        egress_port=_whole(replica, "egress_port", maximum=_LAST_PORT),
        instance=_whole(replica, "instance", 0, _LAST_INSTANCE),
    )


def _field_match(table: p4i.Table, name: str, value: object) -> p4r.FieldMatch | None:
    """The match of a key field; none for a don't-care field, which P4Runtime omits."""
    field = _named(f"key field of table {table.preamble.name}", name, table.match_fields)
    what, width = f"key field {name} of table {table.preamble.name}", field.bitwidth
    message = p4r.FieldMatch(field_id=field.id)
    match field.match_type:
        case p4i.MatchField.EXACT:
            message.exact.value = encode(value, width, what)
        case p4i.MatchField.OPTIONAL:
            message.optional.value = encode(value, width, what)
        case p4i.MatchField.LPM:
            prefix, length = _pair(value, what, "prefix length")
            if type(length) is not int or not 0 <= length <= width:
                raise RuntimeFileError(
                    f"{what} has prefix length {shown(length)}; valid: 0 to {width}"
                )
            mask = (1 << width) - (1 << (width - length))
            message.lpm.value = masked(encode(prefix, width, what), mask)
            message.lpm.prefix_len = length
            return message if length else None
        case p4i.MatchField.TERNARY:
            pattern, mask_value = _pair(value, what, "mask")
            message.ternary.mask = encode(mask_value, width, f"mask of {what}")
            mask = int.from_bytes(message.ternary.mask, "big")
            message.ternary.value = masked(encode(pattern, width, what), mask)
            return message if mask else None
        case p4i.MatchField.RANGE:
            low, high = _pair(value, what, "high end")
            message.range.low = encode(low, width, f"low end of {what}")
            message.range.high = encode(high, width, f"high end of {what}")
            if int.from_bytes(message.range.low, "big") > int.from_bytes(message.range.high, "big"):
                raise RuntimeFileError(
                    f"{what} is {shown(value)}: the low end must not be above the high end"
                )
            everything = (encode(0, width, what), encode((1 << width) - 1, width, what))
            return None if (message.range.low, message.range.high) == everything else message
        case _:
            raise RuntimeFileError(f"{what} has a match type that runtime files cannot write")
    return message


def _action(p4info: p4i.P4Info, table: p4i.Table, entry: Entry) -> p4r.Action:
    offered = {reference.id for reference in table.action_refs}
    actions = [action for action in p4info.actions if action.preamble.id in offered]
    action = _named(f"action of table {table.preamble.name}", entry["action_name"], actions)
    message = p4r.Action(action_id=action.preamble.id)
    for name, value in _mapping(entry, "action_params").items():
        parameter = _named(f"parameter of action {action.preamble.name}", name, action.params)
        what = f"parameter {name} of action {action.preamble.name}"
        message.params.add(param_id=parameter.id, value=encode(value, parameter.bitwidth, what))
    return message


def _pair(value: object, what: str, second: str) -> tuple[object, object]:
    if not isinstance(value, list) or len(value) != 2:
        raise RuntimeFileError(f"{what} {is_what(value)}; valid: a list of value and {second}")
    return value[0], value[1]


def _mapping(entry: Entry, key: str) -> Mapping[str, object]:
    value = entry.get(key) or {}
    if not isinstance(value, dict):
        raise RuntimeFileError(f'"{key}" is {shown(value)}; it must be an object')
    return value


def _whole(
    entry: Entry,
    key: str,
    default: int | None = None,
    maximum: int = _MAX_UINT32,
    *,
    minimum: int = 0,
) -> int:
    value = entry.get(key)
    value = default if value is None else value
    if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
        raise RuntimeFileError(f'"{key}" {is_what(value)}; valid: {minimum} to {maximum}')
    return value


def is_comment(key: str) -> bool:
    """Whether a key is a comment."""
    return key.startswith("_") or key == "comment"


def _refuse_unknown(entry: object, valid: Sequence[str]) -> None:
    if not isinstance(entry, dict):
        raise RuntimeFileError(f"{shown(entry)} must be an object with the keys {', '.join(valid)}")
    for key in entry:
        if key not in valid and not is_comment(key):
            raise RuntimeFileError(f"unknown key {shown(key)}; valid: {', '.join(valid)}")


_Item = TypeVar("_Item")


def _named(kind: str, name: object, items: Iterable[_Item]) -> _Item:
    """The table, action, key field or parameter of a name. Raises RuntimeFileError, which lists
    what there is."""
    valid = []
    for item in items:
        # Tables and actions have two names, the full one first.
        called: Any = getattr(item, "preamble", item)
        if name in (called.name, getattr(called, "alias", called.name)):
            return item
        valid.append(called.name)
    fault = f"the {kind} is missing" if name is None else f"no {kind} is named {shown(name)}"
    raise RuntimeFileError(f"{fault}; valid: {', '.join(valid) or 'none'}")
