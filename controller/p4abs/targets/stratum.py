"""P4Runtime with the programs of p4src/tna, on a Tofino that runs Stratum."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from p4abs.access.connection import Connection
from p4abs.access.discovery import Discovered, RegisterPath, tried
from p4abs.access.election import Election
from p4abs.access.program import MissingObjects
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.tls import TlsFiles
from p4abs.targets.packet_ins import bound_packet_ins
from p4abs.targets.tofino.clocks import ChipClock
from p4abs.targets.tofino.compiled import load_compiled
from p4abs.targets.tofino.mailbox import TofinoMailbox
from p4abs.targets.tofino.mtu_entries import MtuEntries, MtuTable
from p4abs.targets.tofino.program import TofinoProgram
from p4abs.targets.tofino.queue.program import QueueEntries, QueueProgram
from p4abs.targets.tofino.rate_entries import RateEntries
from p4abs.targets.tofino.replies import QueueReplies, Replies
from p4abs.targets.tofino.virtual_queue import VirtualQueueProgram

Program = TypeVar("Program", bound=TofinoProgram)


class StratumSession(Connection, Generic[Program]):
    """See targets/target.py."""

    def __init__(
        self,
        stratum: "Stratum[Program]",
        address: str,
        device_id: int,
        election: Election,
        tls: TlsFiles | None,
    ) -> None:
        super().__init__(address, device_id, election, tls)
        self._stratum = stratum

    async def installed(self) -> tuple[Program | None, int]:
        return await self._stratum.installed(self)

    async def registers(
        self, program: Program, ports: Sequence[int], wanted: RegisterPath
    ) -> Discovered:
        """The mailbox: it alone reads all of a port at one instant."""
        if wanted is RegisterPath.REGISTER_ENTRY:
            raise MissingObjects("Tofino's programs are controlled by their mailbox alone")
        return await tried(self._stratum.mailbox(self, program), ports)

    def memory_tables(self, program: Program) -> None:
        """See Session; a Tofino's traffic manager shares its memory itself."""

    def queue_table(self, program: Program) -> None:
        """See Session; of each port, one queue is under control."""

    async def bound_packet_ins(self, program: Program) -> None:
        """See Session."""
        await bound_packet_ins(self, program.p4info)


class StratumReader(ReadOnlyConnection, Generic[Program]):
    """See targets/target.py."""

    def __init__(
        self, stratum: "Stratum[Program]", address: str, device_id: int, tls: TlsFiles | None
    ) -> None:
        super().__init__(address, device_id, tls)
        self._stratum = stratum

    async def installed(self) -> tuple[Program | None, int]:
        return await self._stratum.installed(self)


class Stratum(Generic[Program]):
    """See targets/target.py; of programs of one kind, and how their mailbox is spoken to."""

    def __init__(
        self, kind: type[Program], mailbox: Callable[[Connection, Program], TofinoMailbox]
    ) -> None:
        self._kind = kind
        self.mailbox = mailbox

    def require(self) -> None:
        """Nothing that is not installed with this package."""

    def load(self, name: str) -> Program:
        """What the compiler's PATH.conf names."""
        return load_compiled(name, self._kind)

    def session(
        self, address: str, device_id: int, election: Election, tls: TlsFiles | None
    ) -> StratumSession[Program]:
        return StratumSession(self, address, device_id, election, tls)

    def reader(self, address: str, device_id: int, tls: TlsFiles | None) -> StratumReader[Program]:
        return StratumReader(self, address, device_id, tls)

    async def installed(self, connection: ReadOnlyConnection) -> tuple[Program | None, int]:
        """The switch's program; see Reader."""
        p4info, cookie = await connection.installed_p4info()
        if p4info is None:
            return None, 0
        return self._kind.of(p4info, whose="the switch's pipeline"), cookie


def virtual_queue_mailbox(connection: Connection, program: VirtualQueueProgram) -> TofinoMailbox:
    """That of p4src/tna."""
    entries = RateEntries(connection, program.rate_table)
    mtus = MtuEntries(connection, MtuTable.of(program.p4info))
    return TofinoMailbox(connection, program, entries, mtus, Replies(ChipClock()))


def queue_mailbox(connection: Connection, program: QueueProgram) -> TofinoMailbox:
    """That of p4src/tna/queue."""
    entries = QueueEntries(connection, program.queue_table)
    mtus = MtuEntries(connection, MtuTable.of(program.p4info))
    return TofinoMailbox(connection, program, entries, mtus, QueueReplies(ChipClock()))
