"""P4Runtime with the programs of p4src/tna, on a Tofino that runs Stratum."""

from collections.abc import Sequence

from p4abs.access.connection import Connection
from p4abs.access.discovery import Discovered, RegisterPath, tried
from p4abs.access.election import Election
from p4abs.access.program import MissingObjects
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.tls import TlsFiles
from p4abs.targets.tofino.compiled import load_compiled
from p4abs.targets.tofino.mailbox import TofinoMailbox
from p4abs.targets.tofino.program import TofinoProgram


class StratumSession(Connection):
    """See targets/target.py."""

    async def installed(self) -> tuple[TofinoProgram | None, int]:
        """See Reader."""
        return await _installed(self)

    async def registers(
        self, program: TofinoProgram, ports: Sequence[int], wanted: RegisterPath
    ) -> Discovered:
        """The mailbox: P4Info of Tofino's programs has no registers."""
        if wanted is RegisterPath.REGISTER_ENTRY:
            raise MissingObjects("Tofino's programs have no registers in their P4Info")
        return await tried(TofinoMailbox(self, program), ports)


class StratumReader(ReadOnlyConnection):
    """See targets/target.py."""

    async def installed(self) -> tuple[TofinoProgram | None, int]:
        """See Reader."""
        return await _installed(self)


class Stratum:
    """See targets/target.py."""

    def require(self) -> None:
        """Nothing that is not installed with this package."""

    def load(self, name: str) -> TofinoProgram:
        """What the compiler's PATH.conf names."""
        return load_compiled(name)

    def session(
        self, address: str, device_id: int, election: Election, tls: TlsFiles | None
    ) -> StratumSession:
        """See Target."""
        return StratumSession(address, device_id, election, tls)

    def reader(self, address: str, device_id: int, tls: TlsFiles | None) -> StratumReader:
        """See Target."""
        return StratumReader(address, device_id, tls)


async def _installed(connection: ReadOnlyConnection) -> tuple[TofinoProgram | None, int]:
    p4info, cookie = await connection.installed_p4info()
    if p4info is None:
        return None, 0
    return TofinoProgram.of(p4info, whose="the switch's pipeline"), cookie
