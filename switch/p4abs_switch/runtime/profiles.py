"""Members and groups of action profiles.

BMv2 numbers members and groups from 0, P4Runtime lets its client choose ids from 1: handle h is
id h + 1, and what is created gets the lowest handle that is free.
"""

from collections.abc import Collection, Iterable

from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.switch import Switch


class UnknownMember(InputError):
    """A profile has no member of this handle."""


class UnknownGroup(InputError):
    """A profile has no group of this handle."""


class AlreadyInGroup(InputError):
    """A group has this member already."""


class NotInGroup(InputError):
    """A group has no such member."""


class Profiles:
    """A switch's profiles."""

    def __init__(self, switch: Switch) -> None:
        self._switch = switch

    def members(self, profile: p4i.ActionProfile) -> dict[int, p4r.ActionProfileMember]:
        """By handle."""
        wanted = p4r.ActionProfileMember(action_profile_id=profile.preamble.id)
        found = self._switch.read(action_profile_member=wanted)
        members = (each.action_profile_member for each in found)
        return {each.member_id - 1: each for each in members}

    def groups(self, profile: p4i.ActionProfile) -> dict[int, p4r.ActionProfileGroup]:
        """By handle."""
        wanted = p4r.ActionProfileGroup(action_profile_id=profile.preamble.id)
        found = self._switch.read(action_profile_group=wanted)
        groups = (each.action_profile_group for each in found)
        return {each.group_id - 1: each for each in groups}

    def member(self, profile: p4i.ActionProfile, handle: int) -> p4r.ActionProfileMember:
        """Raises UnknownMember."""
        members = self.members(profile)
        if handle not in members:
            raise UnknownMember(_missing(profile, "member", handle, members))
        return members[handle]

    def group(self, profile: p4i.ActionProfile, handle: int) -> p4r.ActionProfileGroup:
        """Raises UnknownGroup."""
        groups = self.groups(profile)
        if handle not in groups:
            raise UnknownGroup(_missing(profile, "group", handle, groups))
        return groups[handle]

    def create_member(self, profile: p4i.ActionProfile, action: p4r.Action) -> int:
        """Returns its handle."""
        handle = _lowest_free(self.members(profile))
        self._switch.insert(action_profile_member=_member(profile, handle, action))
        return handle

    def modify_member(self, profile: p4i.ActionProfile, handle: int, action: p4r.Action) -> None:
        """Raises UnknownMember."""
        self.member(profile, handle)
        self._switch.modify(action_profile_member=_member(profile, handle, action))

    def delete_member(self, profile: p4i.ActionProfile, handle: int) -> None:
        """Raises UnknownMember."""
        self._switch.delete(action_profile_member=self.member(profile, handle))

    def create_group(self, profile: p4i.ActionProfile) -> int:
        """Returns its handle."""
        handle = _lowest_free(self.groups(profile))
        group = p4r.ActionProfileGroup(
            action_profile_id=profile.preamble.id,
            group_id=handle + 1,
            max_size=profile.max_group_size,
        )
        self._switch.insert(action_profile_group=group)
        return handle

    def delete_group(self, profile: p4i.ActionProfile, handle: int) -> None:
        """Raises UnknownGroup."""
        self._switch.delete(action_profile_group=self.group(profile, handle))

    def add_to_group(self, profile: p4i.ActionProfile, member: int, handle: int) -> None:
        """Raises UnknownGroup, UnknownMember, AlreadyInGroup."""
        group = self.group(profile, handle)
        self.member(profile, member)
        if member in members_of(group):
            raise AlreadyInGroup(f"group {handle} has member {member} already")
        group.members.add(member_id=member + 1, weight=1)
        self._switch.modify(action_profile_group=group)

    def remove_from_group(self, profile: p4i.ActionProfile, member: int, handle: int) -> None:
        """Raises UnknownGroup, UnknownMember, NotInGroup."""
        group = self.group(profile, handle)
        self.member(profile, member)
        if member not in members_of(group):
            valid = _listed(members_of(group))
            raise NotInGroup(f"group {handle} has no member {member}; valid: {valid}")
        kept = [each for each in group.members if each.member_id != member + 1]
        del group.members[:]
        group.members.extend(kept)
        self._switch.modify(action_profile_group=group)


def members_of(group: p4r.ActionProfileGroup) -> list[int]:
    """The handles of its members."""
    return [each.member_id - 1 for each in group.members]


def _member(profile: p4i.ActionProfile, handle: int, action: p4r.Action) -> p4r.ActionProfileMember:
    return p4r.ActionProfileMember(
        action_profile_id=profile.preamble.id, member_id=handle + 1, action=action
    )


def _lowest_free(used: Collection[int]) -> int:
    return next(handle for handle in range(len(used) + 1) if handle not in used)


def _missing(profile: p4i.ActionProfile, kind: str, handle: int, handles: Collection[int]) -> str:
    name, valid = profile.preamble.name, _listed(sorted(handles))
    return f"action profile {name} has no {kind} {handle}; valid: {valid}"


def _listed(handles: Iterable[int]) -> str:
    return ", ".join(map(str, handles)) or "none"
