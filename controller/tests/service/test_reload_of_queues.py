"""SIGHUP with other queues of a port: limits, entries and what is said, on the embedded switch."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from p4abs.access.program import load_program, program_path
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.tables import Selected, SelectionReader
from p4abs.queues import QueueAddress
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

PATIENCE_S = 180.0  # a process starts first
PROGRAM = load_program("shared_queue")
VOICE, VIDEO, BULK = Selected(2, 46), Selected(2, 34), Selected(2, 10)


@pytest.fixture
async def switch():
    async with running(config(program=program_path("shared_queue")), live=False) as switch:
        yield switch


def configured(path: Path, address: str, *queues: str, loss: float = 0.02) -> None:
    """Port 2 with these queues: `number: limit [code points]`."""
    text = f"""
[switch]
name = "leaf"
grpc-addr = "{address}"
[[port]]
number = 2
capacity = "10Mbit"
policy = "static"
loss = {loss}
"""
    for queue in queues:
        number, limit, *dscp = queue.replace(":", "").split(" ", 2)
        text += f"[[port.queue]]\nnumber = {number}\ndscp = {''.join(dscp) or '[]'}\n"
        text += "".join(f'{which}-limit = "{limit}"\n' for which in ("initial", "max", "safe"))
    path.write_text(text)


def limits(switch) -> dict[int, int]:
    """In bytes, of the queues that have one."""
    indices = [QueueAddress(2, queue).index for queue in range(8)]
    cells = switch.engine.registers_read([("queue_limit_bytes", index) for index in indices])
    return {queue: limit for queue, limit in enumerate(cells) if limit}


async def entries(switch) -> dict[Selected, int]:
    async with ReadOnlyConnection(switch.address, switch.device_id) as connection:
        return await SelectionReader(connection, PROGRAM.p4info).read()


async def until_entries(switch, expected: dict[Selected, int]) -> None:
    """Fails with what there is."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            while await entries(switch) != expected:  # noqa: ASYNC110 - tables set no event
                await asyncio.sleep(0.01)
    assert await entries(switch) == expected


async def test_queues_code_points_and_targets_change_while_control_goes_on(
    switch, controlling, tmp_path, eventually
) -> None:
    path = tmp_path / "abs.toml"
    configured(path, switch.address, "0: 60kB", "7: 30kB [46]")
    async with controlling(path) as run:

        async def reload(*queues: str, says: str, **targets: float) -> None:
            configured(path, switch.address, *queues, **targets)
            run.process.send_signal(signal.SIGHUP)
            await run.until_said(f"new configuration in force; changed: {says}")

        await run.until_said("leaf: in control")
        await until_entries(switch, {VOICE: 7})
        assert limits(switch) == {0: 60_000, 7: 30_000}

        added = "leaf (port 2 queue 5: added; port 2 queue 7: dscp)"
        await reload("0: 60kB", "5: 20kB [34]", "7: 30kB [46, 10]", says=added)
        await until_entries(switch, {VOICE: 7, BULK: 7, VIDEO: 5})
        assert limits(switch) == {0: 60_000, 5: 20_000, 7: 30_000}

        removed = "leaf (port 2 queue 5: dscp; port 2 queue 7: removed)"
        await reload("0: 60kB", "5: 20kB [46]", says=removed)
        await run.until_said("taken out of control with safe limits: port 2 queue 7 29.3KiB")
        await until_entries(switch, {VOICE: 5})
        await run.until_said("deleted: 10 of port 2 queue 7; 34 of port 2 queue 5")

        tighter = "leaf (port 2 queue 0: loss; port 2 queue 5: loss, max-limit, initial-limit"
        await reload("0: 60kB", "5: 10kB [46]", loss=0.01, says=tighter)
        await eventually(lambda: limits(switch)[5] == 10_000)

        await reload(says="leaf (port 2: loss, max-limit, initial-limit at the next start only, ")
        await until_entries(switch, {})
        assert await run.end() == 0
    assert len([line for line in run.lines if "leaf: in control" in line]) == 1
    assert not [line for line in run.lines if "trying again" in line]


REFUSED = {
    "dscp 46: port 2 queue 0 and port 2 queue 7 have it": ("0: 60kB [46]", "7: 30kB [46]"),
    "must be 0 to 7, the queues of a port": ("0: 60kB", "8: 30kB"),
    "name each queue of a port in one table": ("7: 30kB", "7: 20kB"),
    "must be a list of whole numbers from 0 to 63": ("7: 30kB [64]",),
}


async def test_a_reload_that_is_refused_changes_nothing(switch, controlling, tmp_path) -> None:
    path = tmp_path / "abs.toml"
    configured(path, switch.address, "0: 60kB", "7: 30kB [46]")
    async with controlling(path) as run:
        await run.until_said("leaf: in control")
        await until_entries(switch, {VOICE: 7})
        for reason, queues in REFUSED.items():
            configured(path, switch.address, *queues)
            run.process.send_signal(signal.SIGHUP)
            await run.until_said(reason)
            assert "configuration not taken over, nothing has changed: " in run.lines[-1]
            assert (limits(switch), await entries(switch)) == ({0: 60_000, 7: 30_000}, {VOICE: 7})
        assert await run.end() == 0
