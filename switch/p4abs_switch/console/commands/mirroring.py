"""Mirroring sessions, which are P4Runtime's clone sessions.

P4Runtime's have replicas, and no multicast group: one that is mirrored to a group has the group's
replicas, and gets others when this session's commands change the group.
"""

from collections.abc import Iterable

from finsy.proto import p4r

from p4abs_switch.console.commands.multicast import MulticastCommands, group_number, port_of
from p4abs_switch.console.error import CommandError
from p4abs_switch.console.handles import Handles
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import whole, words

_INSTANCE = 0  # the egress_rid of BMv2's mirrored packets


class MirroringCommands(MulticastCommands):
    """`mirroring_add` and its kin."""

    def __init__(self, session: Session, handles: Handles) -> None:
        super().__init__(session, handles)
        self._mirrored_groups: dict[int, int] = {}

    def do_mirroring_add(self, line: str) -> None:
        """Mirror a session to a port: mirroring_add <session> <port>"""
        session, port = words(line, "session port")
        number = whole(session, "the session")
        replica = p4r.Replica(egress_port=whole(port, "the port"), instance=_INSTANCE)
        self._mirror(number, [replica])
        self._mirrored_groups.pop(number, None)

    def do_mirroring_add_mc(self, line: str) -> None:
        """Mirror a session to a multicast group: mirroring_add_mc <session> <group>"""
        session, text = words(line, "session group")
        number, group = whole(session, "the session"), group_number(text)
        self._mirror(number, self.replicas_of(group) or [])
        self._mirrored_groups[number] = group

    def do_mirroring_delete(self, line: str) -> None:
        """Delete a session: mirroring_delete <session>"""
        [session] = words(line, "session")
        number = whole(session, "the session")
        self.session.delete(packet_replication_engine_entry=_session(number))
        self._mirrored_groups.pop(number, None)

    def do_mirroring_get(self, line: str) -> None:
        """Show a session: mirroring_get <session>"""
        [session] = words(line, "session")
        number = whole(session, "the session")
        entry = self._find(number)
        if entry is None:
            raise CommandError(f"there is no mirroring session {session}")
        if number in self._mirrored_groups:
            group = self._mirrored_groups[number]
            self.say(f"MirroringSessionConfig(port=None, mgid={group})")
            return
        for each in entry.replicas:
            self.say(f"MirroringSessionConfig(port={port_of(each)}, mgid=None)")

    def group_changed(self, group: int) -> None:
        """The sessions that are mirrored to the group get its replicas."""
        followers = [
            session for session, theirs in self._mirrored_groups.items() if theirs == group
        ]
        if followers:
            replicas = self.replicas_of(group) or []
            for session in followers:
                self._mirror(session, replicas)

    def _mirror(self, session: int, replicas: Iterable[p4r.Replica]) -> None:
        entry = _session(session)
        entry.clone_session_entry.replicas.extend(replicas)
        if self._find(session) is None:
            self.session.insert(packet_replication_engine_entry=entry)
        else:
            self.session.modify(packet_replication_engine_entry=entry)

    def _find(self, wanted: int) -> p4r.CloneSessionEntry | None:
        every = _session(0)  # one that is not there would be an error to read by its id
        for found in self.session.read(packet_replication_engine_entry=every):
            entry = found.packet_replication_engine_entry.clone_session_entry
            if entry.session_id == wanted:
                return entry
        return None


def _session(number: int) -> p4r.PacketReplicationEngineEntry:
    entry = p4r.CloneSessionEntry(session_id=number)
    return p4r.PacketReplicationEngineEntry(clone_session_entry=entry)
