"""Intel's SDE, whose bf_switchd has loaded a program of p4src/tna."""

from typing import Any

from p4abs.access.election import Election
from p4abs.access.program import ProgramError
from p4abs.access.tls import TlsFiles
from p4abs.targets.bfrt.enforcer import BfrtInstalled, Enforcer
from p4abs.targets.bfrt.reader import BfrtReader
from p4abs.targets.bfrt.sde import require_sde
from p4abs.targets.bfrt.session import BfrtSession

# Of those who only read; what tells them from others is never needed.
_READER_ID = 2**31


class Bfrt:
    """See targets/target.py. There is neither an election nor TLS (targets/traits.py)."""

    def __init__(self, enforcer: Enforcer[Any]) -> None:
        self._enforcer = enforcer

    def require(self) -> None:
        """See Target: the SDE's client."""
        require_sde()

    def load(self, name: str) -> BfrtInstalled:
        """Refuses: bf_switchd loads a program when it starts."""
        raise ProgramError(
            f"push-pipeline {name}: with target bfrt, bf_switchd loads the program; leave this out"
        )

    def session(
        self, address: str, device_id: int, election: Election, _tls: TlsFiles | None
    ) -> BfrtSession:
        """See Target; the election id is the client's."""
        return BfrtSession(address, device_id, election.election_id, self._enforcer)

    def reader(self, address: str, device_id: int, _tls: TlsFiles | None) -> BfrtReader:
        """See Target."""
        return BfrtReader(address, device_id, _READER_ID, self._enforcer)
