"""Queues of ports in a session: what programs must have, and the entries that are kept."""

import asyncio
from dataclasses import replace

import grpc
import pytest
from p4abs.access.capabilities import Capabilities, SwitchPort
from p4abs.access.program import Program, load_program
from p4abs.access.rpc_error import RpcError
from p4abs.access.tables import Selected, Selection
from p4abs.access.tables.upkeep import RETRY_S
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.errors import UserError
from p4abs.queues import QueueAddress
from p4abs.session.requirements import fitted
from p4abs.session.selection import QueueSelection, selection_of

CAPABILITIES = Capabilities("", "", lambda number: "", queues=8, selection_unsupported="")


def settings(*queues: dict[str, object], **port: object) -> SwitchSettings:
    table = {"number": 2, "capacity": "10Mbit", "queue": [*queues], **port}
    return load_settings(Source({"port": [table]}), {}).switch[0]


VOICE = {"number": 7, "dscp": [46, 44]}
WANTED = {Selected(2, 46): 7, Selected(2, 44): 7}


def test_a_program_has_as_many_queues_a_port_as_its_registers_have_room_for() -> None:
    program = load_program("virtual_queue")
    assert (program.port_count(), program.queue_count()) == (510, 1)
    p4info = type(program.p4info)()
    p4info.CopyFrom(program.p4info)
    for register in p4info.registers:
        register.size = 4096
    several = Program(p4info)
    assert (several.port_count(), several.queue_count()) == (510, 8)
    assert several.capabilities().queues == 8


@pytest.mark.parametrize(
    ("capabilities", "reason"),
    [
        (
            replace(CAPABILITIES, queues=1),
            "the program has one queue a port; leave out [[port.queue]]",
        ),
        (
            replace(CAPABILITIES, queues=1, is_for_v1model=True),
            "the program has one queue a port; leave out [[port.queue]], or use the program "
            "shared_queue",
        ),
        (
            replace(CAPABILITIES, queues=4),
            "the program has queues 0 to 3 a port; leave out [[port.queue]]",
        ),
        (
            replace(CAPABILITIES, ports={2: SwitchPort(3)}),
            "the switch's port has queues 0 to 2; leave this queue out, or give the port more "
            "queues",
        ),
        (
            replace(CAPABILITIES, ports={2: SwitchPort(1)}),
            "the switch's port has one queue; leave this queue out, or give the port more queues",
        ),
        (
            replace(CAPABILITIES, measurement_unsupported="the program lacks the registers a, b"),
            "how much a queue gets cannot be measured: the program lacks the registers a, b",
        ),
        (
            replace(CAPABILITIES, selection_unsupported="the program lacks the table"),
            "dscp: the program lacks the table",
        ),
    ],
)
def test_a_queue_that_the_program_cannot_serve_is_refused_by_name(capabilities, reason) -> None:
    with pytest.raises(UserError) as refusal:
        fitted(capabilities, settings({"number": 0}, VOICE))
    assert str(refusal.value) in (f"port 2 queue 7: {reason}", f"port 2 queue 0: {reason}")


def test_queues_that_the_program_has_are_served() -> None:
    wanted = settings({"number": 0}, VOICE)
    assert fitted(CAPABILITIES, wanted) == wanted
    of_others = replace(CAPABILITIES, ports={2: SwitchPort(8), 3: SwitchPort(1)})
    assert fitted(of_others, wanted) == wanted


def test_a_port_that_is_only_observed_gets_no_entries() -> None:
    assert selection_of(settings({"number": 0}, VOICE)) == WANTED
    assert selection_of(settings({"number": 0}, VOICE, mode="observe")) == {}


class Table:
    """Keeps what is written, or refuses."""

    def __init__(self, *refusals: str) -> None:
        self.refusals = [*refusals]
        self.written: list[dict[Selected, int]] = []
        self.kept: set[int] = set()

    async def write(self, wanted: dict[Selected, int], ports_to_keep: set[int]) -> Selection:
        self.kept = ports_to_keep
        if self.refusals:
            raise RpcError("write", grpc.StatusCode.INTERNAL, self.refusals.pop(0))
        before = self.written[-1] if self.written else {}
        self.written.append(dict(wanted))
        return {at: queue for at, queue in before.items() if at not in wanted}


class Limits:
    """In force, by queue."""

    def __init__(self, **of_queues: int) -> None:
        self._of_queues = of_queues

    def limit_in_force(self, index: int) -> int | None:
        return self._of_queues.get(f"queue{QueueAddress.at(index).queue}")


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_entries_follow_the_settings(clock) -> None:
    lines: list[str] = []
    selection, table = QueueSelection(settings(VOICE), clock, lines.append, print), Table()
    await selection.begin(table, soon=True)
    running = asyncio.create_task(selection.run())
    for changed in (VOICE, {"number": 7, "dscp": [46]}, {"number": 7}):
        selection.adopt(settings(changed))
        selection.look(Limits(queue7=9000))
        await settled()
    running.cancel()
    assert table.written == [WANTED, {Selected(2, 46): 7}, {}]
    deleted = "dscp: entries of an earlier configuration deleted: "
    assert lines == [f"{deleted}44 of port 2 queue 7", f"{deleted}46 of port 2 queue 7"]


async def test_no_packet_takes_a_queue_before_all_queues_of_the_port_have_limits(clock) -> None:
    table = Table()
    selection = QueueSelection(settings({"number": 0}, VOICE), clock, print, print)
    await selection.begin(table, soon=True)
    running = asyncio.create_task(selection.run())
    for limits in (Limits(), Limits(queue7=9000), Limits(queue0=0, queue7=9000)):
        selection.look(limits)
        await settled()
        assert not any(table.written)
        assert table.kept == {2}
    selection.look(Limits(queue0=9000, queue7=9000))
    await settled()
    running.cancel()
    assert (table.written[-1], table.kept) == (WANTED, set())


async def test_a_refusal_is_said_once_and_tried_again(clock) -> None:
    lines: list[str] = []
    selection = QueueSelection(settings(VOICE), clock, print, lines.append)
    table = Table("no", "no")
    await selection.begin(table, soon=True)
    running = asyncio.create_task(selection.run())
    begun_s = clock.now_s()
    while not any(table.written):
        selection.look(Limits(queue7=9000))
        await asyncio.sleep(0)
    running.cancel()
    assert lines == ["dscp: write: INTERNAL: no; trying again"]
    assert table.written[-1] == WANTED
    assert clock.now_s() == pytest.approx(begun_s + 2 * RETRY_S)


async def test_nothing_is_written_to_a_switch_that_is_only_observed(clock) -> None:
    table = Table()
    selection = QueueSelection(settings(VOICE, mode="observe"), clock, print, print)
    await selection.begin(table, soon=True)
    running = asyncio.create_task(selection.run())
    await settled()
    running.cancel()
    assert table.written == []
