"""Gives a P4Runtime switch its program and its forwarding entries."""

import asyncio
from collections.abc import Mapping, Sequence

import finsy
from finsy.proto import p4r
from p4abs.access.connection import Connection
from p4abs.access.program import Program, load_program

from p4abs_demonstration.targets.routes import Host, entries, tables_of

DEVICE_ID = 1
ELECTION_ID = 1
WRITE_TIMEOUT_S = 10.0


def provision(
    address: str,
    program: str,
    stations: Mapping[str, int],
    addresses: Mapping[str, str] = {},
) -> None:
    """Pushes a program and what brings packets to every station, by the port that leads to it.

    addresses: the stations' IPv4 addresses, for programs that route. Raises UnknownTables and
    p4abs.access.rpc_error.RpcError.
    """
    hosts = [Host(mac, port, addresses.get(mac, "")) for mac, port in stations.items()]
    asyncio.run(_provision(address, load_program(program), hosts))


async def _provision(address: str, program: Program, hosts: Sequence[Host]) -> None:
    schema = finsy.P4Schema(program.p4info)
    made = [entry.encode(schema) for entry in entries(tables_of(program.p4info), hosts)]
    updates = [p4r.Update(type=p4r.Update.INSERT, entity=entity) for entity in made]
    async with Connection(address, DEVICE_ID, ELECTION_ID) as connection:
        await connection.push(program)
        await connection.write(updates, WRITE_TIMEOUT_S)
