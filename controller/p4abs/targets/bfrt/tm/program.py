"""The switch's program and the traffic manager's queue of each port."""

from collections.abc import Mapping
from dataclasses import dataclass

from p4abs.access.capabilities import Capabilities
from p4abs.targets.bfrt.tables import BfrtProgram
from p4abs.targets.bfrt.tm.tables import TmTables
from p4abs.targets.tofino.offer import MARKS_NOTHING


@dataclass(frozen=True)
class PortQueue:
    """The queue of a port's packets with queue id 0, which the programs leave all packets."""

    pipe: int
    group: int
    number: int


@dataclass(frozen=True)
class TmProgram:
    """A BfrtInstalled (enforcer.py). `pool_cells` is what the largest pool of queues has."""

    program: BfrtProgram
    tables: TmTables
    queues: Mapping[int, PortQueue]
    cell_bytes: int
    pool_cells: int

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def cookie(self) -> int:
        return self.program.cookie

    def capabilities(self) -> Capabilities:
        return Capabilities(
            measurement_unsupported="the switch does not report for how long a queue was busy",
            marking_unsupported=MARKS_NOTHING,
            port_unsupported=self.port_unsupported,
            max_limit_bytes=self.pool_cells * self.cell_bytes,
            limit_unit_bytes=self.cell_bytes,
            memory_bytes=self.pool_cells * self.cell_bytes,
        )

    def port_unsupported(self, number: int) -> str:
        """Why a port cannot be controlled; empty: it can."""
        if unsupported := self.program.port_unsupported(number):
            return unsupported
        return "" if number in self.queues else "the traffic manager has no queue for this port"
