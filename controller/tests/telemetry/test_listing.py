"""Many ports in a terminal: the worst first, those that are asked for, no more than fit."""

import time
from dataclasses import replace
from functools import cache
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.config import Source, load_settings
from p4abs.control import Sample
from p4abs.errors import UserError
from p4abs.measurements import Interval
from p4abs.policies import POLICIES, Binding
from p4abs.session import SwitchState
from p4abs.states import PortState
from p4abs.telemetry import Fleet
from p4abs.telemetry.compact import compact_lines
from p4abs.telemetry.keys import Asked
from p4abs.telemetry.listing import (
    EVERYTHING,
    SORTS,
    Listed,
    Selection,
    counted,
    listed,
    parse_selection,
)
from p4abs.telemetry.live import LiveView, render
from rich.console import Console

from controller.tests.telemetry.controllers import Controller, turned_loop
from controller.tests.telemetry.samples import SAMPLE, let_pass

PATIENCE_S = 60.0
SECONDS = 30
SECOND = Interval(1.0, 1_200_000, 50_000, 1_200_000)
MANY_LOST = Interval(1.0, 1_000_000, 250_000, 1_000_000)
TIMES = {"window": "1s", "period": "20s"}
GOLD = {"name": "gold", "loss": 0.01, "objective": 0.9, **TIMES}


def fleet_of(*counts: int) -> Fleet:
    """Switches with so many ports, of which each has something else, in turn."""
    fleet = Fleet()
    for index, count in enumerate(counts):
        ports = [{"number": n, "capacity": "10Mbit", "loss": 0.04} for n in range(1, count + 1)]
        for port in ports[5::7]:
            port["agreement"] = [GOLD]
        table = {"name": f"s{index}", "grpc-addr": f"192.0.2.{index}:9559", "port": ports}
        (settings,) = load_settings(Source({"switch": [table]}), {}).switch
        fleet.add(
            fleet.make(
                settings,
                lambda _events, settings=settings: Controller(settings, loop=turned_loop()),
            )
        )
        let_pass(fleet, fleet.switches[f"s{index}"], SECONDS, *samples_for(count))
    return fleet


def samples_for(count: int) -> list[Sample]:
    samples = []
    for number in range(1, count + 1):
        changes = {
            0: {},
            1: {"interval": Interval(1.0, 1_000_000, 250_000 + number, 1_000_000)},
            2: {"utilization": 0.5, "unreachable": "utilization 98%: sources offer 76%"},
            3: {"interval": MANY_LOST, "binding": Binding.MAX_LIMIT},
            4: None,
            5: {"queue_delay_s": None, "utilization": None},
            6: {"interval": Interval(5.0, 2_400_000, 100_000, 2_400_000)},
        }[number % 7]
        if changes is not None:
            samples.append(replace(SAMPLE, port=number, **{"interval": SECOND, **changes}))
    return samples


@cache
def listing(count: int, silent_s: int = 0) -> list[Listed]:
    fleet = fleet_of(count)
    let_pass(fleet, fleet.switches["s0"], silent_s)
    switch = fleet.switches["s0"]
    return [listed(port, switch) for port in switch.settings.port]


def shown(
    fleet: Fleet,
    height: int,
    selection: Selection = EVERYTHING,
    width: int = 120,
    shows_idle: bool = True,
) -> str:
    console = Console(file=StringIO(), width=width, height=height, no_color=True)
    console.print(render(fleet, Asked(selection, shows_idle=shows_idle), height, width))
    return console.file.getvalue()


def test_many_ports_are_shown_as_they_were(golden) -> None:
    golden("compact.txt", shown(fleet_of(256), 24))


@pytest.mark.parametrize("height", [24, 50, 100])
def test_256_ports_fit_into_the_terminal_and_none_is_forgotten(height) -> None:
    lines = shown(fleet_of(256), height).splitlines()
    assert len(lines) < height
    assert max(map(len, lines)) <= 120
    ports = [line for line in lines if line.split()[0].isdigit()]
    (rest,) = [line for line in lines if line.startswith("and ")]
    assert len(ports) + int(rest.split()[1]) == 256
    assert len(ports) > height - 8


def test_many_switches_share_the_terminal() -> None:
    lines = shown(fleet_of(100, 9, 50, 4), 41).splitlines()
    assert len(lines) < 41
    titles = [at for at, line in enumerate(lines) if line.startswith("s")]
    assert [lines[at].split(":")[0] for at in titles] == ["s0", "s1", "s2", "s3"]
    assert len([line for line in lines if line.startswith("and ")]) == 3


def test_more_switches_than_lines_are_counted_alone() -> None:
    lines = shown(fleet_of(*[8] * 10), 24).splitlines()
    assert len(lines) == 10
    assert lines[3].startswith("s3: in control, mailbox: 1 agreement broken, 2 loss above target")


def test_where_not_all_switches_have_a_line_the_worst_do_and_the_others_are_counted() -> None:
    fleet = fleet_of(*[1] * 29, 6)
    fleet.switches["s28"].controller.state = SwitchState.LOST
    lines = shown(fleet, 24, width=200).splitlines()
    assert len(lines) == 23
    assert lines[:2] == [
        "s29: in control, mailbox: 1 agreement broken, 1 loss above target, "
        "1 held by max-limit, 1 target unreachable, 1 not measured, 1 no traffic",
        "s28: lost, reconnecting, mailbox: 1 not under control",
    ]
    assert lines[-1] == "and 8 more switches: 8 loss above target"


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
def test_a_narrow_terminal_leaves_out_whole_columns(width) -> None:
    fleet = fleet_of(256)
    wide, narrow = (shown(fleet, 24, width=each).splitlines() for each in (200, width))
    words = [line.split() for line in wide[2:-1]]
    for line, whole in zip(narrow[2:-1], words, strict=True):
        assert len(line) <= width
        assert set(line.split()) <= set(whole)
    needed = {"port", "state", "util", "limit", "binding", "budget"} if width >= 80 else {"port"}
    assert needed <= {*narrow[1].split()}
    assert ("capacity" in narrow[1]) == (width >= 120)


@pytest.mark.parametrize("name", ["leaf[/x]", "[fd00::1]:9559", "a[bold]b"])
@pytest.mark.parametrize("height", [24, 5])
def test_a_switch_is_called_by_its_name_whatever_it_is(name, height) -> None:
    fleet = fleet_of(1)
    (switch,) = fleet.switches.values()
    switch.controller.settings = switch.settings.model_copy(update={"name": name})
    fleet.show([switch])
    assert f"{name}: in control" in shown(fleet, height)


@pytest.mark.parametrize("width", [80, 100, 119])
def test_few_ports_in_a_narrow_terminal_are_shown_with_whole_figures(width) -> None:
    fleet = fleet_of(3)
    text = shown(fleet, 40, width=width)
    assert "…" not in text
    assert "48.83KiB" in text
    assert "port 1: " in text  # what there is to say of it
    console = Console(file=StringIO(), width=width, height=40, no_color=True)
    console.print(render(fleet, Asked(port="1"), 40, width))
    words = " ".join(console.file.getvalue().split())
    assert words.startswith("s0: in control, mailbox port 1: ")
    assert "…" not in words
    assert "utilization 98.0%" in words


def test_few_ports_are_shown_in_full() -> None:
    assert "drain time" in shown(fleet_of(5), 40)
    assert "drain time" not in shown(fleet_of(50), 40)


def test_the_worst_ports_come_first() -> None:
    ports = Selection().of(listing(256), "worst")
    states = [each.state for each in ports]
    assert states == sorted(states)
    assert set(states) == {
        PortState.AGREEMENT_BROKEN,
        PortState.LOSS_ABOVE_TARGET,
        PortState.HELD_BY_MAX_LIMIT,
        PortState.UNREACHABLE,
        PortState.NOT_MEASURED,
        PortState.ON_TARGET,
        PortState.NO_TRAFFIC,
    }
    missed = [each.excess for each in ports if each.state is PortState.LOSS_ABOVE_TARGET]
    assert missed == sorted(missed, reverse=True)
    assert len(set(missed)) > 10


def test_ports_whose_traffic_has_stopped_miss_nothing() -> None:
    states = {each.state for each in listing(256, silent_s=80)}
    assert states == {PortState.AGREEMENT_BROKEN, PortState.NO_TRAFFIC}


def test_ports_keep_their_traffic_when_the_machine_s_clock_is_set_anew(monkeypatch) -> None:
    fleet = fleet_of(14)
    monkeypatch.setattr(time, "time", lambda: SAMPLE.time_s + 3600.0)
    console = Console(file=StringIO(), width=120, height=24, no_color=True)
    view = LiveView(console, patience_s=PATIENCE_S)
    view.start(fleet)
    view.stop()
    assert console.file.getvalue().count("no traffic") == 2


def test_of_ports_that_another_controller_has_no_agreement_is_shown_as_broken() -> None:
    fleet = fleet_of(256)
    (switch,) = fleet.switches.values()
    switch.controller.state = SwitchState.BACKUP
    text = shown(fleet, 24)
    assert "agreement broken" not in text
    assert text.count("not under control") == 21
    switch.controller.state = SwitchState.LOST
    assert "agreement broken" in shown(fleet, 24)


@pytest.mark.parametrize("sort", SORTS)
def test_every_order_has_all_ports_and_what_is_not_known_last(sort) -> None:
    ports = Selection(sort).of(listing(70), "worst")
    assert sorted(each.port.number for each in ports) == list(range(1, 71))
    last = ports[-1].meter.last
    if sort == "limit":
        assert last is None
    if sort == "delay":
        assert last is None or last.queue_delay_s is None
    if sort == "utilization":
        assert ports[-1].meter.recent.utilization is None


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("9", [9]),
        ("held by", [3, 10]),
        ("MAX_LIMIT abs", [3, 10]),
        ("broken", [6, 13]),
        ("9 3", []),
    ],
)
def test_all_words_of_a_filter_have_to_fit(words, numbers) -> None:
    ports = parse_selection("port", words).of(listing(14), "worst")
    assert [each.port.number for each in ports] == numbers


def test_an_unknown_order_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UserError, match="--sort: 'size' is unknown; valid: worst, port, loss"):
        parse_selection("size", None)


@pytest.mark.parametrize("word", ["prot", "512", "007", "9" * 5000, "\u0663"])
def test_an_unknown_word_of_a_filter_is_refused_with_those_that_there_are(word) -> None:
    valid = "0 to 511, or parts of: agreement broken, .*, utilization, .*, abs, .*, static"
    with pytest.raises(UserError, match=f"--filter: '{word}' is unknown; valid: a port, {valid}"):
        parse_selection(None, f"abs {word}")


@pytest.mark.parametrize("text", [*(each.text for each in PortState), *Binding, *POLICIES])
def test_what_a_port_may_show_is_a_valid_filter(text) -> None:
    assert parse_selection(None, text).words == tuple(text.split())


@given(st.integers(0, 40), st.integers(0, 40), st.integers(3, 30))
def test_lines_never_exceed_the_height(count, idle, height) -> None:
    ports = listing(40)
    lines = compact_lines(ports[:count], ports[:idle], height, 120)
    assert len(lines) <= height
    if count + bool(idle) < height:
        assert len(lines) == count + 1 + bool(idle)


def test_ports_without_traffic_share_a_line_below_the_busy_ones() -> None:
    fleet = fleet_of(32)
    idle = replace(SAMPLE, interval=Interval(1.0, 0, 0, 0), loss=0.0)
    later = [
        each if each.port in (1, 2, 3, 6, 13, 20, 27, 31) else replace(idle, port=each.port)
        for each in samples_for(32)
    ]
    let_pass(
        fleet,
        fleet.switches["s0"],
        80,
        *(replace(each, time_s=fleet.now_s() + 1) for each in later),
    )
    lines = shown(fleet, 24, shows_idle=False).splitlines()
    *busy, last = lines[2:]
    assert {int(line.split()[0]) for line in busy} == {1, 2, 3, 6, 13, 20, 27, 31}
    assert last == "24 without traffic: 4-5, 7-12, 14-19, 21-26, 28-30, 32"
    assert len(shown(fleet, 24, shows_idle=True).splitlines()) == 23
    narrow = shown(fleet, 24, shows_idle=False, width=44).splitlines()[-1]
    assert narrow == "24 without traffic: 4-5, 7-12, 14-19, ..."


def test_where_all_have_a_line_none_shares_it_and_a_filter_shows_all_that_it_names() -> None:
    assert "without traffic" not in shown(fleet_of(21), 24, shows_idle=False)
    assert "without traffic" in shown(fleet_of(22), 24, shows_idle=False)
    only = shown(fleet_of(70), 24, Selection(words=("no", "traffic")), shows_idle=False)
    assert only.count("no traffic") == 10
    assert "without traffic" not in only


def test_what_is_left_is_counted_by_what_it_needs() -> None:
    assert counted(listing(7)) == (
        "1 agreement broken, 1 loss above target, 1 held by max-limit, 1 target unreachable, "
        "1 not measured, 1 on target, 1 no traffic"
    )


def test_a_redraw_of_256_ports_is_short_beside_a_control_interval() -> None:
    fleet = fleet_of(256)
    times = []
    for _ in range(5):
        began_s = time.thread_time()
        shown(fleet, 50)
        times.append(time.thread_time() - began_s)
    assert min(times) < 0.02
