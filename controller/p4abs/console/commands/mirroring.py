"""Mirroring sessions, which are P4Runtime's clone sessions."""

from finsy.proto import p4r

from p4abs.console.commands.group import Group
from p4abs.console.error import CommandError
from p4abs.console.values import whole, words

_INSTANCE = 0  # the egress_rid of BMv2's mirrored packets


class MirroringCommands(Group):
    """`mirroring_add` and its kin."""

    def do_mirroring_add(self, line: str) -> None:
        """Mirror a session to a port: mirroring_add <session> <port>"""
        session, port = words(line, "session port")
        entry = _session(whole(session, "the session"))
        replica = entry.clone_session_entry.replicas.add(instance=_INSTANCE)
        replica.egress_port = whole(port, "the port")
        if self._find(session) is None:
            self.session.insert(packet_replication_engine_entry=entry)
        else:
            self.session.modify(packet_replication_engine_entry=entry)

    def do_mirroring_delete(self, line: str) -> None:
        """Delete a session: mirroring_delete <session>"""
        [session] = words(line, "session")
        entry = _session(whole(session, "the session"))
        self.session.delete(packet_replication_engine_entry=entry)

    def do_mirroring_get(self, line: str) -> None:
        """Show a session: mirroring_get <session>"""
        [session] = words(line, "session")
        entry = self._find(session)
        if entry is None:
            raise CommandError(f"there is no mirroring session {session}")
        for each in entry.replicas:
            port = int.from_bytes(each.port, "big") if each.port else each.egress_port
            self.say(f"MirroringSessionConfig(port={port}, mgid=None)")

    def _find(self, session: str) -> p4r.CloneSessionEntry | None:
        wanted = whole(session, "the session")
        every = _session(0)  # one that is not there would be an error to read by its id
        for found in self.session.read(packet_replication_engine_entry=every):
            entry = found.packet_replication_engine_entry.clone_session_entry
            if entry.session_id == wanted:
                return entry
        return None


def _session(number: int) -> p4r.PacketReplicationEngineEntry:
    entry = p4r.CloneSessionEntry(session_id=number)
    return p4r.PacketReplicationEngineEntry(clone_session_entry=entry)
