"""Entries of queue_selection over sessions with a switch: a configuration's replace another's."""

import pytest
from p4abs.access.connection import Connection
from p4abs.access.program import load_program, program_path
from p4abs.access.tables import Selected, SelectionTable
from p4abs.access.tables.form import forms_of
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.recorder import Recorder, at_work

pytestmark = pytest.mark.usefixtures("patience")

PROGRAM = load_program("shared_queue")
FOREIGN = {Selected(2, 10): 1, Selected(3, 46): 2}


@pytest.fixture
async def switch():
    async with running(config(program=program_path("shared_queue")), live=False) as switch:
        yield switch


def settings(address: str, *dscp: int, **port: object) -> SwitchSettings:
    queues = [{"number": 0}, {"number": 7, "dscp": [*dscp]}]
    link = {"capacity": "10Mbit", "policy": "static"}
    tables = [{"number": 1, **link}, {"number": 2, **link, "queue": queues, **port}]
    return load_settings(Source({"port": tables}), {"grpc-addr": address}).switch[0]


async def entries(switch) -> dict[Selected, int]:
    async with Connection(switch.address, switch.device_id, 1) as connection:
        return await SelectionTable(connection, PROGRAM.p4info).read()


async def write_foreign(switch) -> None:
    [form] = forms_of(PROGRAM.p4info, ["queue_selection"]).values()
    async with Connection(switch.address, switch.device_id, 1) as connection:
        wanted = {key: (queue,) for key, queue in FOREIGN.items()}
        await connection.write([*form.changes({}, wanted)], 60.0)


async def control(eventually, switch, *dscp: int, **port: object) -> Recorder:
    async with at_work(settings(switch.address, *dscp, **port), None) as run:
        await eventually(lambda: run.events.ticks > 0)
        assert await run.end()
    return run.events


async def test_what_an_earlier_configuration_asked_for_is_deleted_and_nothing_else(
    eventually, switch
) -> None:
    await write_foreign(switch)
    events = await control(eventually, switch, 46, 44, 40)
    assert await entries(switch) == FOREIGN | {Selected(2, at): 7 for at in (46, 44, 40)}
    assert not events.said("dscp")
    events = await control(eventually, switch, 46)
    assert await entries(switch) == FOREIGN | {Selected(2, 46): 7}
    assert [line for line in events.lines if "dscp" in line] == [
        f"{switch.address}: dscp: entries of an earlier configuration deleted: "
        "40, 44 of port 2 queue 7"
    ]
    events = await control(eventually, switch)
    assert await entries(switch) == FOREIGN


async def test_entries_of_a_port_that_is_only_observed_stay(eventually, switch) -> None:
    await control(eventually, switch, 46)
    await control(eventually, switch, 44, mode="observe")
    assert await entries(switch) == {Selected(2, 46): 7}
