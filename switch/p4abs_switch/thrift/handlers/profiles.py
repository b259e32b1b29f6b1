"""Members and groups of action profiles."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from p4abs_switch.bmv2.names import Profile
from p4abs_switch.thrift.actions import arguments_of, data_of
from p4abs_switch.thrift.handlers.told_entries import handle_of, profile_id
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Binary, Text
from p4abs_switch.thrift.refusals import TableCode, engine_refusals
from p4abs_switch.thrift.structures import Group, Member
from p4abs_switch.thrift.target import Target

_WEIGHT = 1  # BMv2's members have none


class Profiles:
    """`bm_mt_act_prof_...` calls."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_mt_act_prof_add_member(
        self, cxt_id: I32, act_prof_name: Text, action_name: Text, action_data: list[Binary]
    ) -> I32:
        profile = self._target.profile(act_prof_name)
        arguments = arguments_of(profile.actions, action_name, action_data)
        engine = self._target.engine
        number = _lowest_free(number for number, *_ in engine.profile_member_read(profile.name))
        with engine_refusals(TableCode.ERROR, full=TableCode.TABLE_FULL):
            engine.profile_member_insert(profile.name, number, action_name, arguments)
        return handle_of(number)

    def bm_mt_act_prof_delete_member(
        self, cxt_id: I32, act_prof_name: Text, mbr_handle: I32
    ) -> None:
        profile = self._target.profile(act_prof_name)
        with _member_refusals():
            self._target.engine.profile_member_delete(profile.name, profile_id(mbr_handle))

    def bm_mt_act_prof_modify_member(
        self,
        cxt_id: I32,
        act_prof_name: Text,
        mbr_handle: I32,
        action_name: Text,
        action_data: list[Binary],
    ) -> None:
        profile = self._target.profile(act_prof_name)
        arguments = arguments_of(profile.actions, action_name, action_data)
        with _member_refusals():
            self._target.engine.profile_member_modify(
                profile.name, profile_id(mbr_handle), action_name, arguments
            )

    def bm_mt_act_prof_create_group(self, cxt_id: I32, act_prof_name: Text) -> I32:
        profile = self._selector(act_prof_name)
        engine = self._target.engine
        number = _lowest_free(number for number, *_ in engine.profile_group_read(profile.name))
        with engine_refusals(TableCode.ERROR, full=TableCode.TABLE_FULL):
            engine.profile_group_insert(profile.name, number, 0, [])
        return handle_of(number)

    def bm_mt_act_prof_delete_group(
        self, cxt_id: I32, act_prof_name: Text, grp_handle: I32
    ) -> None:
        profile = self._selector(act_prof_name)
        with engine_refusals(TableCode.INVALID_GRP_HANDLE, used=TableCode.GRP_STILL_USED):
            self._target.engine.profile_group_delete(profile.name, profile_id(grp_handle))

    def bm_mt_act_prof_add_member_to_group(
        self, cxt_id: I32, act_prof_name: Text, mbr_handle: I32, grp_handle: I32
    ) -> None:
        profile = self._selector(act_prof_name)
        self._member(profile, mbr_handle)
        members = self._group(profile, grp_handle).members
        if mbr_handle in members:
            reason = f"member {mbr_handle} is in group {grp_handle}"
            raise Refusal(TableCode.MBR_ALREADY_IN_GRP, reason)
        self._set_members(profile, grp_handle, [*members, mbr_handle])

    def bm_mt_act_prof_remove_member_from_group(
        self, cxt_id: I32, act_prof_name: Text, mbr_handle: I32, grp_handle: I32
    ) -> None:
        profile = self._selector(act_prof_name)
        self._member(profile, mbr_handle)
        members = self._group(profile, grp_handle).members
        if mbr_handle not in members:
            reason = f"member {mbr_handle} is not in group {grp_handle}"
            raise Refusal(TableCode.MBR_NOT_IN_GRP, reason)
        remaining = [member for member in members if member != mbr_handle]
        self._set_members(profile, grp_handle, remaining)

    def bm_mt_act_prof_get_members(self, cxt_id: I32, act_prof_name: Text) -> list[Member]:
        profile = self._target.profile(act_prof_name)
        found = self._target.engine.profile_member_read(profile.name)
        return [_member_told(*each) for each in sorted(found)]

    def bm_mt_act_prof_get_member(
        self, cxt_id: I32, act_prof_name: Text, mbr_handle: I32
    ) -> Member:
        return self._member(self._target.profile(act_prof_name), mbr_handle)

    def bm_mt_act_prof_get_groups(self, cxt_id: I32, act_prof_name: Text) -> list[Group]:
        profile = self._selector(act_prof_name)
        found = sorted(
            number for number, *_ in self._target.engine.profile_group_read(profile.name)
        )
        return [self._group(profile, handle_of(number)) for number in found]

    def bm_mt_act_prof_get_group(self, cxt_id: I32, act_prof_name: Text, grp_handle: I32) -> Group:
        return self._group(self._selector(act_prof_name), grp_handle)

    def _member(self, profile: Profile, handle: int) -> Member:
        with _member_refusals():
            found = self._target.engine.profile_member_read(profile.name, profile_id(handle))
        return _member_told(*found[0])

    def _group(self, profile: Profile, handle: int) -> Group:
        code = TableCode.INVALID_GRP_HANDLE
        with engine_refusals(code):
            found = self._target.engine.profile_group_read(profile.name, profile_id(handle))
        return Group(handle, [handle_of(member) for member, *_ in found[0][2]])

    def _set_members(self, profile: Profile, handle: int, members: Sequence[int]) -> None:
        weighed = [(profile_id(member), _WEIGHT, None) for member in members]
        with engine_refusals(TableCode.ERROR, full=TableCode.TABLE_FULL):
            self._target.engine.profile_group_modify(profile.name, profile_id(handle), 0, weighed)

    def _selector(self, name: str) -> Profile:
        profile = self._target.profile(name)
        if not profile.selects:
            raise Refusal(TableCode.NO_ACTION_PROFILE_SELECTION, f"{name} has no groups")
        return profile


def _member_refusals() -> AbstractContextManager[None]:
    return engine_refusals(TableCode.INVALID_MBR_HANDLE, used=TableCode.MBR_STILL_USED)


def _member_told(number: int, action: str, arguments: Iterable[bytes]) -> Member:
    return Member(handle_of(number), action, data_of(arguments))


def _lowest_free(used: Iterable[int]) -> int:
    """The number of what is added next, as BMv2 counts, but from 1."""
    taken = set(used)
    return next(number for number in range(1, len(taken) + 2) if number not in taken)
