"""The switch's program p4src/tna/queue and the traffic manager's queue of each port."""

from dataclasses import dataclass

from p4abs.access.capabilities import Capabilities
from p4abs.measurements import DROPPED
from p4abs.targets.bfrt.tables import BfrtProgram, Layout, count, register
from p4abs.targets.bfrt.tm.program import TmProgram
from p4abs.targets.tofino.queue import offer
from p4abs.targets.tofino.queue.program import TABLE

_CONTROL = "QueueIngress"
_LIMIT = register(_CONTROL, "ingress.queue_limit_bytes", limit="f1")
QUEUE = Layout(
    registers=(
        count(_CONTROL, "ingress.", DROPPED),
        _LIMIT,
    ),
    limit=_LIMIT,
    ports=f"pipe.Ghost.{TABLE}",
)


@dataclass(frozen=True)
class QueueProgram:
    """A BfrtInstalled (enforcer.py)."""

    queues: TmProgram

    @property
    def program(self) -> BfrtProgram:
        return self.queues.program

    @property
    def name(self) -> str:
        return self.queues.name

    @property
    def cookie(self) -> int:
        return self.queues.cookie

    def capabilities(self) -> Capabilities:
        return offer.capabilities(self.queues.port_unsupported)
