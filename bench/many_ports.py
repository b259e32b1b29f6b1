"""Runs inside the namespace of a target: the controller's processor time per port and interval.

many_ports.py GRPC_ADDRESS DEVICE_ID PROGRAM REGISTER_PATH COUNT...

Intervals back to back, the policy at work on ports under load. Prints JSON: for each count of ports
the time in s with one exchange for all of them, and with one for each.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from p4abs.access.connection import Connection
from p4abs.access.discovery import RegisterPath, discover
from p4abs.access.program import load_program
from p4abs.access.register_access import RegisterAccess, Snapshots
from p4abs.control import ControlledPort, ControlLoop, MemoryPool
from p4abs.policies import Targets, create
from p4abs.snapshot import Snapshot

CAPACITY_BPS = 10_000_000
TARGETS = Targets(0.98, 0.02, None, 3028, 1_250_000)
LIMIT_BYTES = 50_000
INTERVAL_S = 0.02
PORT_INTERVALS = 100  # per measurement, or one interval of all ports if these are more
ROUNDS = 7


class Enough(Exception):
    """As many intervals as were to be measured."""


class NoWaiting:
    """A clock whose deadlines have always come."""

    def now_s(self) -> float:
        return time.perf_counter()

    async def sleep_until(self, deadline_s: float) -> None:
        pass


@dataclass
class UnderLoad:
    """A register access whose counters advance as those of full links do, a little is dropped.

    With `together` False it makes one exchange for each port.
    """

    access: RegisterAccess
    together: bool
    exchanges: int = 0

    @property
    def path(self) -> str:
        return self.access.path

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        self.exchanges += 1
        if self.together:
            taken = (await self.access.exchange(ports, limits)).taken
        else:
            taken = {port: await self._one(port, limits) for port in ports}
        return Snapshots({port: self._loaded(snapshot) for port, snapshot in taken.items()})

    async def _one(self, port: int, limits: Mapping[int, int]) -> Snapshot:
        own = {port: limits[port]} if port in limits else {}
        return (await self.access.exchange([port], own)).of(port)

    def _loaded(self, snapshot: Snapshot) -> Snapshot:
        interval_bytes = round(INTERVAL_S * CAPACITY_BPS / 8)
        return replace(
            snapshot,
            timestamp_us=self.exchanges * round(INTERVAL_S * 1e6),
            admitted_bytes=self.exchanges * interval_bytes,
            dropped_bytes=self.exchanges * interval_bytes // 25,
            departed_bytes=self.exchanges * interval_bytes,
            unsaturated_us=0,
            unsaturated_bytes=0,
        )

    async def configure(
        self, drain_rates_bps: Mapping[int, int], ecn_marking: Mapping[int, bool]
    ) -> None:
        await self.access.configure(drain_rates_bps, ecn_marking)


async def port_time_s(access: UnderLoad, count: int) -> float:
    """Processor time of this process per port and interval."""
    intervals = max(1, PORT_INTERVALS // count)

    def stop() -> None:
        if loop.statistics.ticks == intervals:
            raise Enough

    ports = [
        ControlledPort(port, CAPACITY_BPS, create("abs", CAPACITY_BPS, TARGETS), LIMIT_BYTES)
        for port in range(1, 1 + count)
    ]
    loop = ControlLoop(
        ports, MemoryPool(None), INTERVAL_S, NoWaiting(), lambda _samples: None, on_tick=stop
    )
    await loop.begin(access)
    begin_s = time.process_time()
    try:
        await loop.run(access)
    except Enough:
        return (time.process_time() - begin_s) / intervals / count


async def port_times_s(
    address: str, device_id: int, program_path: Path, path: RegisterPath, counts: Sequence[int]
) -> dict[int, dict[str, float]]:
    """Medians over rounds that alternate between the two ways."""
    program = load_program(str(program_path))
    times_s: dict[int, dict[str, list[float]]] = {
        count: {"together": [], "one_by_one": []} for count in counts
    }
    async with Connection(address, device_id, election=1) as connection:
        await connection.push(program)
        access = await discover(connection, program, 1, path)
        for _ in range(ROUNDS):
            for count, ways in times_s.items():
                for way, series in ways.items():
                    loaded = UnderLoad(access, way == "together")
                    series.append(await port_time_s(loaded, count))
    return {
        count: {way: median(series) for way, series in ways.items()}
        for count, ways in times_s.items()
    }


if __name__ == "__main__":
    _, address, device_id, program, path, *counts = sys.argv
    times = asyncio.run(
        port_times_s(
            address, int(device_id), Path(program), RegisterPath(path), [*map(int, counts)]
        )
    )
    print(json.dumps(times))
