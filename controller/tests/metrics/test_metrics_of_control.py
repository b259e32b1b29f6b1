"""`p4abs control --metrics` as a process of its own, with the embedded switch."""

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path

from p4abs.access.program import program_path
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

ROOT = Path(__file__).parents[3]
PORT = 2
PATIENCE_S = 180.0  # a process starts first


@asynccontextmanager
async def controlling(address: str):
    """The process once it is in control, and its metrics' URL; killed at the end if need be."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller.tests.patient"),
        *("control", "--grpc-addr", address, "--quiet"),
        *("--port", f"{PORT},capacity=10Mbit,initial-limit=60000B,policy=static"),
        *("--metrics", "127.0.0.1:0"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            url = (await process.stderr.readline()).decode().removeprefix("metrics: ").strip()
            while b"in control" not in await process.stderr.readline():
                assert process.returncode is None
        yield process, url
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_a_running_controller_is_scraped(fetch) -> None:
    async def until_shown(name: str, value: float, **labels: str):
        async with asyncio.timeout(PATIENCE_S):
            while True:
                scraped = await asyncio.to_thread(fetch, url)
                if (scraped.value(name, **labels) or 0) >= value:
                    return scraped

    async with (
        running(config(program=program_path("queue")), live=False) as switch,
        controlling(switch.address) as (process, url),
    ):
        of_switch = {"switch": switch.address}
        port = {**of_switch, "port": str(PORT)}
        scraped = await until_shown("p4abs_intervals_total", 1, **of_switch)
        assert scraped.value("p4abs_primary", **of_switch) == 1
        switch.engine.registers_write(
            [("admitted_bytes", PORT, 9_000), ("dropped_bytes", PORT, 1_000)]
        )
        switch.engine.run_until(20_000_000)
        scraped = await until_shown("p4abs_admitted_bytes_total", 9_000, **port)
        assert scraped.value("p4abs_admitted_bytes_total", **port) == 9_000
        assert scraped.value("p4abs_dropped_bytes_total", **port) == 1_000
        assert scraped.value("p4abs_queue_limit_bytes", **port) == 60_000
        assert scraped.value("p4abs_reconnections_total", **of_switch) == 0
        process.terminate()
        assert await process.wait() == 0
        assert b"metrics" not in await process.stderr.read()
