"""Entries of queue_selection over sessions with a switch: a configuration's replace another's."""

import asyncio

import pytest
from p4abs.access.connection import Connection
from p4abs.access.program import load_program, program_path
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.tables import Selected, SelectionReader
from p4abs.access.tables.form import forms_of
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.errors import UserError
from p4abs.queues import QueueAddress
from p4abs_switch import PortConfig
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
    async with ReadOnlyConnection(switch.address, switch.device_id) as connection:
        return await SelectionReader(connection, PROGRAM.p4info).read()


async def write_foreign(switch) -> None:
    [form] = forms_of(PROGRAM.p4info, ["queue_selection"]).values()
    async with Connection(switch.address, switch.device_id, 1) as connection:
        wanted = {key: (queue,) for key, queue in FOREIGN.items()}
        await connection.write([*form.changes({}, wanted)], 60.0)


async def control(
    eventually, switch, *dscp: int, until: dict[Selected, int], **port: object
) -> Recorder:
    """Until the switch has these entries."""
    async with at_work(settings(switch.address, *dscp, **port), None) as run:
        await eventually(lambda: run.events.ticks > 2)
        while await entries(switch) != until:  # noqa: ASYNC110 - tables set no event
            await asyncio.sleep(0.01)
        assert await run.end()
    return run.events


def with_own(*dscp: int) -> dict[Selected, int]:
    return FOREIGN | {Selected(2, code_point): 7 for code_point in dscp}


async def test_what_an_earlier_configuration_asked_for_is_deleted_and_nothing_else(
    eventually, switch
) -> None:
    await write_foreign(switch)
    events = await control(eventually, switch, 46, 44, 40, until=with_own(46, 44, 40))
    assert not events.said("dscp")
    events = await control(eventually, switch, 46, until=with_own(46))
    assert [line for line in events.lines if "dscp" in line] == [
        f"{switch.address}: dscp: entries of an earlier configuration deleted: "
        "40, 44 of port 2 queue 7"
    ]
    await control(eventually, switch, until=FOREIGN)


async def test_a_queue_that_the_port_does_not_have_is_refused_and_gets_no_entry(eventually) -> None:
    """By begin and by a reload; its packets would all be dropped."""
    links = [PortConfig(1), PortConfig(2, queues=3)]
    started = config(program=program_path("shared_queue"), ports=links)
    refusal = "port 2 queue 7: the switch's port has queues 0 to 2"
    async with running(started, live=False) as switch:
        for pushed in (None, PROGRAM):
            async with at_work(settings(switch.address, 46), pushed) as run:
                with pytest.raises(UserError, match=refusal):
                    await run.task
        served = settings(switch.address)
        fewer = served.model_copy(update={"port": served.port[:2]})
        async with at_work(fewer, None) as run:
            await eventually(lambda: run.events.ticks > 2)
            with pytest.raises(UserError, match=refusal):
                run.controller.fitted(settings(switch.address, 46))
        assert await entries(switch) == {}
        assert switch.engine.registers_read([("queue_limit_bytes", QueueAddress(2, 7).index)]) == [
            0
        ]


async def test_entries_of_a_port_that_is_only_observed_stay(eventually, switch) -> None:
    left = {Selected(2, 46): 7}
    await control(eventually, switch, 46, until=left)
    await control(eventually, switch, 44, mode="observe", until=left)
