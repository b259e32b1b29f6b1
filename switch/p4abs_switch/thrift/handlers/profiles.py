"""Members and groups of action profiles."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, TypeAlias

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.actions import data_of
from p4abs_switch.runtime.profiles import (
    AlreadyInGroup,
    NotInGroup,
    UnknownGroup,
    UnknownMember,
    members_of,
)
from p4abs_switch.thrift.handlers.handler import OfTarget, Profile, find, profile_of
from p4abs_switch.thrift.keys import action_of, data_told
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Binary, Meaning, Text
from p4abs_switch.thrift.refusals import Codes, TableCode, refusals
from p4abs_switch.thrift.structures import Group, Member
from p4abs_switch.thrift.target import Target

_CODES = Codes(
    other=TableCode.ERROR,
    full=TableCode.TABLE_FULL,
    inputs={
        UnknownMember: TableCode.INVALID_MBR_HANDLE,
        UnknownGroup: TableCode.INVALID_GRP_HANDLE,
        AlreadyInGroup: TableCode.MBR_ALREADY_IN_GRP,
        NotInGroup: TableCode.MBR_NOT_IN_GRP,
    },
)


def _selector(target: Target, name: str) -> p4i.ActionProfile:
    profile = profile_of(target, name)
    if not profile.with_selector:
        raise Refusal(TableCode.NO_ACTION_PROFILE_SELECTION, f"{name} has no groups")
    return profile


Selector: TypeAlias = Annotated[p4i.ActionProfile, Meaning(Text, _selector)]


class Profiles(OfTarget):
    """`bm_mt_act_prof_...` calls."""

    codes = _CODES

    def bm_mt_act_prof_add_member(
        self, profile: Profile, action_name: Text, action_data: list[Binary]
    ) -> I32:
        action = self._action(profile, action_name, action_data)
        return self._loaded.profiles.create_member(profile, action)

    def bm_mt_act_prof_delete_member(self, profile: Profile, member: I32) -> None:
        with refusals(replace(_CODES, used=TableCode.MBR_STILL_USED)):
            self._loaded.profiles.delete_member(profile, member)

    def bm_mt_act_prof_modify_member(
        self, profile: Profile, member: I32, action_name: Text, action_data: list[Binary]
    ) -> None:
        action = self._action(profile, action_name, action_data)
        self._loaded.profiles.modify_member(profile, member, action)

    def bm_mt_act_prof_create_group(self, profile: Selector) -> I32:
        return self._loaded.profiles.create_group(profile)

    def bm_mt_act_prof_delete_group(self, profile: Selector, group: I32) -> None:
        with refusals(replace(_CODES, used=TableCode.GRP_STILL_USED)):
            self._loaded.profiles.delete_group(profile, group)

    def bm_mt_act_prof_add_member_to_group(
        self, profile: Selector, member: I32, group: I32
    ) -> None:
        self._loaded.profiles.add_to_group(profile, member, group)

    def bm_mt_act_prof_remove_member_from_group(
        self, profile: Selector, member: I32, group: I32
    ) -> None:
        self._loaded.profiles.remove_from_group(profile, member, group)

    def bm_mt_act_prof_get_members(self, profile: Profile) -> list[Member]:
        members = self._loaded.profiles.members(profile)
        return [self._member(handle, members[handle]) for handle in sorted(members)]

    def bm_mt_act_prof_get_member(self, profile: Profile, member: I32) -> Member:
        return self._member(member, self._loaded.profiles.member(profile, member))

    def bm_mt_act_prof_get_groups(self, profile: Selector) -> list[Group]:
        groups = self._loaded.profiles.groups(profile)
        return [Group(handle, members_of(groups[handle])) for handle in sorted(groups)]

    def bm_mt_act_prof_get_group(self, profile: Selector, group: I32) -> Group:
        return Group(group, members_of(self._loaded.profiles.group(profile, group)))

    def _action(self, profile: p4i.ActionProfile, name: str, data: Sequence[bytes]) -> p4r.Action:
        actions = self._loaded.names.actions_of_profile(profile)
        return action_of(find("action", name, actions, TableCode.INVALID_ACTION_NAME), data)

    def _member(self, handle: int, member: p4r.ActionProfileMember) -> Member:
        declared = self._loaded.names.action_of_id(member.action.action_id)
        return Member(handle, declared.preamble.name, data_told(data_of(declared, member.action)))
