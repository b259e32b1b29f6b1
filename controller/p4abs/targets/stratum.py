"""P4Runtime with the programs of p4src/tna, on a Tofino that runs Stratum."""

from collections.abc import Sequence
from typing import TypeVar

from p4abs.access.connection import Connection
from p4abs.access.discovery import Discovered, RegisterPath, tried
from p4abs.access.program import MissingObjects
from p4abs.access.reading import ReadOnlyConnection
from p4abs.targets.p4runtime import P4RuntimeTarget
from p4abs.targets.tofino.compiled import load_compiled
from p4abs.targets.tofino.mailbox import TofinoMailbox
from p4abs.targets.tofino.program import TofinoProgram

Program = TypeVar("Program", bound=TofinoProgram)


class Stratum(P4RuntimeTarget[Program]):
    """See targets/target.py; of programs of one kind. A Tofino's traffic manager shares its memory
    itself, and of each port one queue is under control."""

    def __init__(self, kind: type[Program]) -> None:
        self._kind = kind

    def load(self, name: str) -> Program:
        """What the compiler's PATH.conf names."""
        return load_compiled(name, self._kind)

    async def installed(self, reader: ReadOnlyConnection) -> tuple[Program | None, int]:
        p4info, cookie = await reader.installed_p4info()
        if p4info is None:
            return None, 0
        return self._kind.of(p4info, whose="the switch's pipeline"), cookie

    async def registers(
        self, session: Connection, program: Program, ports: Sequence[int], wanted: RegisterPath
    ) -> Discovered:
        """The mailbox: it alone reads all of a port at one instant."""
        if wanted is RegisterPath.REGISTER_ENTRY:
            raise MissingObjects("a Tofino is controlled by its mailbox; use register-path 'auto'")
        return await tried(TofinoMailbox(session, program), ports)
