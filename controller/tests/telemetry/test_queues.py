"""What people see of the queues of a port."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.errors import UserError
from p4abs.measurements import Interval
from p4abs.policies import Binding
from p4abs.queues import QueueAddress
from p4abs.states import PortState
from p4abs.telemetry import Board, Fleet, Metrics, WatchedSwitch, open_sample_file
from p4abs.telemetry.keys import Asked
from p4abs.telemetry.listing import listed, parse_selection
from p4abs.telemetry.live import ports_called, render
from p4abs.telemetry.summary import summarize
from p4abs.telemetry.web.application import port_json
from p4abs.telemetry.web.fleet_json import FleetJson
from p4abs.telemetry.web.releasing import found_port
from prometheus_client import CollectorRegistry, generate_latest
from rich.console import Console

from controller.tests.telemetry.controllers import Controller
from controller.tests.telemetry.samples import SAMPLE, let_pass, samples_of

LOW, HIGH = QueueAddress(2, 0).index, QueueAddress(2, 7).index
# All of the link goes to the high queue; of what arrives at the low one, nothing leaves.
STARVED = replace(
    SAMPLE, port=LOW, utilization=1.0, interval=Interval(1.0, 3_000, 200_000, 3_000, 0.0)
)
TAKES_ALL = replace(SAMPLE, port=HIGH, interval=Interval(1.0, 1_212_500, 0, 1_212_500, 0.0))


def settings_of(**port: object) -> SwitchSettings:
    table = {"number": 2, "capacity": "10Mbit", "queue": [{"number": 0}, {"number": 7}], **port}
    other = {"number": 3, "capacity": "10Mbit"}
    tables = {"switch": [{"name": "leaf", "port": [table, other]}]}
    return load_settings(Source(tables), {}).switch[0]


def watched(settings: SwitchSettings | None = None) -> tuple[Fleet, WatchedSwitch, list[str]]:
    said: list[str] = []
    settings, fleet = settings or settings_of(), Fleet()
    fleet.now_s = lambda: SAMPLE.time_s
    fleet.add(fleet.make(settings, lambda _events: Controller(settings)))
    fleet.switches["leaf"].announce = lambda message: said.append(str(message))
    return fleet, fleet.switches["leaf"], said


def starved(**changes: object) -> tuple[WatchedSwitch, list[str]]:
    """A minute in which a higher queue takes 97 % of the link."""
    fleet, leaf, said = watched()
    let_pass(fleet, leaf, 60, replace(STARVED, **changes), TAKES_ALL)
    return leaf, said


@pytest.mark.parametrize(
    "changes",
    [
        {"binding": Binding.MAX_LIMIT},
        {"unreachable": "more is lost with the largest limit"},
        {},
    ],
)
def test_a_queue_to_which_others_leave_nothing_is_held_by_them(changes) -> None:
    leaf, said = starved(**changes)
    assert leaf.state(LOW) is PortState.HELD_BY_OTHER_QUEUES
    assert leaf.reason(LOW) == (
        "other queues of port 2 take 97% of the link; loss 98.52%, target 2%"
    )
    assert said[-1].startswith(
        "leaf: port 2 queue 0: held by other queues (other queues of port 2 take 97% of the link; "
    )
    assert PortState.HELD_BY_OTHER_QUEUES.is_trouble
    assert leaf.state(HIGH) is not PortState.HELD_BY_OTHER_QUEUES


def test_a_queue_whose_limit_can_still_grow_is_held_by_nothing_and_the_reason_tells() -> None:
    fleet, leaf, _ = watched()
    low = replace(STARVED, interval=Interval(1.0, 625_000, 50_000, 625_000, 0.0))
    high = replace(TAKES_ALL, interval=Interval(1.0, 625_000, 0, 625_000, 0.0))
    let_pass(fleet, leaf, 60, low, high)
    assert leaf.state(LOW) is PortState.LOSS_ABOVE_TARGET
    assert leaf.reason(LOW).startswith("other queues of port 2 take 50% of the link; loss 7.41%")
    let_pass(
        fleet,
        leaf,
        60,
        *(
            replace(each, time_s=fleet.now_s() + 1, binding=Binding.MAX_LIMIT)
            for each in (low, high)
        ),
    )
    assert leaf.state(LOW) is PortState.HELD_BY_OTHER_QUEUES


def test_a_max_limit_that_somebody_has_chosen_holds_the_queue_itself() -> None:
    fleet, leaf, _ = watched(settings_of(**{"max-limit": "20kB"}))
    low = replace(STARVED, interval=Interval(1.0, 625_000, 50_000, 625_000, 0.0))
    high = replace(TAKES_ALL, interval=Interval(1.0, 625_000, 0, 625_000, 0.0))
    let_pass(fleet, leaf, 60, replace(low, binding=Binding.MAX_LIMIT), high)
    assert leaf.state(LOW) is PortState.HELD_BY_MAX_LIMIT


def test_the_loss_of_a_port_with_one_queue_is_its_own() -> None:
    fleet, leaf, _ = watched()
    alone = replace(STARVED, port=3, binding=Binding.MAX_LIMIT)
    let_pass(fleet, leaf, 60, alone, TAKES_ALL)
    assert leaf.state(3) is PortState.HELD_BY_MAX_LIMIT
    assert leaf.reason(3).startswith("loss 98.52%")


def test_metrics_have_the_queue_of_ports_with_several_only() -> None:
    fleet, leaf, _ = watched()
    let_pass(fleet, leaf, 2, STARVED, TAKES_ALL, replace(STARVED, port=3))
    registry = CollectorRegistry()
    registry.register(Metrics(fleet))
    scraped = generate_latest(registry).decode()
    for labels in (
        '{port="2",queue="0",switch="leaf"}',
        '{port="2",queue="7",switch="leaf"}',
        '{port="3",switch="leaf"}',
    ):
        assert f"p4abs_queue_limit_bytes{labels} 50000.0" in scraped
    assert 'p4abs_target_ratio{port="2",queue="7",switch="leaf",target="loss"} 0.02' in scraped
    assert 'p4abs_port_state{port="2",queue="0",state="' in scraped


def test_samples_have_port_and_queue(tmp_path) -> None:
    _, leaf, _ = watched()
    path = tmp_path / "samples.csv"
    with open_sample_file(path, pytest.fail) as file:
        told = samples_of([*leaf.meters], STARVED, TAKES_ALL, replace(STARVED, port=3))
        leaf.sampled(told)
        file.sampled(leaf, told)
    heading, *rows = (line.split(",") for line in path.read_text().splitlines())
    port, queue = heading.index("port"), heading.index("queue")
    assert [(row[port], row[queue]) for row in rows] == [("2", "0"), ("2", "7"), ("3", "0")]


def test_views_call_queues_by_port_and_number() -> None:
    fleet, leaf, _ = watched()
    let_pass(fleet, leaf, 2, STARVED, TAKES_ALL)
    console = Console(width=200, record=True, file=StringIO())
    console.print(render(fleet, Asked(), 100, 200))
    shown = console.export_text()
    assert "2.0" in shown
    assert "2.7" in shown
    assert [port.label for _, port in ports_called("2", [leaf])] == [
        "port 2 queue 0",
        "port 2 queue 7",
    ]
    assert [port.label for _, port in ports_called("leaf 2.7", [leaf])] == ["port 2 queue 7"]


@pytest.mark.parametrize(("word", "found"), [("2", [LOW, HIGH]), ("2.7", [HIGH]), ("3", [3])])
def test_a_filter_finds_ports_and_queues(word: str, found: list[int]) -> None:
    _, leaf, _ = watched()
    ports = [listed(port, leaf) for port in leaf.settings.port]
    selected = parse_selection("port", word).of(ports, "port")
    assert [each.port.index for each in selected] == found


def test_the_page_tells_queues_apart_and_finds_them() -> None:
    fleet, leaf, _ = watched()
    board = Board(fleet, fleet.now_s)
    fleet.watchers.append(board)
    let_pass(fleet, leaf, 2, STARVED, TAKES_ALL)
    told = json.loads(FleetJson(board, lambda: 0.0).get())
    [switch] = told["switches"]
    place = told["columns"].index("port")
    assert [row[place] for row in switch["ports"]] == ["2.0", "2.7", 3]
    port = json.loads(port_json(board, "leaf", "2.7", 0.0))
    assert (port["port"], len(port["points"])) == ("2.7", 2)
    with pytest.raises(KeyError):
        port_json(board, "leaf", "2", 0.0)


def test_somebody_releases_a_queue_by_its_word() -> None:
    _, leaf, _ = watched()
    found = [found_port(leaf.settings.port, word).label for word in ("2.7", "3")]
    assert found == ["port 2 queue 7", "port 3"]
    with pytest.raises(UserError, match=r"no port '2' is controlled; valid: 2\.0, 2\.7, 3"):
        found_port(leaf.settings.port, "2")


def test_the_summary_names_queues() -> None:
    fleet, leaf, _ = watched()
    let_pass(fleet, leaf, 2, STARVED, TAKES_ALL)
    summary = summarize(fleet)
    assert summary.lines[1].startswith("leaf: port 2 queue 7: utilization")
    assert '"2.7": {' in summary.to_json()
