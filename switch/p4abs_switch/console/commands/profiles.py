"""Members and groups of action profiles."""

from collections.abc import Sequence

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.console import actions
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import GREATEST_ID, whole, words
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.profiles import Profiles, members_of
from p4abs_switch.runtime.tables import Tables


class ProfileCommands(Group):
    """`act_prof_create_member` and its kin."""

    def __init__(self, session: Session, tables: Tables) -> None:
        super().__init__(session, tables)
        self._profiles = Profiles(session)

    def do_act_prof_create_member(self, line: str) -> None:
        """Create a member: act_prof_create_member <profile> <action> <parameters>"""
        name, action, *parameters = words(line, "profile action", more=True)
        profile = self.names.profile(name)
        built = self._of_profile(profile, action, parameters)
        handle = self._profiles.create_member(profile, built)
        self.say(f"Member has been created with handle {handle}")

    def do_act_prof_modify_member(self, line: str) -> None:
        """Change a member: act_prof_modify_member <profile> <action> <member> <parameters>"""
        name, action, text, *parameters = words(line, "profile action member", more=True)
        given = parameters[1:] if parameters[:1] == ["=>"] else parameters
        profile, member = self.names.profile(name), _member(text)
        self._profiles.modify_member(profile, member, self._of_profile(profile, action, given))

    def do_act_prof_delete_member(self, line: str) -> None:
        """Delete a member: act_prof_delete_member <profile> <member>"""
        name, text = words(line, "profile member")
        self._profiles.delete_member(self.names.profile(name), _member(text))

    def do_act_prof_create_group(self, line: str) -> None:
        """Create a group: act_prof_create_group <profile>"""
        [name] = words(line, "profile")
        handle = self._profiles.create_group(self._selector(name))
        self.say(f"Group has been created with handle {handle}")

    def do_act_prof_delete_group(self, line: str) -> None:
        """Delete a group: act_prof_delete_group <profile> <group>"""
        name, text = words(line, "profile group")
        self._profiles.delete_group(self._selector(name), _group(text))

    def do_act_prof_add_member_to_group(self, line: str) -> None:
        """Add a member to a group: act_prof_add_member_to_group <profile> <member> <group>"""
        name, member, text = words(line, "profile member group")
        self._profiles.add_to_group(self._selector(name), _member(member), _group(text))

    def do_act_prof_remove_member_from_group(self, line: str) -> None:
        """Remove one: act_prof_remove_member_from_group <profile> <member> <group>"""
        name, member, text = words(line, "profile member group")
        self._profiles.remove_from_group(self._selector(name), _member(member), _group(text))

    def do_act_prof_dump(self, line: str) -> None:
        """Show members and groups: act_prof_dump <profile>"""
        [name] = words(line, "profile")
        self.dump_profile(self.names.profile(name))

    def do_act_prof_dump_member(self, line: str) -> None:
        """Show a member: act_prof_dump_member <profile> <member>"""
        name, text = words(line, "profile member")
        self._dump_member(self._profiles.member(self.names.profile(name), _member(text)))

    def do_act_prof_dump_group(self, line: str) -> None:
        """Show a group: act_prof_dump_group <profile> <group>"""
        name, text = words(line, "profile group")
        self._dump_group(self._profiles.group(self._selector(name), _group(text)))

    def dump_profile(self, profile: p4i.ActionProfile) -> None:
        """Shows members and groups."""
        self.say("==========\nMEMBERS")
        for member in self._profiles.members(profile).values():
            self.say("**********")
            self._dump_member(member)
        if profile.with_selector:
            self.say("==========\nGROUPS")
            for group in self._profiles.groups(profile).values():
                self.say("**********")
                self._dump_group(group)

    def _dump_member(self, member: p4r.ActionProfileMember) -> None:
        self.say(f"Dumping member {member.member_id - 1}")
        self.say(actions.text(self.names, member.action))

    def _dump_group(self, group: p4r.ActionProfileGroup) -> None:
        members = ", ".join(map(str, members_of(group)))
        self.say(f"Dumping group {group.group_id - 1}\nMembers: [{members}]")

    def _selector(self, name: str) -> p4i.ActionProfile:
        profile = self.names.profile(name)
        if not profile.with_selector:
            raise InputError(
                f"action profile {profile.preamble.name} has no selector, so no groups"
            )
        return profile

    def _of_profile(
        self, profile: p4i.ActionProfile, name: str, parameters: Sequence[str]
    ) -> p4r.Action:
        return actions.action_of(self.names.action_of_profile(name, profile), parameters)


def handle_of(text: str, what: str) -> int:
    """A handle whose id P4Runtime can hold. Raises InputError."""
    return whole(text, what, GREATEST_ID - 1)


def _member(text: str) -> int:
    return handle_of(text, "the member")


def _group(text: str) -> int:
    return handle_of(text, "the group")
