"""Members and groups of action profiles."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.actions import data_of
from p4abs_switch.runtime.profiles import (
    AlreadyInGroup,
    NotInGroup,
    UnknownGroup,
    UnknownMember,
    members_of,
)
from p4abs_switch.thrift.keys import action_of, data_told
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Binary, Text
from p4abs_switch.thrift.refusals import Inputs, TableCode, refusals
from p4abs_switch.thrift.structures import Group, Member
from p4abs_switch.thrift.target import Target, find

_INPUTS: Inputs = {
    UnknownMember: TableCode.INVALID_MBR_HANDLE,
    UnknownGroup: TableCode.INVALID_GRP_HANDLE,
    AlreadyInGroup: TableCode.MBR_ALREADY_IN_GRP,
    NotInGroup: TableCode.MBR_NOT_IN_GRP,
}


class Profiles:
    """`bm_mt_act_prof_...` calls."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_mt_act_prof_add_member(
        self, cxt_id: I32, act_prof_name: Text, action_name: Text, action_data: list[Binary]
    ) -> I32:
        profile = self._target.profile(act_prof_name)
        action = self._action(profile, action_name, action_data)
        with _refusals():
            return self._target.loaded.profiles.create_member(profile, action)

    def bm_mt_act_prof_delete_member(
        self, cxt_id: I32, act_prof_name: Text, mbr_handle: I32
    ) -> None:
        profile = self._target.profile(act_prof_name)
        with _refusals(used=TableCode.MBR_STILL_USED):
            self._target.loaded.profiles.delete_member(profile, mbr_handle)

    def bm_mt_act_prof_modify_member(
        self,
        cxt_id: I32,
        act_prof_name: Text,
        mbr_handle: I32,
        action_name: Text,
        action_data: list[Binary],
    ) -> None:
        profile = self._target.profile(act_prof_name)
        action = self._action(profile, action_name, action_data)
        with _refusals():
            self._target.loaded.profiles.modify_member(profile, mbr_handle, action)

    def bm_mt_act_prof_create_group(self, cxt_id: I32, act_prof_name: Text) -> I32:
        profile = self._selector(act_prof_name)
        with _refusals():
            return self._target.loaded.profiles.create_group(profile)

    def bm_mt_act_prof_delete_group(
        self, cxt_id: I32, act_prof_name: Text, grp_handle: I32
    ) -> None:
        profile = self._selector(act_prof_name)
        with _refusals(used=TableCode.GRP_STILL_USED):
            self._target.loaded.profiles.delete_group(profile, grp_handle)

    def bm_mt_act_prof_add_member_to_group(
        self, cxt_id: I32, act_prof_name: Text, mbr_handle: I32, grp_handle: I32
    ) -> None:
        profile = self._selector(act_prof_name)
        with _refusals():
            self._target.loaded.profiles.add_to_group(profile, mbr_handle, grp_handle)

    def bm_mt_act_prof_remove_member_from_group(
        self, cxt_id: I32, act_prof_name: Text, mbr_handle: I32, grp_handle: I32
    ) -> None:
        profile = self._selector(act_prof_name)
        with _refusals():
            self._target.loaded.profiles.remove_from_group(profile, mbr_handle, grp_handle)

    def bm_mt_act_prof_get_members(self, cxt_id: I32, act_prof_name: Text) -> list[Member]:
        members = self._target.loaded.profiles.members(self._target.profile(act_prof_name))
        return [self._member(*each) for each in sorted(members.items(), key=lambda pair: pair[0])]

    def bm_mt_act_prof_get_member(
        self, cxt_id: I32, act_prof_name: Text, mbr_handle: I32
    ) -> Member:
        profile = self._target.profile(act_prof_name)
        with _refusals():
            member = self._target.loaded.profiles.member(profile, mbr_handle)
        return self._member(mbr_handle, member)

    def bm_mt_act_prof_get_groups(self, cxt_id: I32, act_prof_name: Text) -> list[Group]:
        groups = self._target.loaded.profiles.groups(self._selector(act_prof_name))
        return [Group(handle, members_of(groups[handle])) for handle in sorted(groups)]

    def bm_mt_act_prof_get_group(self, cxt_id: I32, act_prof_name: Text, grp_handle: I32) -> Group:
        profile = self._selector(act_prof_name)
        with _refusals():
            group = self._target.loaded.profiles.group(profile, grp_handle)
        return Group(grp_handle, members_of(group))

    def _action(self, profile: p4i.ActionProfile, name: str, data: Sequence[bytes]) -> p4r.Action:
        actions = self._target.loaded.names.actions_of_profile(profile)
        return action_of(find("action", name, actions, TableCode.INVALID_ACTION_NAME), data)

    def _member(self, handle: int, member: p4r.ActionProfileMember) -> Member:
        declared = self._target.loaded.names.action_of_id(member.action.action_id)
        return Member(handle, declared.preamble.name, data_told(data_of(declared, member.action)))

    def _selector(self, name: str) -> p4i.ActionProfile:
        profile = self._target.profile(name)
        if not profile.with_selector:
            raise Refusal(TableCode.NO_ACTION_PROFILE_SELECTION, f"{name} has no groups")
        return profile


def _refusals(used: TableCode | None = None) -> AbstractContextManager[None]:
    return refusals(TableCode.ERROR, full=TableCode.TABLE_FULL, used=used, inputs=_INPUTS)
