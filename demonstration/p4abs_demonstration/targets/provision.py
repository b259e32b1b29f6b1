"""Gives a P4Runtime switch its program and its forwarding entries."""

import asyncio
from collections.abc import Mapping

import finsy
from finsy.proto import p4r
from p4abs.access.connection import Connection
from p4abs.access.program import Program, load_program

DEVICE_ID = 1
ELECTION_ID = 1
WRITE_TIMEOUT_S = 10.0
TABLE = "ethernet_forward"
ACTION = "forward"
KEY = "dst_mac"


def provision(address: str, program: str, stations: Mapping[str, int]) -> None:
    """Pushes a program and, for every station's MAC address, the port that leads to it.

    Raises p4abs.access.rpc_error.RpcError.
    """
    asyncio.run(_provision(address, load_program(program), stations))


async def _provision(address: str, program: Program, stations: Mapping[str, int]) -> None:
    async with Connection(address, DEVICE_ID, ELECTION_ID) as connection:
        await connection.push(program)
        await connection.write(_entries(program, stations), WRITE_TIMEOUT_S)


def _entries(program: Program, stations: Mapping[str, int]) -> list[p4r.Update]:
    schema = finsy.P4Schema(program.p4info)
    return [
        p4r.Update(
            type=p4r.Update.INSERT,
            entity=finsy.P4TableEntry(
                TABLE,
                match=finsy.Match({KEY: mac_address}),
                action=finsy.Action(ACTION, port=port),
            ).encode(schema),
        )
        for mac_address, port in stations.items()
    ]
