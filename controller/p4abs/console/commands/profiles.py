"""Action profiles: members, groups, and entries of the tables that use them.

BMv2 numbers members and groups from 0, P4Runtime lets its client choose ids from 1: handle h is
id h + 1, and what is created gets the lowest handle that is free.
"""

from collections.abc import Collection, Iterable, Sequence

from finsy.proto import p4i, p4r

from p4abs.console import actions
from p4abs.console.commands.tables import TableCommands
from p4abs.console.error import CommandError
from p4abs.console.matches import entry_of_key, has_priority
from p4abs.console.values import GREATEST_ID, before_arrow, whole, words

_ADD = "<table> <key fields> => <handle> [priority]"


class ProfileCommands(TableCommands):
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
        profile = self.names.profile(name)
        self.say("==========\nMEMBERS")
        for member in self._members(profile):
            self.say(f"**********\nDumping member {member.member_id - 1}")
            self.say(actions.text(self.names, member.action))
        if profile.with_selector:
            self.say("==========\nGROUPS")
            for group in self._groups(profile):
                members = ", ".join(str(each.member_id - 1) for each in group.members)
                self.say(f"**********\nDumping group {group.group_id - 1}\nMembers: [{members}]")

    def do_table_indirect_add(self, line: str) -> None:
        """Add an entry: table_indirect_add <table> <key fields> => <member> [priority]"""
        table, entry, handle = self._indirect(line)
        entry.action.action_profile_member_id = handle + 1
        self.added(table, entry)

    def do_table_indirect_add_with_group(self, line: str) -> None:
        """Add one: table_indirect_add_with_group <table> <key fields> => <group> [priority]"""
        table, entry, handle = self._indirect(line)
        entry.action.action_profile_group_id = handle + 1
        self.added(table, entry)

    def do_table_indirect_delete(self, line: str) -> None:
        """Delete an entry: table_indirect_delete <table> <handle>"""
        self.do_table_delete(line)

    def _indirect(self, line: str) -> tuple[p4i.Table, p4r.TableEntry, int]:
        """The table, an entry of its key, and the handle behind the arrow."""
        name, *rest = words(line, "table => handle", more=True)
        table = self.names.table(name)
        self.names.profile_of(table)
        priority = rest.pop() if has_priority(table) else None
        key, found = before_arrow(rest, _ADD)
        if len(found) != 1:
            raise CommandError(f"{len(found)} handles; valid: {_ADD}")
        return table, entry_of_key(table, key, priority), _handle(found[0], "the handle")

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
    handle = _handle(text, f"the {kind}")
    if handle not in handles:
        valid = ", ".join(map(str, handles)) or "none"
        raise CommandError(f"{owner} has no {kind} {handle}; valid: {valid}")
    return handle


def _handle(text: str, what: str) -> int:
    """One whose id P4Runtime can hold. Raises CommandError."""
    return whole(text, what, GREATEST_ID - 1)


def _group(profile: p4i.ActionProfile, handle: int) -> p4r.ActionProfileGroup:
    return p4r.ActionProfileGroup(action_profile_id=profile.preamble.id, group_id=handle + 1)


def _lowest_free(ids: Iterable[int]) -> int:
    used = set(ids)
    return next(handle for handle in range(len(used) + 1) if handle + 1 not in used)
