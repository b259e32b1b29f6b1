"""Runs inside the namespace of a target: times exchanges, each a new limit and a snapshot of every
port.

exchange.py GRPC_ADDRESS DEVICE_ID PROGRAM FIRST_PORT PORTS COUNT REGISTER_PATH
prints the durations in s as JSON
"""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from p4abs.access.connection import Connection
from p4abs.access.discovery import RegisterPath, discover
from p4abs.access.program import load_program

FIRST_LIMIT_BYTES = 100_000


async def durations_s(
    address: str,
    device_id: int,
    program_path: Path,
    ports: Sequence[int],
    count: int,
    path: RegisterPath,
) -> list[float]:
    """Of `count` exchanges, the limits others each time."""
    program = load_program(str(program_path))
    async with Connection(address, device_id, election=1) as connection:
        await connection.push(program)
        access, _ = await discover(connection, program, ports, path)
        found = []
        for number in range(count):
            limits = dict.fromkeys(ports, FIRST_LIMIT_BYTES + number)
            begin_s = time.perf_counter()
            snapshots = await access.exchange(ports, limits)
            found.append(time.perf_counter() - begin_s)
            for port in ports:
                snapshots.of(port)
        return found


if __name__ == "__main__":
    _, address, device_id, program, first, ports, count, path = sys.argv
    measured = durations_s(
        address,
        int(device_id),
        Path(program),
        range(int(first), int(first) + int(ports)),
        int(count),
        RegisterPath(path),
    )
    print(json.dumps(asyncio.run(measured)))
