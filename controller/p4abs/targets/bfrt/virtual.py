"""Limits of the program's virtual queue, `enforcement = "virtual"`."""

from p4abs.targets.bfrt.access import BfrtAccess
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tables import VIRTUAL_QUEUE, BfrtProgram


class VirtualQueue:
    """An Enforcer (enforcer.py)."""

    layout = VIRTUAL_QUEUE

    async def program(self, _client: BfrtClient, program: BfrtProgram) -> BfrtProgram:
        """See Enforcer; the program has it all."""
        return program

    def access(self, client: BfrtClient, program: BfrtProgram) -> BfrtAccess:
        return BfrtAccess(client, program)
