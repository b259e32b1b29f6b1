"""`p4abs control --web` as a process of its own, with the embedded switch."""

import asyncio
import socket
import sys
from contextlib import asynccontextmanager
from urllib.parse import quote

from p4abs.access.program import program_path
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

PORT = 2
PATIENCE_S = 180.0  # a process starts first
CONFIGURATION = """
[[port]]
number = 2
capacity = "10Mbit"
initial-limit = "60000B"
policy = "static"
[[port.agreement]]
name = "gold"
loss = 0.01
window = "1s"
period = "20s"
"""


@asynccontextmanager
async def controlling(address: str, *flags: str):
    """The process; killed at the end if need be."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "p4abs", "control", "--grpc-addr", address, "--quiet", *flags),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def line_with(process, text: str) -> str:
    """The first of its messages that has the text."""
    async with asyncio.timeout(PATIENCE_S):
        while text not in (line := (await process.stderr.readline()).decode()):
            assert line, f"ended without {text!r}"
        return line.strip()


async def test_a_running_controller_shows_its_port_and_an_agreement_that_is_broken(
    tmp_path, get_json
) -> None:
    async def told_with_points(url: str):
        """The page has them soon after the message is out."""
        async with asyncio.timeout(PATIENCE_S):
            while not (told := await asyncio.to_thread(get_json, url))["points"]:
                pass
            return told

    (tmp_path / "abs.toml").write_text(CONFIGURATION)
    flags = ("--config", str(tmp_path / "abs.toml"), "--web", "127.0.0.1:0")
    async with (
        running(config(program=program_path("queue")), live=False) as switch,
        controlling(switch.address, *flags) as process,
    ):
        url = (await line_with(process, "web page: ")).removeprefix("web page: ")
        await line_with(process, "in control")
        switch.engine.registers_write(
            [("admitted_bytes", PORT, 9_000), ("dropped_bytes", PORT, 1_000)]
        )
        switch.engine.run_until(2_000_000_000)
        broken = await line_with(process, "agreement")
        assert broken == (
            f"{switch.address}: port 2: agreement gold is broken: "
            "more than 0.2 of 20 windows failed; last: loss 10.00% above 1.00%"
        )
        port = f"{url}port.json?switch={quote(switch.address)}&port=2"
        told = await told_with_points(port)
        (agreement,) = told["agreements"]
        assert (agreement["is_broken"], agreement["breaches"]) == (True, 1)
        (point,) = told["points"]
        assert dict(zip(told["columns"], point, strict=True))["limit_bytes"] == 60_000
        fleet = await asyncio.to_thread(get_json, f"{url}fleet.json")
        assert broken in [line for _, line in fleet["events"]]
        process.terminate()
        async with asyncio.timeout(PATIENCE_S):
            assert await process.wait() == 0
        assert b"web page" not in await process.stderr.read()


async def test_an_address_in_use_is_one_line_and_who_has_it_goes_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        flags = ("--port", "2,capacity=10Mbit", "--web", address)
        async with controlling("127.0.0.1:1", *flags) as process, asyncio.timeout(PATIENCE_S):
            said = (await process.stderr.read()).decode()
            assert await process.wait() == 1
        assert said == f"p4abs: --web: {address}: address already in use; give another port\n"
        with socket.create_connection(other.getsockname(), timeout=PATIENCE_S):
            other.accept()[0].close()
