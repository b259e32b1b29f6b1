"""Limits of the traffic manager's queues, as an Enforcer (bfrt/enforcer.py)."""

from typing import Any

import grpc

from p4abs.access.rpc_error import RpcError
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tables import VIRTUAL_QUEUE, BfrtProgram
from p4abs.targets.bfrt.tm import tables as tm
from p4abs.targets.bfrt.tm.access import TmAccess
from p4abs.targets.bfrt.tm.program import PortQueue, TmProgram
from p4abs.targets.bfrt.tm.tables import FixedTable, TmTables
from p4abs.targets.tofino.chip import NUMBERS_PER_PIPE
from p4abs.targets.traits import Enforcement


class TrafficManager:
    """See Enforcer."""

    layout = VIRTUAL_QUEUE

    async def program(self, client: BfrtClient, program: BfrtProgram) -> TmProgram:
        """See Enforcer."""
        return await read_queues(client, program, Enforcement.TM)

    def access(self, client: BfrtClient, program: TmProgram) -> TmAccess:
        """See Enforcer."""
        return TmAccess(client, program)


async def read_queues(
    client: BfrtClient, program: BfrtProgram, enforcement: Enforcement, *more: FixedTable
) -> TmProgram:
    """The program with the traffic manager's queues. Raises RpcError, and MissingObjects where the
    switch has not all tables, or not these."""
    tables = TmTables.of(program.info, enforcement, *more)
    return await client.call("read queues", lambda: _read(client, program, tables))


def _read(client: BfrtClient, program: BfrtProgram, tables: TmTables) -> TmProgram:
    """Raises the SDE's exceptions, and RpcError."""
    found = tables[tm.CONFIGURATION].default_entry_get(client.target, p4_name=program.name)
    configuration: dict[str, Any] = next((data.to_dict() for data, *_ in found if data), {})
    if not configuration:
        details = f"the table {tm.CONFIGURATION.name} is empty"
        raise RpcError("read queues", grpc.StatusCode.NOT_FOUND, details)
    return TmProgram(
        program,
        tables,
        _queues(client, program, tables[tm.PORT]),
        configuration["cell_size_bytes"],
        max(_pool_sizes(client, program, tables[tm.POOL])),
    )


def _pool_sizes(client: BfrtClient, program: BfrtProgram, table: Any) -> list[int]:
    keys = [table.make_key([client.sde.KeyTuple(tm.POOL_KEY, pool)]) for pool in tm.POOLS]
    found = table.entry_get(client.target, keys, p4_name=program.name)
    return [data.to_dict()["size_cells"] for data, _ in found]


def _queues(client: BfrtClient, program: BfrtProgram, table: Any) -> dict[int, PortQueue]:
    """Of the ports that have one."""
    keys = [table.make_key([client.sde.KeyTuple(tm.PORT_KEY, port)]) for port in program.ports]
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
