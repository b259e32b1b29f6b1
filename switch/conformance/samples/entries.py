"""An entry for each table of a P4Info, made without looking at the program.

A table that takes its actions from a profile has a member there and, if a selector chooses, a
group.
"""

from collections.abc import Iterator

from p4abs_switch import bytestring
from p4abs_switch.protobuf import p4i, p4r

Named = tuple[str, p4r.Entity]
"""An entity, and what it is called."""

_MEMBER = _GROUP = _PRIORITY = 1
_VALUE = 1
_STRING = b"p"
_WITH_PRIORITY = (p4i.MatchField.TERNARY, p4i.MatchField.RANGE, p4i.MatchField.OPTIONAL)


def entries(p4info: p4i.P4Info) -> Iterator[Named]:
    """What is inserted, in an order in which it can be."""
    actions = {action.preamble.id: action for action in p4info.actions}
    for profile in p4info.action_profiles:
        yield from _of_profile(profile, p4info, actions)
    for table in p4info.tables:
        entry = _entry(table, p4info, actions)
        if entry is not None:
            yield f"table {table.preamble.alias}", p4r.Entity(table_entry=entry)


def _of_profile(
    profile: p4i.ActionProfile, p4info: p4i.P4Info, actions: dict[int, p4i.Action]
) -> Iterator[Named]:
    number = profile.preamble.id
    users = [table for table in p4info.tables if table.preamble.id in profile.table_ids]
    action = next((found for table in users if (found := _action(table, actions))), None)
    if action is None:
        return
    member = p4r.ActionProfileMember(action_profile_id=number, member_id=_MEMBER, action=action)
    yield f"member {profile.preamble.alias}", p4r.Entity(action_profile_member=member)
    if profile.with_selector:
        group = p4r.ActionProfileGroup(action_profile_id=number, group_id=_GROUP, max_size=1)
        group.members.add(member_id=_MEMBER, weight=1)
        yield f"group {profile.preamble.alias}", p4r.Entity(action_profile_group=group)


def _entry(
    table: p4i.Table, p4info: p4i.P4Info, actions: dict[int, p4i.Action]
) -> p4r.TableEntry | None:
    """None where no action can be an entry's, or a table has no key."""
    action = _action(table, actions)
    if action is None or not table.match_fields:
        return None
    entry = p4r.TableEntry(table_id=table.preamble.id)
    entry.match.extend(_match(field) for field in table.match_fields)
    if any(field.match_type in _WITH_PRIORITY for field in table.match_fields):
        entry.priority = _PRIORITY
    selected = {profile.preamble.id: profile.with_selector for profile in p4info.action_profiles}
    match selected.get(table.implementation_id):
        case None:
            entry.action.action.CopyFrom(action)
        case True:
            entry.action.action_profile_group_id = _GROUP
        case False:
            entry.action.action_profile_member_id = _MEMBER
    return entry


def _action(table: p4i.Table, actions: dict[int, p4i.Action]) -> p4r.Action | None:
    """The first that entries may have."""
    for reference in table.action_refs:
        if reference.scope != p4i.ActionRef.DEFAULT_ONLY:
            action = p4r.Action(action_id=reference.id)
            for param in actions[reference.id].params:
                action.params.add(param_id=param.id, value=_value(param.bitwidth))
            return action
    return None


def _match(field: p4i.MatchField) -> p4r.FieldMatch:
    match, width = p4r.FieldMatch(field_id=field.id), field.bitwidth
    value = _value(width)
    match field.match_type:
        case p4i.MatchField.LPM:
            match.lpm.value = bytestring.encode(1 << (width - 1)) if width else value
            match.lpm.prefix_len = (width + 1) // 2
        case p4i.MatchField.TERNARY:
            match.ternary.value = match.ternary.mask = value
        case p4i.MatchField.RANGE:
            match.range.low = match.range.high = value
        case p4i.MatchField.OPTIONAL:
            match.optional.value = value
        case _:
            match.exact.value = value
    return match


def _value(width_bits: int) -> bytes:
    """A number; a text where a type is translated to strings, which has no width."""
    return bytestring.encode(_VALUE) if width_bits else _STRING
