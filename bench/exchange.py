"""Runs inside the namespace of a target: times exchanges, each a new limit and a snapshot.

exchange.py GRPC_ADDRESS DEVICE_ID PROGRAM PORT COUNT REGISTER_PATH    prints the median in s
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from statistics import median

from p4abs.access.connection import Connection
from p4abs.access.discovery import RegisterPath, discover
from p4abs.access.program import load_program

FIRST_LIMIT_BYTES = 100_000


async def exchange_median_s(
    address: str, device_id: int, program_path: Path, port: int, count: int, path: RegisterPath
) -> float:
    """Median over `count` exchanges, the limit another one each time."""
    program = load_program(str(program_path))
    async with Connection(address, device_id, election=1) as connection:
        await connection.push(program)
        access, _ = await discover(connection, program, [port], path)
        durations_s = []
        for number in range(count):
            begin_s = time.perf_counter()
            (await access.exchange([port], {port: FIRST_LIMIT_BYTES + number})).of(port)
            durations_s.append(time.perf_counter() - begin_s)
        return median(durations_s)


if __name__ == "__main__":
    _, address, device_id, program, port, count, path = sys.argv
    print(
        asyncio.run(
            exchange_median_s(
                address, int(device_id), Path(program), int(port), int(count), RegisterPath(path)
            )
        )
    )
