"""Ports that the switch does not have, and ports whose packets its program does not count."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import grpc
import pytest
from p4abs.access.capabilities import Capabilities, SwitchPort
from p4abs.access.program import load_program, program_path
from p4abs.access.rpc_error import RpcError
from p4abs.clock import MonotonicClock
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.errors import UserError
from p4abs.inspection import Outcome, inspect
from p4abs.inspection.ports import check_counts
from p4abs.inspection.readings import Readings
from p4abs.session.ports.watch import WHY_UNCOUNTED, PortWatch
from p4abs.session.requirements import fitted
from p4abs_switch import PortConfig
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.recorder import at_work

pytestmark = pytest.mark.usefixtures("patience")

QUEUE = load_program("queue").capabilities()
TWO_PORTS = config(program=program_path("queue"), ports=(PortConfig(1), PortConfig(2)))


def settings(number: object, address: str = "127.0.0.1:9559") -> SwitchSettings:
    port = {"number": number, "capacity": "10Mbit"}
    tables = {"switch": [{"grpc-addr": address, "port": [port]}]}
    return load_settings(Source(tables), {}).switch[0]


async def found_of_ports(
    address: str, number: object, check: str = "port"
) -> list[tuple[Outcome, str]]:
    found = await inspect(settings(number, address), None, MonotonicClock(), 0.0)
    return [(each.outcome, each.text) for each in found if each.check == check]


@pytest.mark.parametrize(("number", "what"), [(510, "CPU port"), (511, "drop port")])
def test_a_port_that_no_packet_leaves_by_is_refused(number: int, what: str) -> None:
    with pytest.raises(UserError, match=f"port {number}: this is the {what}, .* valid: 0 to 509"):
        fitted(QUEUE, settings(number))


async def test_a_check_sees_which_ports_the_switch_has_and_whether_their_links_are_up() -> None:
    async with running(TWO_PORTS, live=False) as switch:
        switch.engine.set_port_up(2, False)
        assert await found_of_ports(switch.address, [1, 2, 7]) == [
            (Outcome.OK, "the switch has it, and its link is up"),
            (Outcome.NOT_CHECKED, "its link is down, so nothing can be sent there now"),
            (Outcome.DIFFERS, "not on this switch (ports 1-2)"),
        ]


async def test_control_tells_of_a_port_that_the_switch_does_not_have(eventually) -> None:
    async with (
        running(TWO_PORTS, live=False) as switch,
        at_work(settings([2, 7], switch.address)) as run,
    ):
        await eventually(lambda: run.events.said("port 7: not on this switch (ports 1-2)"))
        assert not run.events.said("port 2: not")


class EndOfAnswers(Exception):
    """All has been answered."""


async def watched(
    clock, answers: Sequence[Mapping[int, SwitchPort] | RpcError], uncounted: Sequence[int] = ()
) -> list[str]:
    """What is said of the ports 1 and 7."""
    lines: list[str] = []
    left = iter(answers)

    async def ask():
        answer = next(left, None)
        if answer is None:
            raise EndOfAnswers
        if isinstance(answer, RpcError):
            raise answer
        return SimpleNamespace(capabilities=lambda: SimpleNamespace(ports=answer))

    ports = settings([1, 7]).port
    with pytest.raises(EndOfAnswers):
        await PortWatch(clock, lines.append, lines.append).run(
            ask, lambda: ports, lambda: uncounted
        )
    return lines


def sent(**packets: int) -> dict[int, SwitchPort]:
    return {int(port[1:]): SwitchPort(1, forwarded_packets=each) for port, each in packets.items()}


async def test_a_missing_port_is_told_once_and_again_when_it_comes(clock) -> None:
    silent = RpcError("show ports", grpc.StatusCode.UNAVAILABLE, "gone")
    lines = await watched(clock, [sent(p1=0), sent(p1=0), silent, sent(p1=0, p7=0), sent(p1=0)])
    missing = (
        "port 7: not on this switch (port 1); nothing is sent there until you add it, or correct "
        "the configuration"
    )
    assert lines == [missing, "port 7: now on the switch", missing]


async def test_a_link_that_goes_down_is_told_once_and_again_when_it_is_up(clock) -> None:
    up, down = {1: SwitchPort(1), 7: SwitchPort(1)}, {1: SwitchPort(1, False), 7: SwitchPort(1)}
    told_down = "port 1: link down; what is sent there is lost"
    assert await watched(clock, [up, down, down, up, down]) == [
        told_down,
        "port 1: link up again",
        told_down,
    ]


async def test_packets_that_the_program_does_not_count_are_told_once(clock) -> None:
    answers = [sent(p1=9000, p7=0), sent(p1=9200, p7=5), sent(p1=9400, p7=9)]
    assert await watched(clock, answers, [1, 7]) == [
        "port 1: the switch sends packets there, but its program counts none of them: "
        f"{WHY_UNCOUNTED}"
    ]
    assert await watched(clock, answers, []) == []


async def test_a_few_packets_or_a_new_program_are_no_reason_for_a_message(clock) -> None:
    few = [sent(p1=9000, p7=0), sent(p1=9099, p7=0)]
    assert await watched(clock, few, [1, 7]) == []
    pushed = [sent(p1=9000, p7=0), sent(p1=500, p7=0)]
    assert await watched(clock, pushed, [1, 7]) == []


def told(ports: Mapping[int, SwitchPort], queues: int = 1) -> Capabilities:
    return Capabilities("", "", lambda number: "", ports=ports, queues=queues)


@pytest.mark.parametrize(
    ("admitted", "dropped", "packets", "queues", "differs"),
    [
        (0, 0, 30, 1, True),
        (0, 0, 9, 1, False),
        (1500, 0, 30, 1, False),
        (0, 1500, 30, 1, False),
        (0, 0, 30, 8, False),
    ],
)
def test_a_check_sees_packets_that_the_program_does_not_count(
    admitted: int, dropped: int, packets: int, queues: int, differs: bool
) -> None:
    registers = {1: {"admitted_bytes": admitted, "dropped_bytes": dropped}}
    before, after = told(sent(p1=4), queues), sent(p1=4 + packets)
    found = check_counts(before, after, settings(1), Readings(registers, {}, 1.0))
    assert [each.outcome for each in found] == [Outcome.DIFFERS] * differs
    assert all(WHY_UNCOUNTED in each.text for each in found)
