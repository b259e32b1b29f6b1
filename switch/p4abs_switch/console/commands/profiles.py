"""Members and groups of action profiles."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

from p4abs_switch.console import actions
from p4abs_switch.console.commands.arguments import Profile, number
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.values import GREATEST_ID
from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.profiles import members_of


def _selector(group: Group, name: str) -> p4i.ActionProfile:
    profile = group.names.profile(name)
    if not profile.with_selector:
        raise InputError(f"action profile {profile.preamble.name} has no selector, so no groups")
    return profile


# Handles whose ids P4Runtime can hold.
Member: TypeAlias = Annotated[int, number("the member", GREATEST_ID - 1)]
GroupHandle: TypeAlias = Annotated[int, number("the group", GREATEST_ID - 1)]
Selector: TypeAlias = Annotated[p4i.ActionProfile, _selector]


class ProfileCommands(Group):
    """`act_prof_create_member` and its kin."""

    def do_act_prof_create_member(self, profile: Profile, action: str, *parameters: str) -> None:
        """Create a member: act_prof_create_member <profile> <action> <parameters>"""
        built = self._of_profile(profile, action, parameters)
        handle = self.objects.profiles.create_member(profile, built)
        self.say(f"Member has been created with handle {handle}")

    def do_act_prof_modify_member(
        self, profile: Profile, action: str, member: Member, *parameters: str
    ) -> None:
        """Change a member: act_prof_modify_member <profile> <action> <member> <parameters>"""
        given = parameters[1:] if parameters[:1] == ("=>",) else parameters
        built = self._of_profile(profile, action, given)
        self.objects.profiles.modify_member(profile, member, built)

    def do_act_prof_delete_member(self, profile: Profile, member: Member) -> None:
        """Delete a member: act_prof_delete_member <profile> <member>"""
        self.objects.profiles.delete_member(profile, member)

    def do_act_prof_create_group(self, profile: Selector) -> None:
        """Create a group: act_prof_create_group <profile>"""
        handle = self.objects.profiles.create_group(profile)
        self.say(f"Group has been created with handle {handle}")

    def do_act_prof_delete_group(self, profile: Selector, group: GroupHandle) -> None:
        """Delete a group: act_prof_delete_group <profile> <group>"""
        self.objects.profiles.delete_group(profile, group)

    def do_act_prof_add_member_to_group(
        self, profile: Selector, member: Member, group: GroupHandle
    ) -> None:
        """Add a member to a group: act_prof_add_member_to_group <profile> <member> <group>"""
        self.objects.profiles.add_to_group(profile, member, group)

    def do_act_prof_remove_member_from_group(
        self, profile: Selector, member: Member, group: GroupHandle
    ) -> None:
        """Remove a member: act_prof_remove_member_from_group <profile> <member> <group>"""
        self.objects.profiles.remove_from_group(profile, member, group)

    def do_act_prof_dump(self, profile: Profile) -> None:
        """Show members and groups: act_prof_dump <profile>"""
        self.dump_profile(profile)

    def do_act_prof_dump_member(self, profile: Profile, member: Member) -> None:
        """Show a member: act_prof_dump_member <profile> <member>"""
        self._dump_member(self.objects.profiles.member(profile, member))

    def do_act_prof_dump_group(self, profile: Selector, group: GroupHandle) -> None:
        """Show a group: act_prof_dump_group <profile> <group>"""
        self._dump_group(self.objects.profiles.group(profile, group))

    def dump_profile(self, profile: p4i.ActionProfile) -> None:
        """Shows members and groups."""
        self.say("==========\nMEMBERS")
        for member in self.objects.profiles.members(profile).values():
            self.say("**********")
            self._dump_member(member)
        if profile.with_selector:
            self.say("==========\nGROUPS")
            for group in self.objects.profiles.groups(profile).values():
                self.say("**********")
                self._dump_group(group)

    def _dump_member(self, member: p4r.ActionProfileMember) -> None:
        self.say(f"Dumping member {member.member_id - 1}")
        self.say(actions.text(self.names, member.action))

    def _dump_group(self, group: p4r.ActionProfileGroup) -> None:
        members = ", ".join(map(str, members_of(group)))
        self.say(f"Dumping group {group.group_id - 1}\nMembers: [{members}]")

    def _of_profile(
        self, profile: p4i.ActionProfile, name: str, parameters: Sequence[str]
    ) -> p4r.Action:
        return actions.action_of(self.names.action_of_profile(name, profile), parameters)
