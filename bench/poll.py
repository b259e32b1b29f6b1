"""Runs inside the namespace of a target: a controller that polls every 20 ms, each time with
another limit.

poll.py GRPC_ADDRESS DEVICE_ID PROGRAM PORT QUIET_S    prints the last counts and the polls as JSON

Ends when nothing has been counted for QUIET_S seconds.
"""

import asyncio
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from p4abs.access.connection import Connection
from p4abs.access.discovery import RegisterPath, discover
from p4abs.access.program import load_program

INTERVAL_S = 0.02
LIMITS_BYTES = (10_000, 1_000_000)
SEED = 1


async def poll(
    address: str, device_id: int, program_path: Path, port: int, quiet_s: float
) -> dict[str, Any]:
    """The counts only grow, or this fails. The program must be running already."""
    generator = random.Random(SEED)
    program = load_program(str(program_path))
    polls, counted_bytes, longest_s = 0, 0, 0.0
    async with Connection(address, device_id, election=2**32) as connection:
        access, _ = await discover(connection, program, [port], RegisterPath.AUTO)
        start_s = counted_s = time.monotonic()
        while True:
            sent_s = time.monotonic()
            limits = {port: generator.randint(*LIMITS_BYTES)}
            snapshot = (await access.exchange([port], limits)).of(port)
            longest_s = max(longest_s, time.monotonic() - sent_s)
            polls += 1
            now_bytes = snapshot.admitted_bytes + snapshot.dropped_bytes
            if now_bytes < counted_bytes:
                raise RuntimeError(f"poll {polls}: {now_bytes} bytes after {counted_bytes}")
            if now_bytes > counted_bytes:
                counted_bytes, counted_s = now_bytes, time.monotonic()
            if time.monotonic() - counted_s > quiet_s:
                break
            await asyncio.sleep(max(0.0, start_s + polls * INTERVAL_S - time.monotonic()))
    return {
        "polls": polls,
        "longest_poll_s": longest_s,
        "admitted_bytes": snapshot.admitted_bytes,
        "dropped_bytes": snapshot.dropped_bytes,
    }


if __name__ == "__main__":
    _, address, device_id, program, port, quiet_s = sys.argv
    result = poll(address, int(device_id), Path(program), int(port), float(quiet_s))
    print(json.dumps(asyncio.run(result)))
