"""Action profiles: Write and Read of members and groups (P4Runtime 1.5, section 9.2)."""

from collections.abc import Iterator

from finsy.proto import p4r

from p4abs_switch._engine import EntryNotFound
from p4abs_switch.entities.kind import Change, Kind
from p4abs_switch.messages import actions, weights
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.program.objects import ActionProfile
from p4abs_switch.status import Code, RequestError, engine_errors, invalid


def write_member(loaded: LoadedProgram, change: Change, entry: p4r.ActionProfileMember) -> None:
    """Applies one update of a member. Raises RequestError; then nothing was changed."""
    profile = loaded.program.profile(entry.action_profile_id)
    _check_id(profile, "member", entry.member_id)
    if change == p4r.Update.DELETE:
        with engine_errors():
            loaded.switch.profile_member_delete(profile.name, entry.member_id)
        return
    action = profile.actions.get(entry.action.action_id)
    if action is None:
        valid = ", ".join(f"{key:#010x} ({item.name})" for key, item in profile.actions.items())
        raise invalid(
            f"action profile {profile.name} has no action {entry.action.action_id:#010x};"
            f" valid: {valid or 'none'}"
        )
    values = actions.arguments(action, entry.action)
    with engine_errors():
        if change == p4r.Update.MODIFY:
            loaded.switch.profile_member_modify(profile.name, entry.member_id, action.name, values)
        else:
            _refuse_beside_one_shots(loaded, profile)
            loaded.switch.profile_member_insert(profile.name, entry.member_id, action.name, values)


def read_member(loaded: LoadedProgram, wanted: p4r.ActionProfileMember) -> Iterator[p4r.Entity]:
    """The members asked for: profile id 0 is every profile, member id 0 all of its members."""
    fetched = [
        (profile, member)
        for profile in _wanted(loaded, wanted.action_profile_id, wanted.member_id)
        for member in _members(loaded, profile, wanted.member_id)
    ]
    return (
        p4r.Entity(
            action_profile_member=p4r.ActionProfileMember(
                action_profile_id=profile.id,
                member_id=member_id,
                action=actions.call_message(
                    next(item for item in profile.actions.values() if item.name == action), values
                ),
            )
        )
        for profile, (member_id, action, values) in fetched
    )


def write_group(loaded: LoadedProgram, change: Change, entry: p4r.ActionProfileGroup) -> None:
    """Applies one update of a group. Raises RequestError; then nothing was changed."""
    profile = loaded.program.profile(entry.action_profile_id)
    if not profile.has_selector:
        raise invalid(f"action profile {profile.name} has no selector, and so no groups")
    _check_id(profile, "group", entry.group_id)
    place = (profile.name, entry.group_id)
    if change == p4r.Update.DELETE:
        with engine_errors():
            loaded.switch.profile_group_delete(*place)
        loaded.group_sizes.pop(place, None)
        return
    members = _group_members(loaded, profile, entry)
    if change == p4r.Update.MODIFY:
        with engine_errors():
            loaded.switch.profile_group_read(*place)
        max_size = _max_size(loaded, place)
        if entry.max_size != max_size:
            raise invalid(
                f"group {entry.group_id} of {profile.name} has max_size {max_size};"
                f" it cannot become {entry.max_size}"
            )
        with engine_errors():
            loaded.switch.profile_group_modify(*place, 0, members)
    else:
        with engine_errors():
            loaded.switch.profile_group_insert(*place, 0, members)
        loaded.group_sizes[place] = entry.max_size


def read_group(loaded: LoadedProgram, wanted: p4r.ActionProfileGroup) -> Iterator[p4r.Entity]:
    """The groups asked for: profile id 0 is every selector, group id 0 all of its groups."""
    fetched = [
        (profile, group, _max_size(loaded, (profile.name, group[0])))
        for profile in _wanted(loaded, wanted.action_profile_id, wanted.group_id)
        if profile.has_selector
        for group in _groups(loaded, profile, wanted.group_id)
    ]
    return (
        p4r.Entity(action_profile_group=_group(profile, number, max_size, members))
        for profile, (number, _, members), max_size in fetched
    )


def _max_size(loaded: LoadedProgram, place: tuple[str, int]) -> int:
    """What a group, by its profile and id, was made with. Made over Thrift, it has no bound: 0."""
    return loaded.group_sizes.get(place, 0)


def _group(
    profile: ActionProfile,
    group_id: int,
    max_size: int,
    members: list[tuple[int, int, int | None]],
) -> p4r.ActionProfileGroup:
    message = p4r.ActionProfileGroup(
        action_profile_id=profile.id, group_id=group_id, max_size=max_size
    )
    for member_id, weight, port in members:
        member = message.members.add(
            member_id=member_id, weight=weights.from_engine(profile, weight)
        )
        weights.set_watch_port(profile, member, port)
    return message


def _group_members(
    loaded: LoadedProgram, profile: ActionProfile, entry: p4r.ActionProfileGroup
) -> list[tuple[int, int, int | None]]:
    what = f"group {entry.group_id} of {profile.name}"
    ids = [member.member_id for member in entry.members]
    if len(set(ids)) < len(ids):
        raise invalid(f"{what} is given a member twice; give it a weight")
    given = [member.weight for member in entry.members]
    weights.check_members(profile, given)
    _check_max_size(profile, what, entry.max_size)
    size, limit = weights.group_size(profile, given), entry.max_size or profile.max_group_size
    if 0 < limit < size:
        raise RequestError(Code.RESOURCE_EXHAUSTED, f"{what} has size {size}; it holds {limit}")
    watched = [
        weights.watch_port(profile, what, member, member.WhichOneof("watch_kind"))
        for member in entry.members
    ]
    for port in watched:
        if port is not None:
            with engine_errors():
                loaded.switch.port_statistics(port)
    return list(zip(ids, weights.to_engine(profile, given), watched, strict=True))


def _check_max_size(profile: ActionProfile, what: str, max_size: int) -> None:
    """Section 9.2.2.1."""
    highest = profile.max_group_size
    if max_size < 0 or (highest and not 0 < max_size <= highest):
        valid = f"1 to {highest}" if highest else "at least 0"
        raise invalid(f"{what} has max_size {max_size}; valid: {valid}")
    if max_size > weights.LARGEST_GROUP:
        raise RequestError(
            Code.RESOURCE_EXHAUSTED,
            f"{what} has max_size {max_size}; the switch has groups of up to"
            f" {weights.LARGEST_GROUP}",
        )


def _refuse_beside_one_shots(loaded: LoadedProgram, profile: ActionProfile) -> None:
    """A selector's tables are programmed in one way only; members rule one-shots out."""
    if loaded.switch.profile_member_read(profile.name):
        return
    for table in loaded.program.tables.values():
        if table.profile is profile and any(
            entry.action[0] == "one_shot" for entry in loaded.switch.table_entries(table.name)
        ):
            raise invalid(
                f"{table.what} has entries with one-shot action sets: its action selector"
                f" {profile.name} takes no members"
            )


def _wanted(loaded: LoadedProgram, profile_id: int, number: int) -> list[ActionProfile]:
    if profile_id:
        return [loaded.program.profile(profile_id)]
    if number:
        raise invalid("a read of all action profiles cannot have a member or group id")
    return list(loaded.program.profiles.values())


def _members(
    loaded: LoadedProgram, profile: ActionProfile, member_id: int
) -> list[tuple[int, str, list[bytes]]]:
    with engine_errors():
        try:
            return loaded.switch.profile_member_read(profile.name, member_id or None)
        except EntryNotFound:
            return []


def _groups(
    loaded: LoadedProgram, profile: ActionProfile, group_id: int
) -> list[tuple[int, int, list[tuple[int, int, int | None]]]]:
    with engine_errors():
        try:
            return loaded.switch.profile_group_read(profile.name, group_id or None)
        except EntryNotFound:
            return []


def _check_id(profile: ActionProfile, kind: str, number: int) -> None:
    if number == 0:
        raise invalid(f"action profile {profile.name}: 0 is no {kind} id; valid: 1 to 2^32 - 1")


MEMBERS = Kind[p4r.ActionProfileMember](
    name="action_profile_member",
    object_id=lambda entry: entry.action_profile_id,
    write=write_member,
    read=read_member,
    wildcards=(p4r.Entity(action_profile_member=p4r.ActionProfileMember()),),
)
GROUPS = Kind[p4r.ActionProfileGroup](
    name="action_profile_group",
    object_id=lambda entry: entry.action_profile_id,
    write=write_group,
    read=read_group,
    wildcards=(p4r.Entity(action_profile_group=p4r.ActionProfileGroup()),),
)
