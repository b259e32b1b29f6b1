"""States in the views: judged once a second, and said when they change."""

from dataclasses import replace

import numpy as np
import pytest
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.control.memory.lending import MemoryUse
from p4abs.measurements import Interval
from p4abs.policies import Binding
from p4abs.session import Message, SwitchState
from p4abs.states import PortState
from p4abs.telemetry import Fleet, Metrics, WatchedSwitch, Watcher
from prometheus_client import CollectorRegistry, generate_latest

from controller.tests.telemetry.controllers import Controller
from controller.tests.telemetry.samples import SAMPLE, let_pass, samples_of

WELL = Interval(1.0, 1_225_000, 25_000, 1_225_000, 0.02)
LOSSY = Interval(1.0, 1_225_000, 100_000, 1_225_000, 0.02)


class Said(Watcher):
    """The lines that were announced."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def announce(self, message: Message) -> None:
        self.messages.append(message)

    def take(self) -> list[str]:
        lines = [str(message) for message in self.messages]
        self.messages.clear()
        return lines


def settings_of(ports: object, **changes: object) -> SwitchSettings:
    given = {"number": ports, "capacity": "10Mbit", **changes}
    port = {key: value for key, value in given.items() if value is not None}
    (settings,) = load_settings(Source({"switch": [{"name": "leaf", "port": [port]}]}), {}).switch
    return settings


def watched(ports: object, **changes: object) -> tuple[Fleet, WatchedSwitch, Said]:
    settings, fleet, said = settings_of(ports, **changes), Fleet(), Said()
    fleet.now_s = lambda: SAMPLE.time_s
    fleet.watchers.append(said)
    fleet.add(fleet.make(settings, lambda _events: Controller(settings)))
    return fleet, fleet.switches["leaf"], said


@pytest.mark.parametrize(
    ("measured_bps", "why"),
    [
        (None, "capacity not yet measured: the limit stays as it is"),
        (10_000_000, "not measured long enough yet"),
    ],
)
def test_a_port_without_a_given_capacity_waits_for_it_only_until_it_is_measured(
    measured_bps: int | None, why: str
) -> None:
    fleet, leaf, said = watched("2", capacity=None)
    let_pass(fleet, leaf, 4, replace(SAMPLE, interval=WELL, measured_capacity_bps=measured_bps))
    assert said.take() == [f"leaf: port 2: not measured ({why}), after no traffic"]


def test_a_change_is_said_once_with_its_reason() -> None:
    fleet, leaf, said = watched("2")
    let_pass(fleet, leaf, 30, replace(SAMPLE, interval=WELL))
    assert said.take() == [
        "leaf: port 2: not measured (not measured long enough yet), after no traffic",
        "leaf: port 2: on target (loss 2.00%, target 2%; utilization 98.0%, target 98%), "
        "after not measured",
    ]
    let_pass(fleet, leaf, 60, replace(SAMPLE, time_s=fleet.now_s() + 1, interval=LOSSY))
    assert said.take() == [
        "leaf: port 2: loss above target (loss 3.73%, target 2%), after on target"
    ]
    let_pass(fleet, leaf, 80)
    assert said.take() == ["leaf: port 2: no traffic, after loss above target"]


def test_what_somebody_has_to_do_is_trouble_and_the_rest_is_not() -> None:
    fleet, leaf, said = watched("2")
    let_pass(fleet, leaf, 30, replace(SAMPLE, interval=LOSSY))
    assert [message.is_trouble for message in said.messages] == [False, True]


def test_many_ports_that_come_into_a_state_together_have_one_line() -> None:
    fleet, leaf, said = watched(["1-4", 7, "9-12"])
    let_pass(fleet, leaf, 30, *(replace(SAMPLE, port=port, interval=LOSSY) for port in leaf.meters))
    assert said.take() == [
        "leaf: ports 1-4, 7, 9-12: not measured",
        "leaf: ports 1-4, 7, 9-12: loss above target",
    ]


def test_other_targets_are_judged_anew_and_the_other_ports_go_on() -> None:
    fleet, leaf, said = watched("2-3")
    lossy = [replace(SAMPLE, port=port, interval=LOSSY) for port in (2, 3)]
    let_pass(fleet, leaf, 30, *lossy)
    said.take()
    easier = settings_of("2", loss=0.2).port + settings_of("3").port
    leaf.states.adopt([*reversed(easier)])
    later = [replace(each, time_s=fleet.now_s() + 1) for each in lossy]
    let_pass(fleet, leaf, 60, *later)
    assert [leaf.state(port) for port in (2, 3)] == [
        PortState.ON_TARGET,
        PortState.LOSS_ABOVE_TARGET,
    ]


def test_a_released_port_is_held_by_its_safe_limit_and_judged_again_when_it_is_taken_back() -> None:
    fleet, leaf, said = watched("2-3")
    well = [replace(SAMPLE, port=port, interval=WELL) for port in (2, 3)]
    let_pass(fleet, leaf, 30, *well)
    said.take()
    leaf.controller.releases.limits[2] = 50_000
    let_pass(fleet, leaf, 30, *(replace(each, time_s=fleet.now_s() + 1) for each in well))
    assert [leaf.state(port) for port in (2, 3)] == [
        PortState.HELD_BY_SAFE_LIMIT,
        PortState.ON_TARGET,
    ]
    assert leaf.states.states.tolist() == [PortState.HELD_BY_SAFE_LIMIT, PortState.ON_TARGET]
    assert said.take() == []
    del leaf.controller.releases.limits[2]
    let_pass(fleet, leaf, 2, *(replace(each, time_s=fleet.now_s() + 1) for each in well))
    [line] = said.take()
    assert line.startswith("leaf: port 2: on target (")
    assert line.endswith("after held by safe limit")


def test_of_a_port_that_is_held_by_memory_the_reason_names_who_holds_it() -> None:
    fleet, leaf, _ = watched("2-3")
    sample = replace(SAMPLE, interval=LOSSY, binding=Binding.MEMORY)
    told = samples_of([2, 3], sample)
    memory = MemoryUse(1_000_000, np.array([30_000, 970_000]))
    told = replace(told, steps=replace(told.steps, memory=memory))
    for second in range(30):
        fleet.now_s = lambda second=second: SAMPLE.time_s + second
        leaf.sampled(told)
        leaf.tick()
    assert leaf.state(2) is PortState.HELD_BY_MEMORY
    assert leaf.reason(2) == "1 port holds 947.3KiB of 976.6KiB; loss 7.55%, target 2%"
    registry = CollectorRegistry()
    registry.register(Metrics(fleet))
    scraped = generate_latest(registry).decode()
    assert 'p4abs_memory_held_bytes{port="2",switch="leaf"} 30000.0' in scraped
    assert 'p4abs_memory_held_bytes{port="3",switch="leaf"} 970000.0' in scraped


@pytest.mark.parametrize(("utilization", "lines"), [(2.0, 1), (1.05, 0)])
def test_a_link_that_carries_more_than_was_declared_is_said_once(utilization, lines) -> None:
    fleet, leaf, said = watched("2")
    let_pass(fleet, leaf, 40, replace(SAMPLE, interval=WELL, utilization=utilization))
    wrong = (
        f"leaf: port 2: utilization {utilization:.0%} of the capacity 10Mbit: the link carries "
        "more than was declared; correct capacity"
    )
    assert said.take().count(wrong) == lines


def test_a_lost_switch_has_no_states_of_ports_and_they_go_on_when_it_is_back() -> None:
    fleet, leaf, said = watched("2")
    let_pass(fleet, leaf, 30, replace(SAMPLE, interval=WELL))
    leaf.controller.state = SwitchState.LOST
    assert leaf.state(2) is PortState.NOT_CONTROLLED
    assert leaf.reason(2) == ""
    leaf.controller.state = SwitchState.CONTROLLING
    said.take()
    later = replace(SAMPLE, time_s=fleet.now_s() + 3600, interval=WELL)
    let_pass(fleet, leaf, 30, later)
    assert leaf.state(2) is PortState.ON_TARGET
    assert said.take() == []


def test_a_port_on_target_that_misses_it_in_one_window_says_that_this_has_to_last() -> None:
    fleet, leaf, _ = watched("2")
    let_pass(fleet, leaf, 30, replace(SAMPLE, interval=WELL))
    idle = replace(SAMPLE, time_s=fleet.now_s() + 1, interval=WELL, utilization=0.17)
    let_pass(fleet, leaf, 11, idle)
    assert leaf.state(2) is PortState.ON_TARGET
    assert leaf.reason(2).endswith("; the state changes only if this lasts")
