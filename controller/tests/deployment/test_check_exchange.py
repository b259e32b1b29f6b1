"""`p4abs check --exchange` tries the registers as the primary controller, if there is no other."""

import pytest
from p4abs.access.connection import Connection
from p4abs.access.program import load_program, program_path
from p4abs.clock import MonotonicClock
from p4abs.config import Source, load_settings
from p4abs.inspection import Outcome, inspect
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

pytestmark = pytest.mark.usefixtures("patience")

DECISIVE = ("queue_limit_bytes", "drain_rate", "ecn_marking")
MAILBOX = config(program=program_path("queue"))


async def findings(address: str, **switch: object):
    """Of the checks that say whether the register path answers."""
    tables = {"switch": [{"grpc-addr": address, "port": [{"number": "1-3"}], **switch}]}
    (settings,) = load_settings(Source(tables), {}).switch
    found = await inspect(settings, None, MonotonicClock(), 0.0, exchanges=True)
    assert not any("--exchange" in each.text for each in found)
    return [each for each in found if each.check == "exchange"]


@pytest.mark.parametrize("path", ["mailbox", "register-entry"])
async def test_a_switch_that_nobody_controls_is_tried_and_stays_as_it_is(path: str) -> None:
    async with running(MAILBOX, live=False) as switch:
        items = [(name, port) for name in DECISIVE for port in (1, 2, 3)]
        switch.engine.registers_write([("queue_limit_bytes", 2, 45_000)])
        before = switch.engine.registers_read(items)
        [found] = await findings(switch.address, **{"register-path": path})
        assert found.outcome is Outcome.OK
        assert "answers for all ports" in found.text
        assert switch.engine.registers_read(items) == before


@pytest.mark.parametrize("election_id", [1, 5])
async def test_a_switch_stays_with_the_controller_that_it_has(election_id: int) -> None:
    async with running(MAILBOX, live=False) as switch:
        async with Connection(switch.address, switch.device_id, election_id) as other:
            [found] = await findings(switch.address)
            assert (found.outcome, other.role.value) == (Outcome.NOT_CHECKED, "primary")
        assert found.text == "another controller is primary, and reads all ports itself"


async def test_a_switch_that_had_a_controller_once_is_tried_too() -> None:
    async with running(MAILBOX, live=False) as switch:
        async with Connection(switch.address, switch.device_id, 7):
            pass
        [found] = await findings(switch.address)
        assert found.outcome is Outcome.OK


async def test_a_program_without_the_mailbox_differs_where_that_is_asked_for() -> None:
    program = load_program("queue")
    del program.p4info.controller_packet_metadata[:]
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, switch.device_id, 1) as connection:
            await connection.push(program)
        [found] = await findings(switch.address, **{"register-path": "mailbox"})
        assert found.outcome is Outcome.DIFFERS
        assert "no mailbox; use register-path" in found.text
