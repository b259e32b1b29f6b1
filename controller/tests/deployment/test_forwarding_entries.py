"""Switches that come back without their forwarding entries, over real gRPC."""

import json
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from p4abs.access.connection import Connection
from p4abs.access.program import load_program, p4info_path, program_path
from p4abs.config import Source, load_settings
from p4abs.errors import UserError
from p4abs.runtime import apply, read_runtime_file
from p4abs.session import SwitchController, SwitchState
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.conftest import VirtualClock
from controller.tests.recorder import Recorder, at_work

pytestmark = pytest.mark.usefixtures("patience")

PROGRAM = load_program("queue")
TABLE = "AbsIngress.forwarding.ethernet_forward"
GONE = "its tables hold no entries: it forwards nothing"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A runtime file with one entry, its P4Info beside it."""
    (tmp_path / "p4info.txtpb").write_text(p4info_path(program_path("queue")).read_text())
    entry = {
        "table": TABLE,
        "match": {"dst_mac": "02:00:00:00:00:01"},
        "action_name": "AbsIngress.forwarding.forward",
        "action_params": {"port": 1},
    }
    path = tmp_path / "leaf.json"
    path.write_text(json.dumps({"p4info": "p4info.txtpb", "table_entries": [entry]}))
    return path


@pytest.fixture
def foreign(file: Path) -> Path:
    """The file with the table of another program, which a switch refuses."""
    p4info = file.with_name("p4info.txtpb")
    table_id = next(t.preamble.id for t in PROGRAM.p4info.tables if t.preamble.name == TABLE)
    p4info.write_text(p4info.read_text().replace(str(table_id), str(table_id + 99)))
    return file


def settings(address: str, runtime: Path | None = None, mode: str = "control"):
    switch = {} if runtime is None else {"runtime": str(runtime)}
    port = {"number": 2, "capacity": "10Mbit", "mode": mode}
    tables = {"switch": [{"grpc-addr": address, "interval": "5ms", "port": [port], **switch}]}
    return load_settings(Source(tables), {}).switch[0]


def edit(file: Path, *, is_whole: bool) -> None:
    """Adds an entry, or leaves nothing that can be read."""
    content = json.loads(file.read_text())
    [entry] = content["table_entries"]
    content["table_entries"].append(entry | {"match": {"dst_mac": "02:00:00:00:00:02"}})
    file.write_text(json.dumps(content) if is_whole else "{")


def entries(switch) -> int:
    json = program_path("queue").read_bytes()
    return len(Programmed.of(switch.engine, json).entries(TABLE))


@pytest.mark.parametrize("is_given", [False, True], ids=["no runtime file", "runtime file"])
async def test_a_restarted_switch_is_said_to_have_no_entries_or_gets_them(
    eventually, file: Path, is_given: bool
) -> None:
    async with AsyncExitStack() as first_life:
        first = await first_life.enter_async_context(running(config(), live=False))
        given = settings(first.address, file if is_given else None)
        async with at_work(given, PROGRAM) as run:
            await eventually(lambda: run.events.ticks > 3)
            assert entries(first) == is_given
            assert not run.events.said(GONE)
            await first_life.aclose()
            await eventually(lambda: run.controller.state is SwitchState.LOST)
            async with running(replace(config(), grpc_address=first.address), live=False) as second:
                before = run.events.ticks
                await eventually(lambda: run.events.ticks > before)
                assert entries(second) == is_given
    assert run.events.said(GONE) != is_given
    assert run.events.said("its tables were empty; 1 entry written") == is_given


@pytest.mark.parametrize("is_whole", [True, False])
async def test_a_restarted_switch_gets_what_the_file_says_then(
    eventually, file: Path, is_whole: bool
) -> None:
    async with AsyncExitStack() as first_life:
        first = await first_life.enter_async_context(running(config(), live=False))
        async with at_work(settings(first.address, file), PROGRAM) as run:
            await eventually(lambda: run.events.ticks > 3)
            edit(file, is_whole=is_whole)
            await first_life.aclose()
            await eventually(lambda: run.controller.state is SwitchState.LOST)
            async with running(replace(config(), grpc_address=first.address), live=False) as second:
                before = run.events.ticks
                await eventually(lambda: run.events.ticks > before)
                assert entries(second) == (2 if is_whole else 0)
    assert run.events.said("its forwarding entries are not restored: ") != is_whole


async def test_entries_that_are_there_stay_as_they_are(eventually, file: Path) -> None:
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            await connection.push(PROGRAM)
            await apply(connection, read_runtime_file(file, file.parent), push=False)
        async with at_work(settings(switch.address, file)) as run:
            await eventually(lambda: run.events.ticks > 2)
        assert entries(switch) == 1
        assert not run.events.said("entries")


async def test_entries_that_the_switch_refuses_are_said_and_control_goes_on(
    eventually, foreign: Path
) -> None:
    async with (
        running(config(), live=False) as switch,
        at_work(settings(switch.address, foreign), PROGRAM) as run,
    ):
        await eventually(lambda: run.events.ticks > 3)
        assert run.events.said("its forwarding entries are not restored")
        assert run.events.said("let the switch run the file's program, or correct runtime")
        assert not run.events.said("--no-push")
        assert run.controller.state is SwitchState.CONTROLLING


async def test_an_observed_switch_gets_no_entries(eventually, file: Path) -> None:
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            await connection.push(PROGRAM)
        async with at_work(settings(switch.address, file, "observe")) as run:
            await eventually(lambda: run.events.ticks > 2)
        assert entries(switch) == 0
        assert run.events.said(GONE)


def test_a_file_that_cannot_be_used_is_refused_before_anything_is_connected(tmp_path) -> None:
    for path, message in (("nowhere.json", "No such file"), ("odd.json", "not JSON")):
        (tmp_path / "odd.json").write_text("{")
        wrong = settings("127.0.0.1:1", tmp_path / path)
        with pytest.raises(UserError, match=message):
            SwitchController(wrong, None, Recorder(), VirtualClock())
