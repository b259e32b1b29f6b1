"""P4Runtime with programs of v1model: BMv2's simple_switch_grpc and the embedded switch."""

from collections.abc import Sequence

from p4abs.access.connection import Connection
from p4abs.access.discovery import Discovered, RegisterPath, discover
from p4abs.access.election import Election
from p4abs.access.program import Program, load_program
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.tables import MemoryTables, SelectionTable
from p4abs.access.tls import TlsFiles
from p4abs.targets.packet_ins import bound_packet_ins


class Bmv2Session(Connection):
    """See targets/target.py."""

    async def installed(self) -> tuple[Program | None, int]:
        return await self.installed_program()

    async def registers(
        self, program: Program, ports: Sequence[int], wanted: RegisterPath
    ) -> Discovered:
        return await discover(self, program, ports, wanted)

    def memory_tables(self, program: Program) -> MemoryTables | None:
        if program.capabilities().sharing_unsupported:
            return None
        return MemoryTables(self, program.p4info)

    def queue_table(self, program: Program) -> SelectionTable | None:
        if program.capabilities().selection_unsupported:
            return None
        return SelectionTable(self, program.p4info)

    async def bound_packet_ins(self, program: Program) -> None:
        await bound_packet_ins(self, program.p4info)


class Bmv2Reader(ReadOnlyConnection):
    """See targets/target.py."""

    async def installed(self) -> tuple[Program | None, int]:
        return await self.installed_program()


class Bmv2:
    """See targets/target.py."""

    def require(self) -> None:
        """Nothing that is not installed with this package."""

    def load(self, name: str) -> Program:
        """One of the builds, or PATH.json."""
        program = load_program(name)
        program.check_version()
        return program

    def session(
        self, address: str, device_id: int, election: Election, tls: TlsFiles | None
    ) -> Bmv2Session:
        return Bmv2Session(address, device_id, election, tls)

    def reader(self, address: str, device_id: int, tls: TlsFiles | None) -> Bmv2Reader:
        return Bmv2Reader(address, device_id, tls)
