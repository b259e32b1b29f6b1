"""`p4abs control` with several switches, as a process of its own, on the embedded switch."""

import json
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from p4abs.access.program import program_path
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

PORT = 2
INITIAL_LIMIT, SAFE_LIMIT = 60_000, 200_000
PORTS = (
    f'[[switch.port]]\nnumber = {PORT}\ncapacity = "10Mbit"\npolicy = "static"\n'
    f'initial-limit = "{INITIAL_LIMIT}B"\nsafe-limit = "{SAFE_LIMIT}B"\n'
)
NOBODY = "127.0.0.1:1"


def fleet(folder: Path, **addresses: str) -> Path:
    """A configuration of switches by name."""
    path = folder / "fleet.toml"
    path.write_text(
        "".join(
            f'[[switch]]\nname = "{name}"\ngrpc-addr = "{address}"\n{PORTS}'
            for name, address in addresses.items()
        )
    )
    return path


def limit(switch) -> int:
    return switch.engine.registers_read([("queue_limit_bytes", PORT)])[0]


@pytest.fixture
def with_program():
    return config(program=program_path("queue"))


async def test_a_restarted_switch_and_a_dead_one_leave_the_others_under_control(
    with_program, controlling, tmp_path, eventually
) -> None:
    samples, summary = tmp_path / "samples.csv", tmp_path / "summary.json"

    def sampled(name: str) -> int:
        return samples.read_text().count(f",{name},")

    async with AsyncExitStack() as lives, running(with_program, live=False) as well:
        first = await lives.enter_async_context(running(with_program, live=False))
        path = fleet(tmp_path, well=well.address, flapping=first.address, dead=NOBODY)
        outputs = ("--samples", str(samples), "--summary", str(summary))
        async with controlling(path, *outputs) as run:
            await run.until_said("well: in control", "flapping: in control", "dead: no answer yet")
            await lives.aclose()
            await run.until_said("flapping: lost")
            well.engine.registers_write([("admitted_bytes", PORT, 9000)])
            well.engine.run_until(20_000_000)
            await eventually(lambda: sampled("well") > 0)
            async with running(
                replace(with_program, grpc_address=first.address), live=False
            ) as second:
                await eventually(lambda: limit(second) == INITIAL_LIMIT)
                assert await run.end() == 1
                assert (limit(well), limit(second)) == (SAFE_LIMIT, SAFE_LIMIT)
    assert run.lines[-1] == "1 of 3 switches failed: dead: was not left with safe limits"
    assert not any(line.startswith("well: ") and "lost" in line for line in run.lines)
    switches = json.loads(summary.read_text())["switches"]
    assert [*switches] == ["well", "flapping", "dead"]
    assert switches["well"]["ticks"] > switches["dead"]["ticks"] == 0


async def test_a_switch_that_cannot_be_controlled_is_given_up_and_the_others_go_on(
    with_program, controlling, tmp_path
) -> None:
    async with running(with_program, live=False) as well, running(config(), live=False) as bare:
        path = fleet(tmp_path, well=well.address, bare=bare.address)
        async with controlling(path) as run:
            await run.until_said("well: in control", "bare: given up: the switch runs no program")
            assert limit(well) == INITIAL_LIMIT
            assert await run.end() == 1
            assert limit(well) == SAFE_LIMIT
    assert run.lines[-1].startswith("1 of 2 switches failed: bare: the switch runs no program")


async def test_where_no_switch_can_be_controlled_each_is_named_with_status_2(
    controlling, tmp_path
) -> None:
    async with (
        running(config(), live=False) as one,
        running(config(), live=False) as two,
        controlling(fleet(tmp_path, one=one.address, two=two.address)) as run,
    ):
        await run.until_said("p4abs: ")
        assert await run.process.wait() == 2
    said = run.lines[-1]
    assert said.startswith("p4abs: ")
    assert all(f"{name}: the switch runs no program" in said for name in ("one", "two"))


async def test_all_switches_are_left_with_safe_limits(with_program, controlling, tmp_path) -> None:
    async with running(with_program, live=False) as one, running(with_program, live=False) as two:
        async with controlling(fleet(tmp_path, one=one.address, two=two.address)) as run:
            await run.until_said("one: in control", "two: in control")
            assert await run.end() == 0
        assert (limit(one), limit(two)) == (SAFE_LIMIT, SAFE_LIMIT)
    assert not any("failed" in line for line in run.lines)


async def test_a_summary_that_cannot_be_written_is_told_once_control_has_ended(
    with_program, controlling, tmp_path
) -> None:
    summary = tmp_path / "summary.json"
    summary.symlink_to("/dev/full")
    async with running(with_program, live=False) as one:
        async with controlling(fleet(tmp_path, one=one.address), "--summary", str(summary)) as run:
            await run.until_said("one: in control")
            assert await run.end() == 1
        assert limit(one) == SAFE_LIMIT
    assert run.lines[-1] == f"p4abs: {summary}: No space left on device"
