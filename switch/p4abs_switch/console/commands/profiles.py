"""Members and groups of action profiles.

BMv2 numbers members and groups from 0, P4Runtime lets its client choose ids from 1: handle h is
id h + 1, and what is created gets the lowest handle that is free.
"""

from collections.abc import Collection, Iterable, Sequence

from finsy.proto import p4i, p4r

from p4abs_switch.console import actions
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.error import CommandError
from p4abs_switch.console.values import GREATEST_ID, whole, words


class ProfileCommands(Group):
    """`act_prof_create_member` and its kin."""

    def do_act_prof_create_member(self, line: str) -> None:
        """Create a member: act_prof_create_member <profile> <action> <parameters>"""
        name, action, *parameters = words(line, "profile action", more=True)
        profile = self.names.profile(name)
        handle = _lowest_free(member.member_id for member in self._members(profile))
        self.session.insert(action_profile_member=self._member(profile, handle, action, parameters))
        self.say(f"Member has been created with handle {handle}")

    def do_act_prof_modify_member(self, line: str) -> None:
        """Change a member: act_prof_modify_member <profile> <action> <member> <parameters>"""
        name, action, text, *parameters = words(line, "profile action member", more=True)
        given = parameters[1:] if parameters[:1] == ["=>"] else parameters
        profile = self.names.profile(name)
        member = self._member(profile, self._found_member(profile, text), action, given)
        self.session.modify(action_profile_member=member)

    def do_act_prof_delete_member(self, line: str) -> None:
        """Delete a member: act_prof_delete_member <profile> <member>"""
        name, text = words(line, "profile member")
        profile = self.names.profile(name)
        member = p4r.ActionProfileMember(
            action_profile_id=profile.preamble.id,
            member_id=self._found_member(profile, text) + 1,
        )
        self.session.delete(action_profile_member=member)

    def do_act_prof_create_group(self, line: str) -> None:
        """Create a group: act_prof_create_group <profile>"""
        [name] = words(line, "profile")
        profile = self._selector(name)
        handle = _lowest_free(group.group_id for group in self._groups(profile))
        group = _group(profile, handle)
        group.max_size = profile.max_group_size
        self.session.insert(action_profile_group=group)
        self.say(f"Group has been created with handle {handle}")

    def do_act_prof_delete_group(self, line: str) -> None:
        """Delete a group: act_prof_delete_group <profile> <group>"""
        name, text = words(line, "profile group")
        group = self._found_group(self._selector(name), text)
        self.session.delete(action_profile_group=group)

    def do_act_prof_add_member_to_group(self, line: str) -> None:
        """Add a member to a group: act_prof_add_member_to_group <profile> <member> <group>"""
        name, member, text = words(line, "profile member group")
        profile = self._selector(name)
        group, handle = self._found_group(profile, text), self._found_member(profile, member)
        if any(each.member_id == handle + 1 for each in group.members):
            raise CommandError(f"group {text} has member {member} already")
        group.members.add(member_id=handle + 1, weight=1)
        self.session.modify(action_profile_group=group)

    def do_act_prof_remove_member_from_group(self, line: str) -> None:
        """Remove one: act_prof_remove_member_from_group <profile> <member> <group>"""
        name, member, text = words(line, "profile member group")
        group = self._found_group(self._selector(name), text)
        handles = [each.member_id - 1 for each in group.members]
        handle = _found(f"group {text}", "member", member, handles)
        kept = [each for each in group.members if each.member_id != handle + 1]
        del group.members[:]
        group.members.extend(kept)
        self.session.modify(action_profile_group=group)

    def do_act_prof_dump(self, line: str) -> None:
        """Show members and groups: act_prof_dump <profile>"""
        [name] = words(line, "profile")
        self.dump_profile(self.names.profile(name))

    def do_act_prof_dump_member(self, line: str) -> None:
        """Show a member: act_prof_dump_member <profile> <member>"""
        name, text = words(line, "profile member")
        profile = self.names.profile(name)
        handle = self._found_member(profile, text)
        for member in self._members(profile):
            if member.member_id == handle + 1:
                self._dump_member(member)

    def do_act_prof_dump_group(self, line: str) -> None:
        """Show a group: act_prof_dump_group <profile> <group>"""
        name, text = words(line, "profile group")
        self._dump_group(self._found_group(self._selector(name), text))

    def dump_profile(self, profile: p4i.ActionProfile) -> None:
        """Shows members and groups."""
        self.say("==========\nMEMBERS")
        for member in self._members(profile):
            self.say("**********")
            self._dump_member(member)
        if profile.with_selector:
            self.say("==========\nGROUPS")
            for group in self._groups(profile):
                self.say("**********")
                self._dump_group(group)

    def _dump_member(self, member: p4r.ActionProfileMember) -> None:
        self.say(f"Dumping member {member.member_id - 1}")
        self.say(actions.text(self.names, member.action))

    def _dump_group(self, group: p4r.ActionProfileGroup) -> None:
        members = ", ".join(str(each.member_id - 1) for each in group.members)
        self.say(f"Dumping group {group.group_id - 1}\nMembers: [{members}]")

    def _selector(self, name: str) -> p4i.ActionProfile:
        profile = self.names.profile(name)
        if not profile.with_selector:
            raise CommandError(f"action profile {profile.preamble.name} has no groups: no selector")
        return profile

    def _member(
        self, profile: p4i.ActionProfile, handle: int, action: str, parameters: Sequence[str]
    ) -> p4r.ActionProfileMember:
        tables = (self.names.table_of_id(number) for number in profile.table_ids)
        references = [reference for table in tables for reference in table.action_refs]
        of = f"action profile {profile.preamble.name}"
        return p4r.ActionProfileMember(
            action_profile_id=profile.preamble.id,
            member_id=handle + 1,
            action=actions.build(self.names.action(action, references, of), parameters),
        )

    def _members(self, profile: p4i.ActionProfile) -> list[p4r.ActionProfileMember]:
        wanted = p4r.ActionProfileMember(action_profile_id=profile.preamble.id)
        found = self.session.read(action_profile_member=wanted)
        return [each.action_profile_member for each in found]

    def _groups(self, profile: p4i.ActionProfile) -> list[p4r.ActionProfileGroup]:
        wanted = p4r.ActionProfileGroup(action_profile_id=profile.preamble.id)
        found = self.session.read(action_profile_group=wanted)
        return [each.action_profile_group for each in found]

    def _found_member(self, profile: p4i.ActionProfile, text: str) -> int:
        handles = [member.member_id - 1 for member in self._members(profile)]
        return _found(f"action profile {profile.preamble.name}", "member", text, handles)

    def _found_group(self, profile: p4i.ActionProfile, text: str) -> p4r.ActionProfileGroup:
        groups = {group.group_id - 1: group for group in self._groups(profile)}
        return groups[_found(f"action profile {profile.preamble.name}", "group", text, groups)]


def _found(owner: str, kind: str, text: str, handles: Collection[int]) -> int:
    """A handle that the owner has. Raises CommandError."""
    handle = handle_of(text, f"the {kind}")
    if handle not in handles:
        valid = ", ".join(map(str, handles)) or "none"
        raise CommandError(f"{owner} has no {kind} {handle}; valid: {valid}")
    return handle


def handle_of(text: str, what: str) -> int:
    """A handle whose id P4Runtime can hold. Raises CommandError."""
    return whole(text, what, GREATEST_ID - 1)


def _group(profile: p4i.ActionProfile, handle: int) -> p4r.ActionProfileGroup:
    return p4r.ActionProfileGroup(action_profile_id=profile.preamble.id, group_id=handle + 1)


def _lowest_free(ids: Iterable[int]) -> int:
    used = set(ids)
    return next(handle for handle in range(len(used) + 1) if handle + 1 not in used)
