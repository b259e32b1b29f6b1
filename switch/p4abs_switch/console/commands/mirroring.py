"""Mirroring sessions, which are P4Runtime's clone sessions.

P4Runtime's clone sessions have replicas, but no multicast group. So a session that mirrors to a
group gets the group's replicas, and new ones when commands of this console change the group.
"""

from typing import Annotated, TypeAlias

from p4abs_switch.console.commands.arguments import number
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.commands.multicast import GroupNumber
from p4abs_switch.console.values import GREATEST_PORT, GREATEST_SESSION
from p4abs_switch.runtime.replication import Mirror

Session: TypeAlias = Annotated[int, number("the session", GREATEST_SESSION, 1)]
Port: TypeAlias = Annotated[int, number("the port", GREATEST_PORT)]


class MirroringCommands(Group):
    """`mirroring_add` and its kin."""

    def do_mirroring_add(self, session: Session, port: Port) -> None:
        """Mirror a session to a port: mirroring_add <session> <port>"""
        self.objects.replication.mirror(session, Mirror(port=port))

    def do_mirroring_add_mc(self, session: Session, group: GroupNumber) -> None:
        """Mirror a session to a multicast group: mirroring_add_mc <session> <group>"""
        self.objects.replication.mirror(session, Mirror(group=group))

    def do_mirroring_delete(self, session: Session) -> None:
        """Delete a session: mirroring_delete <session>"""
        self.objects.replication.delete_session(session)

    def do_mirroring_get(self, session: Session) -> None:
        """Show a session: mirroring_get <session>"""
        group = self.objects.replication.mirror_of(session).group
        if group is not None:
            self.say(f"MirroringSessionConfig(port=None, mgid={group})")
            return
        for port, _ in self.objects.replication.session(session):
            self.say(f"MirroringSessionConfig(port={port}, mgid=None)")
