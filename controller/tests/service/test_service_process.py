"""`p4abs control` as a service manager sees it: signals, notifications, the log."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from p4abs.access.program import program_path
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

PORT = 2
PATIENCE_S = 180.0  # a process starts first
MORE_THAN_PIPES_HOLD = 2**20
NOBODY = "127.0.0.1:1"


def configured(folder: Path, address: str, limit: str = "60kB") -> Path:
    path = folder / "abs.toml"
    path.write_text(
        f'[switch]\nname = "leaf"\ngrpc-addr = "{address}"\n'
        f'[[port]]\nnumber = {PORT}\ncapacity = "10Mbit"\npolicy = "static"\n'
        f'initial-limit = "{limit}"\nmax-limit = "{limit}"\nsafe-limit = "{limit}"\n'
    )
    return path


@pytest.fixture
async def switch():
    async with running(config(program=program_path("queue")), live=False) as switch:
        yield switch


def limit(switch, port: int = PORT) -> int:
    return switch.engine.registers_read([("queue_limit_bytes", port)])[0]


async def test_sighup_puts_other_bounds_in_force_and_a_wrong_file_changes_nothing(
    switch, controlling, tmp_path, eventually
) -> None:
    path = configured(tmp_path, switch.address)
    async with controlling(path) as run:
        await run.until_said("leaf: in control")
        assert limit(switch) == 60_000
        configured(tmp_path, switch.address, "50kB")
        run.process.send_signal(signal.SIGHUP)
        await run.until_said("new configuration in force; changed: leaf")
        await eventually(lambda: limit(switch) == 50_000)
        path.write_text(path.read_text().replace("max-limit", "maxlimit"))
        run.process.send_signal(signal.SIGHUP)
        await run.until_said("configuration not taken over, nothing has changed: ")
        assert "abs.toml:9: unknown key 'maxlimit'; did you mean max-limit?" in run.lines[-1]
        path.unlink()
        os.mkfifo(path)
        run.process.send_signal(signal.SIGHUP)
        await run.until_said("abs.toml: a pipe that nobody writes")
        assert limit(switch) == 50_000
        assert await run.end() == 0
        assert limit(switch) == 50_000
    assert not any("lost" in line for line in run.lines)


async def test_sighup_while_control_starts_is_remembered(
    switch, controlling, tmp_path, eventually
) -> None:
    # The product's own module, which keeps the signal before it imports anything.
    async with controlling(configured(tmp_path, switch.address), module="p4abs") as run:
        maps = Path(f"/proc/{run.process.pid}/maps")
        # The first of its own libraries: there is nothing yet that could read a file.
        await eventually(lambda: "site-packages" in maps.read_text())
        run.process.send_signal(signal.SIGHUP)
        await run.until_said("new configuration in force; changed: nothing")
        await eventually(lambda: limit(switch) == 60_000)
        assert await run.end() == 0


async def test_samples_outlive_a_crash_and_sighup_gives_logrotate_its_file(
    switch, controlling, tmp_path, eventually
) -> None:
    path, samples = configured(tmp_path, switch.address), tmp_path / "samples.csv"
    sent_bytes = 0

    def has_samples_after_more_traffic(count: int) -> bool:
        nonlocal sent_bytes
        sent_bytes += 9000
        switch.engine.registers_write([("admitted_bytes", PORT, sent_bytes)])
        switch.engine.run_until(1000 * (switch.engine.now_us() + 20_000))
        return samples.exists() and samples.read_text().count(",leaf,") > count

    async with controlling(path, "--samples", str(samples)) as run:
        await run.until_said("leaf: in control")
        await eventually(lambda: has_samples_after_more_traffic(2))
        run.process.kill()
        await run.process.wait()
    before = samples.read_text()
    async with controlling(path, "--samples", str(samples)) as run:
        await run.until_said("leaf: in control")
        await eventually(lambda: has_samples_after_more_traffic(before.count(",leaf,")))
        assert samples.read_text().startswith(before)
        samples.rename(tmp_path / "samples.csv.1")
        run.process.send_signal(signal.SIGHUP)
        await run.until_said("new configuration in force")
        await eventually(lambda: has_samples_after_more_traffic(0))
        assert await run.end() == 0
    assert samples.read_text().startswith("time_s,switch,")
    assert not any("samples" in line for line in run.lines)


async def test_sighup_adds_a_port_and_the_others_keep_their_limits(
    switch, controlling, tmp_path, eventually
) -> None:
    path = configured(tmp_path, switch.address)
    path.write_text(path.read_text().replace('safe-limit = "60kB"', "").replace("max-limit", "#"))
    async with controlling(path) as run:
        await run.until_said("leaf: in control")
        one_port = path.read_text()
        path.write_text(one_port + one_port[one_port.index("[[port]]") :].replace("= 2", "= 3"))
        run.process.send_signal(signal.SIGHUP)
        await run.until_said("new configuration in force; changed: leaf (port 3: added)")
        await eventually(lambda: (limit(switch, 2), limit(switch, 3)) == (60_000, 60_000))
        assert await run.end() == 0
        # Without a safe limit, a static port is left with its own.
        assert (limit(switch, 2), limit(switch, 3)) == (60_000, 60_000)
    assert len([line for line in run.lines if "leaf: in control" in line]) == 1


class Manager:
    """A service manager's socket."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.setblocking(False)

    async def next(self) -> str:
        """The next notification that is no sign of life."""
        async with asyncio.timeout(PATIENCE_S):
            while (told := await self.any()) == "WATCHDOG=1":
                pass
            return told

    async def any(self) -> str:
        loop = asyncio.get_running_loop()
        return (await loop.sock_recv(self._socket, 4096)).decode()


@pytest.fixture
def manager(tmp_path):
    manager = Manager(tmp_path / "notify")
    yield manager
    manager._socket.close()


async def test_the_manager_is_told_what_the_service_does(
    switch, controlling, tmp_path, manager
) -> None:
    environment = {"NOTIFY_SOCKET": str(manager.path), "WATCHDOG_USEC": "30000000"}
    async with controlling(configured(tmp_path, switch.address), **environment) as run:
        assert await manager.next() == "READY=1"
        await run.until_said("leaf: in control")
        run.process.send_signal(signal.SIGHUP)
        reloading, clock = (await manager.next()).split("\n")
        assert reloading == "RELOADING=1"
        assert clock.startswith("MONOTONIC_USEC=")
        assert await manager.next() == "READY=1"
        assert await run.end() == 0
        assert await manager.next() == "STOPPING=1"


async def test_the_watchdog_is_fed_again_and_again(controlling, tmp_path, manager) -> None:
    environment = {"NOTIFY_SOCKET": str(manager.path), "WATCHDOG_USEC": "300000"}
    async with (
        controlling(configured(tmp_path, NOBODY), **environment),
        asyncio.timeout(PATIENCE_S),
    ):
        told = [await manager.any() for _ in range(4)]
    assert sorted(told) == ["READY=1", *["WATCHDOG=1"] * 3]


async def test_the_log_is_a_line_of_json_for_each_message(switch, controlling, tmp_path) -> None:
    path = configured(tmp_path, switch.address)
    async with controlling(path, "--log", "json") as run:
        await run.until_said("in control")
        path.write_text("[[port]]\nnumber = 512\n")
        run.process.send_signal(signal.SIGHUP)
        await run.until_said("not taken over")
        assert await run.end() == 0
    said = [json.loads(line) for line in run.lines]
    in_control = next(each for each in said if "in control" in each["message"])
    assert (in_control["switch"], in_control["level"]) == ("leaf", "info")
    assert datetime.fromisoformat(in_control["time"]).tzinfo is not None
    refused = next(each for each in said if "not taken over" in each["message"])
    assert refused["level"] == "warning"
    assert "switch" not in refused
    assert set(in_control) == {"time", "level", "switch", "message"}


async def test_a_log_that_nobody_reads_holds_up_neither_control_nor_its_end(
    switch, tmp_path, manager, eventually
) -> None:
    path = configured(tmp_path, switch.address)
    # Asyncio's own processes are read, also while nobody asks for it.
    with subprocess.Popen(  # noqa: ASYNC220
        (sys.executable, "-m", "p4abs", "control", "--config", str(path), "--quiet"),
        stderr=subprocess.PIPE,
        env={**os.environ, "NOTIFY_SOCKET": str(manager.path)},
    ) as process:
        try:
            assert await manager.next() == "READY=1"
            path.write_text(f"{MORE_THAN_PIPES_HOLD * 'x'} = 1\n[[port]]\nnumber = {PORT}\n")
            process.send_signal(signal.SIGHUP)
            assert (await manager.next()).startswith("RELOADING=1")
            assert await manager.next() == "READY=1"
            configured(tmp_path, switch.address, "50kB")
            process.send_signal(signal.SIGHUP)
            await eventually(lambda: limit(switch) == 50_000)
            process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.wait, PATIENCE_S) == 0
        finally:
            process.kill()


async def test_what_ends_a_service_is_in_its_log(controlling, tmp_path) -> None:
    path = tmp_path / "abs.toml"
    path.write_text("[[port]]\nnumber = 512\n")
    async with controlling(path, "--log", "json") as run:
        assert await run.process.wait() == 2
        (line,) = (await run.process.stderr.read()).decode().splitlines()
    assert "port 512" in json.loads(line)["message"]
