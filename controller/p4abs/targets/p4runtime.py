"""What targets over P4Runtime have in common: their sessions, and packets to controllers."""

from typing import Protocol, TypeVar

from finsy.proto import p4i

from p4abs.access.connection import Connection
from p4abs.access.election import Election
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.tables import PacketInMeter
from p4abs.access.tls import TlsFiles
from p4abs.targets.target import Target, TargetProgram


class P4RuntimeProgram(TargetProgram, Protocol):
    """One with a P4Info."""

    @property
    def p4info(self) -> p4i.P4Info: ...


Program = TypeVar("Program", bound=P4RuntimeProgram)


class P4RuntimeTarget(Target[Program, ReadOnlyConnection, Connection]):
    """Spoken to by the clients of p4abs/access."""

    def session(
        self, address: str, device_id: int, election: Election, tls: TlsFiles | None
    ) -> Connection:
        return Connection(address, device_id, election, tls)

    def reader(self, address: str, device_id: int, tls: TlsFiles | None) -> ReadOnlyConnection:
        return ReadOnlyConnection(address, device_id, tls)

    def packet_in_meter(self, session: Connection, program: Program) -> PacketInMeter | None:
        return PacketInMeter.of(session, program.p4info)
