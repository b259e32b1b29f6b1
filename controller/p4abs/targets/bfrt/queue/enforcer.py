"""Limits of the program on the traffic manager's queues, as an Enforcer (bfrt/enforcer.py)."""

from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.queue import reports
from p4abs.targets.bfrt.queue.access import QueueAccess
from p4abs.targets.bfrt.queue.program import QUEUE, QueueProgram
from p4abs.targets.bfrt.tables import BfrtProgram
from p4abs.targets.bfrt.tm.enforcer import read_queues
from p4abs.targets.traits import Enforcement


class Queue:
    """See Enforcer."""

    layout = QUEUE

    async def program(self, client: BfrtClient, program: BfrtProgram) -> QueueProgram:
        """See Enforcer."""
        more = (reports.OF_QUEUE, reports.OF_PIPE)
        return QueueProgram(await read_queues(client, program, Enforcement.QUEUE, *more))

    def access(self, client: BfrtClient, program: QueueProgram) -> QueueAccess:
        """See Enforcer."""
        return QueueAccess(client, program)
