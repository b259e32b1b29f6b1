"""Mirroring sessions, which are P4Runtime's clone sessions.

P4Runtime's clone sessions have replicas, but no multicast group. So a session that mirrors to a
group gets the group's replicas, and new ones when commands of this console change the group.
"""

from p4abs_switch.console.commands.multicast import MulticastCommands, group_number
from p4abs_switch.console.values import whole, words
from p4abs_switch.runtime.replication import Mirror


class MirroringCommands(MulticastCommands):
    """`mirroring_add` and its kin."""

    def do_mirroring_add(self, line: str) -> None:
        """Mirror a session to a port: mirroring_add <session> <port>"""
        session, port = words(line, "session port")
        self._mirror(session, Mirror(port=whole(port, "the port")))

    def do_mirroring_add_mc(self, line: str) -> None:
        """Mirror a session to a multicast group: mirroring_add_mc <session> <group>"""
        session, group = words(line, "session group")
        self._mirror(session, Mirror(group=group_number(group)))

    def do_mirroring_delete(self, line: str) -> None:
        """Delete a session: mirroring_delete <session>"""
        [session] = words(line, "session")
        self.replication.delete_session(whole(session, "the session"))

    def do_mirroring_get(self, line: str) -> None:
        """Show a session: mirroring_get <session>"""
        [session] = words(line, "session")
        number = whole(session, "the session")
        group = self.replication.mirror_of(number).group
        if group is not None:
            self.say(f"MirroringSessionConfig(port=None, mgid={group})")
            return
        for port, _ in self.replication.session(number):
            self.say(f"MirroringSessionConfig(port={port}, mgid=None)")

    def _mirror(self, session: str, to: Mirror) -> None:
        self.replication.mirror(whole(session, "the session"), to)
