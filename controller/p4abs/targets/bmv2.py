"""P4Runtime with programs of v1model: BMv2's simple_switch_grpc and the embedded switch."""

from collections.abc import Sequence
from dataclasses import replace

from p4abs.access.connection import Connection
from p4abs.access.discovery import Discovered, RegisterPath, discover
from p4abs.access.program import Program, load_program
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.tables import MemoryTables, SelectionTable
from p4abs.targets.p4runtime import P4RuntimeTarget


class Bmv2(P4RuntimeTarget[Program]):
    """See targets/target.py."""

    def load(self, name: str) -> Program:
        """One of the builds, or PATH.json."""
        program = load_program(name)
        program.check_version()
        return program

    async def installed(self, reader: ReadOnlyConnection) -> tuple[Program | None, int]:
        program, cookie = await reader.installed_program()
        return program and await self.with_ports(reader, program), cookie

    async def with_ports(self, reader: ReadOnlyConnection, program: Program) -> Program:
        return replace(program, ports=await reader.ports())

    async def registers(
        self, session: Connection, program: Program, ports: Sequence[int], wanted: RegisterPath
    ) -> Discovered:
        return await discover(session, program, ports, wanted)

    def memory_tables(self, session: Connection, program: Program) -> MemoryTables | None:
        return MemoryTables(session, program.p4info) if program.has_thresholds() else None

    def queue_table(self, session: Connection, program: Program) -> SelectionTable | None:
        if program.capabilities().selection_unsupported:
            return None
        return SelectionTable(session, program.p4info)
