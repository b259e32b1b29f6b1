"""The switch's program and the traffic manager's queue of each port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import grpc

from p4abs.access.capabilities import Capabilities
from p4abs.access.rpc_error import RpcError
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tables import BfrtProgram
from p4abs.targets.bfrt.tm import tables as tm
from p4abs.targets.bfrt.tm.tables import FixedTable, TmTables
from p4abs.targets.tofino.chip import NUMBERS_PER_PIPE
from p4abs.targets.tofino.offer import MARKS_NOTHING, MEASURES_NO_BUSY_TIME
from p4abs.targets.traits import Enforcement


@dataclass(frozen=True)
class PortQueue:
    """The queue of a port's packets with queue id 0, which the programs leave all packets."""

    pipe: int
    group: int
    number: int

    @property
    def key(self) -> Mapping[str, int]:
        """Of its entries in tables about queues."""
        return {tm.GROUP_KEY: self.group, tm.QUEUE_KEY: self.number}


@dataclass(frozen=True)
class TmProgram:
    """A BfrtInstalled (enforcer.py). `pool_cells` is what the largest pool of queues has; `more`
    are tables that it needs besides those of all."""

    enforcement: ClassVar[Enforcement] = Enforcement.TM
    more: ClassVar[Sequence[FixedTable]] = ()

    program: BfrtProgram
    tables: TmTables
    queues: Mapping[int, PortQueue]
    cell_bytes: int
    pool_cells: int

    @classmethod
    async def of(cls, client: BfrtClient, program: BfrtProgram) -> Self:
        """Raises RpcError, and MissingObjects where the switch has not all tables."""
        tables = TmTables.of(program.info, cls.enforcement, *cls.more)
        return await client.call("read queues", lambda: cls.read(client, program, tables))

    @classmethod
    def read(cls, client: BfrtClient, program: BfrtProgram, tables: TmTables) -> Self:
        """Raises the SDE's exceptions, and RpcError."""
        found = tables[tm.CONFIGURATION].default_entry_get(client.target, p4_name=program.name)
        configuration: dict[str, Any] = next((data.to_dict() for data, *_ in found if data), {})
        if not configuration:
            details = f"the table {tm.CONFIGURATION.name} is empty"
            raise RpcError("read queues", grpc.StatusCode.NOT_FOUND, details)
        return cls(
            program,
            tables,
            _queues(client, program, tables[tm.PORT]),
            configuration["cell_size_bytes"],
            max(_pool_sizes(client, program, tables[tm.POOL])),
        )

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def cookie(self) -> int:
        return self.program.cookie

    def capabilities(self) -> Capabilities:
        return Capabilities(
            measurement_unsupported=MEASURES_NO_BUSY_TIME,
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


def _pool_sizes(client: BfrtClient, program: BfrtProgram, table: Any) -> list[int]:
    keys = [client.key(table, {tm.POOL_KEY: pool}) for pool in tm.POOLS]
    found = table.entry_get(client.target, keys, p4_name=program.name)
    return [data.to_dict()["size_cells"] for data, _ in found]


def _queues(client: BfrtClient, program: BfrtProgram, table: Any) -> dict[int, PortQueue]:
    """Of the ports that have one."""
    keys = [client.key(table, {tm.PORT_KEY: port}) for port in program.ports]
    if not keys:
        return {}
    answered = table.entry_get(client.target, keys, p4_name=program.name)
    found, _ = client.entries("read queues", answered)
    queues = {}
    for key, values in found:
        port = key[tm.PORT_KEY]["value"]
        if numbers := values["egress_qid_queues"]:
            queues[port] = PortQueue(port // NUMBERS_PER_PIPE, values["pg_id"], numbers[0])
    return queues
