"""Sample files, agreements, summary and views."""

import csv
import json
import os
import sys
from contextlib import suppress
from dataclasses import replace
from errno import EIO, ENOSPC
from io import StringIO
from pathlib import Path
from threading import Event, Thread, Timer
from threading import enumerate as threads
from typing import ClassVar

import pytest
from p4abs.config import Source, load_settings
from p4abs.control import Samples
from p4abs.errors import UserError
from p4abs.measurements import COUNTERS, Interval
from p4abs.policies import Binding
from p4abs.session import Message, SwitchState
from p4abs.telemetry import (
    Fleet,
    PlainView,
    Watcher,
    open_sample_file,
    summarize,
)
from p4abs.telemetry.keys import Asked
from p4abs.telemetry.live import LiveView, render
from p4abs.telemetry.port_meter import SwitchMeter
from p4abs.telemetry.samples.appended import SamplesLost
from p4abs.telemetry.samples.columns import NAMES, Told
from p4abs.telemetry.samples.file import MAX_WAITING, SampleFile
from rich.console import Console

from controller.tests.telemetry.controllers import Controller, turned_loop
from controller.tests.telemetry.samples import SAMPLE, let_pass, samples_of, tell

PATIENCE_S = 60.0
STATIC = replace(SAMPLE, binding=Binding.FIXED, gains={})
UNREACHABLE = replace(
    SAMPLE, binding=Binding.MAX_LIMIT, unreachable="utilization 98%: sources offer 76%"
)
UNMEASURED = replace(
    SAMPLE,
    interval=Interval(0.02, 24_000, 1_000, 24_500),
    measured_capacity_bps=None,
    utilization=None,
    queue_delay_s=None,
    limit_bytes=0,
    binding=Binding.FIXED,
    gains={},
)


@pytest.mark.parametrize("name", ["samples.csv", "samples.jsonl"])
def test_a_sample_file_has_one_line_per_sample(tmp_path, golden, spine, name: str) -> None:
    with open_sample_file(tmp_path / name, pytest.fail) as file:
        for sample in (SAMPLE, STATIC, UNREACHABLE, UNMEASURED, replace(SAMPLE, port=8)):
            file.sampled(spine, samples_of(NUMBERS, sample))
    golden(name, (tmp_path / name).read_text())


def test_csv_and_json_lines_have_the_same_columns(tmp_path, spine) -> None:
    for name in ("samples.csv", "samples.jsonl"):
        with open_sample_file(tmp_path / name, pytest.fail) as file:
            file.sampled(spine, samples_of(NUMBERS, replace(SAMPLE, port=8)))
    with (tmp_path / "samples.csv").open() as file:
        row = next(csv.DictReader(file))
    record = json.loads((tmp_path / "samples.jsonl").read_text())
    assert tuple(row) == tuple(record) == NAMES
    assert {key: str(value) for key, value in record.items()} == row


async def test_samples_reach_the_file_within_a_second_of_samples(
    tmp_path, spine, eventually
) -> None:
    path = tmp_path / "samples.jsonl"
    with open_sample_file(path, pytest.fail) as file:
        for tick in range(51):
            file.sampled(
                spine, samples_of(NUMBERS, replace(SAMPLE, time_s=SAMPLE.time_s + tick * 0.02))
            )
        await eventually(lambda: len(path.read_text().splitlines()) == 51)


class Disk:
    """Takes what it is told, in the thread of its file; `refusal` is raised instead."""

    name = "slow.csv"

    def __init__(self, refusal: Exception | None = None) -> None:
        self.refusal = refusal
        self.written = 0
        self.may_go_on = Event()
        self.may_go_on.set()

    def write(self, told: Told) -> bool:
        assert self.may_go_on.wait(timeout=30)
        if self.refusal is not None:
            raise self.refusal
        self.written += len(told.samples)
        return True

    def reopen(self) -> None:
        raise AssertionError("nobody has asked for it")

    def close(self) -> None:
        pass


def test_who_tells_samples_never_waits_and_what_is_left_out_is_said(spine) -> None:
    disk, said = Disk(), []
    disk.may_go_on.clear()
    with SampleFile(lambda _tell: disk, said.append) as file:
        for _ in range(MAX_WAITING + 10):
            file.sampled(spine, samples_of(NUMBERS, SAMPLE, replace(STATIC, port=3)))
        assert said == ["slow.csv: writing is too slow; samples are skipped"]
        disk.may_go_on.set()
    assert len(said) == 2
    left_out = int(said[1].split()[1])
    assert said[1] == f"slow.csv: {left_out} samples were not written"
    assert file.left_out == left_out
    assert disk.written + left_out == 2 * (MAX_WAITING + 10)


async def test_a_disk_that_is_full_is_said_once_and_the_run_goes_on(spine, eventually) -> None:
    disk, said = Disk(SamplesLost(OSError(ENOSPC, "No space left on device"), 1)), []

    def has_failed() -> bool:
        file.sampled(spine, samples_of(NUMBERS, SAMPLE))
        file.tick(spine)
        return bool(said)

    with SampleFile(lambda _tell: disk, said.append) as file:
        await eventually(has_failed)
        for _ in range(MAX_WAITING // 2):
            file.sampled(spine, samples_of(NUMBERS, SAMPLE))
    assert said == [
        "slow.csv: No space left on device: samples are left out",
        f"slow.csv: {file.left_out} samples were not written",
    ]
    assert file.left_out > MAX_WAITING // 2


@pytest.mark.parametrize("stuck", ["write", "close"])
def test_a_disk_that_takes_nothing_is_not_waited_for_at_the_end(spine, stuck: str) -> None:
    may_go_on, said = Event(), []
    disk = Disk()
    setattr(disk, stuck, lambda *_told: may_go_on.wait(30))
    try:
        with SampleFile(lambda _tell: disk, said.append, patience_s=0.01) as file:
            for _ in range(2 * MAX_WAITING):
                file.sampled(spine, samples_of(NUMBERS, SAMPLE))
    finally:
        may_go_on.set()
    assert said[-1] == "slow.csv: cannot be written; the last samples are missing"


@pytest.mark.parametrize("count", [1, 2 * MAX_WAITING])
def test_a_defect_that_ends_the_writing_is_said_at_the_end_at_the_latest(spine, count: int) -> None:
    disk, said = Disk(ValueError("not as wide as the others")), []
    with SampleFile(lambda _tell: disk, said.append) as file:
        for _ in range(count):
            file.sampled(spine, samples_of(NUMBERS, SAMPLE))
    ended = "slow.csv: ValueError: not as wide as the others; no more samples are written"
    assert said.count(ended) == 1
    # On a busy machine the writing may fall behind before it has begun.
    behind = ("samples are skipped", "samples were not written")
    assert all(line.endswith(behind) for line in said if line != ended)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("samples.txt", r"must end in \.csv, \.jsonl or \.parquet"),
        ("no/samples.csv", "No such file"),
    ],
)
def test_a_sample_file_that_cannot_be_is_refused(tmp_path, name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        open_sample_file(tmp_path / name, pytest.fail)


def test_an_agreement_broken_is_said_once(spine) -> None:
    gold = spine.settings.port[-1].terms()[0]
    meter = SwitchMeter({8: [gold]})
    second = samples_of([8], replace(SECOND, port=8))
    said = [line for _ in range(30) for line in meter.add(second)]
    assert said == [
        "port 8: agreement gold is broken: more than 2 of 20 windows failed; "
        "last: loss 4.00% above 1.00%"
    ]
    assert meter.ports[8].totals()["agreements"]["gold"]["windows_failed"] == 30


def test_an_agreement_broken_is_told_to_all_who_follow_with_the_switchs_name(fleet, spine) -> None:
    class Follower(Watcher):
        said: ClassVar[list[str]] = []

        def announce(self, message: Message) -> None:
            self.said.append(str(message))

    fleet.watchers.append(Follower())
    for _ in range(20):
        tell(spine, replace(SECOND, port=8, interval=Interval(1.0, 900, 100, 900)))
    (said,) = Follower.said
    assert said.startswith("spine: port 8: agreement silver is broken: ")


TIMES = {"window": "1s", "period": "20s"}
GOLD = {"name": "gold", "loss": 0.01, "objective": 0.9, **TIMES}
SILVER = {"name": "silver", "loss": 0.05, **TIMES}
SECOND = replace(SAMPLE, interval=Interval(1.0, 1_200_000, 50_000, 1_225_000))
PORTS = [
    {"number": 2, "capacity": "10Mbit"},
    {"number": 3, "capacity": "1Gbit"},
    {"number": 4},
    {"number": 5},
    {"number": 6, "capacity": "10Mbit"},
    {"number": 7, "capacity": "10Mbit", "ecn-marking": True},
    {"number": 8, "capacity": "10Mbit", "agreement": [GOLD, SILVER]},
]
NUMBERS = [port["number"] for port in PORTS]
SHOWN = {2: [SAMPLE], 3: [], 4: [UNMEASURED], 5: [SAMPLE], 6: [UNREACHABLE], 7: [SAMPLE]}
SHOWN[8] = [*[SECOND] * 10, SAMPLE]
SPINE = {"name": "spine", "grpc-addr": "192.0.2.1:9559", "port": PORTS}
LEAF = {"name": "leaf", "grpc-addr": "192.0.2.2:9559", "port": PORTS[:1]}


@pytest.fixture
def fleet() -> Fleet:
    spine, leaf = load_settings(Source({"switch": [SPINE, LEAF]}), {}).switch
    fleet = Fleet()
    fleet.add(fleet.make(spine, lambda _events: Controller(spine, loop=turned_loop())))
    fleet.add(
        fleet.make(leaf, lambda _events: Controller(leaf, SwitchState.CONNECTING, None, loop=None))
    )
    for port, samples in SHOWN.items():
        tell(fleet.switches["spine"], *(replace(sample, port=port) for sample in samples))
    return fleet


@pytest.fixture
def spine(fleet):
    return fleet.switches["spine"]


@pytest.fixture
def judged(fleet) -> Fleet:
    """After seconds in which the ports did what they did last."""
    last = [replace(samples[-1], port=port) for port, samples in SHOWN.items() if samples]
    seconds = [replace(sample, interval=_second(sample.interval)) for sample in last]
    let_pass(fleet, fleet.switches["spine"], 30, *seconds)
    return fleet


def _second(interval: Interval) -> Interval:
    times = 1.0 / interval.duration_s
    counts = {each.name: getattr(interval, each.name) for each in COUNTERS}
    return replace(
        interval,
        duration_s=1.0,
        idle_s=None if interval.idle_s is None else times * interval.idle_s,
        **{name: None if each is None else round(times * each) for name, each in counts.items()},
    )


def test_the_live_tables_show_targets_measurements_and_the_loop(judged, golden) -> None:
    console = Console(file=StringIO(), width=120, no_color=True)
    console.print(render(judged, Asked(), 70, 120))
    golden("live.txt", console.file.getvalue())


class Terminal(StringIO):
    """Takes nothing while it is held."""

    def __init__(self) -> None:
        super().__init__()
        self.is_open, self.is_tried, self.has_tables = Event(), Event(), Event()
        self.is_open.set()

    def write(self, text: str) -> int:
        if not self.is_open.is_set():
            self.is_tried.set()
            self.is_open.wait()
        if "spine" in text:
            self.has_tables.set()
        return super().write(text)


def live_view(terminal: StringIO, patience_s: float = PATIENCE_S) -> LiveView:
    return LiveView(Console(file=terminal, width=120, force_terminal=True), patience_s=patience_s)


def test_the_live_view_shows_messages_and_the_last_tables(fleet, spine) -> None:
    terminal = StringIO()
    view = LiveView(Console(file=terminal, width=120, no_color=True), patience_s=PATIENCE_S)
    view.announce(Message("metrics: served"))
    view.start(fleet)
    view.announce(Message("in control", "spine"))
    tell(spine, replace(SAMPLE, port=3, limit_bytes=77 * 1024))
    view.stop()
    shown = terminal.getvalue()
    for text in ("metrics: served", "spine: in control", "leaf: connecting", "77KiB"):
        assert text in shown
    view.announce(Message("late"))
    assert terminal.getvalue().endswith("late\n")


def test_a_terminal_that_takes_nothing_keeps_no_control_loop_waiting(fleet, spine) -> None:
    terminal = Terminal()
    view = live_view(terminal)
    fleet.watchers.append(view)
    view.start(fleet)
    terminal.is_open.clear()
    try:
        assert terminal.is_tried.wait(30)
        for _ in range(100):
            tell(spine, SAMPLE)
            spine.tick()
            spine.announce(Message("in control", "spine"))
    finally:
        terminal.is_open.set()
        view.stop()
    assert terminal.getvalue().count("spine: in control") >= 100


class GoneTerminal(StringIO):
    """As one whose window has been closed."""

    def write(self, _text: str) -> int:
        raise OSError(EIO, "Input/output error")


def test_a_terminal_that_is_gone_ends_nothing_but_the_view(fleet, spine) -> None:
    view = live_view(GoneTerminal())
    view.announce(Message("metrics: served"))
    view.start(fleet)
    view.announce(Message("in control", "spine"))
    view.stop()
    view.conclude(summarize(fleet))
    view.announce(Message("1 of 2 switches failed"))


@pytest.mark.parametrize("stuck_from", ["the start", "a redraw"])
def test_a_terminal_that_takes_nothing_is_not_waited_for_at_the_end(
    fleet, spine, stuck_from: str
) -> None:
    terminal = Terminal()
    view = live_view(terminal, patience_s=0.01)
    if stuck_from == "the start":
        terminal.is_open.clear()
    view.start(fleet)
    terminal.is_open.clear()
    rescue = Timer(30, terminal.is_open.set)
    rescue.start()
    try:
        assert terminal.is_tried.wait(30)
        view.stop()
        view.conclude(summarize(fleet))
        assert not terminal.is_open.is_set()
    finally:
        rescue.cancel()
        terminal.is_open.set()
        for thread in threads():
            if thread.name == "view":
                thread.join(30)
    assert "view" not in [thread.name for thread in threads()]


def test_standard_output_stays_where_it_was_beside_the_live_tables(fleet, capsys) -> None:
    terminal = Terminal()
    view = live_view(terminal)
    view.start(fleet)
    try:
        assert terminal.has_tables.wait(30)
        print("a line")
    finally:
        view.stop()
    assert capsys.readouterr().out == "a line\n"


def test_plain_lines_say_the_same(judged, spine, golden, capsys, clock) -> None:
    view = PlainView(clock, print)
    view.start(judged)
    view.tick(spine)
    golden("plain.txt", capsys.readouterr().out)


def test_the_lines_of_all_switches_come_once_a_second(fleet, spine, capsys, clock) -> None:
    view = PlainView(clock, print)
    view.start(fleet)
    for _ in range(50):
        for switch in fleet.switches.values():
            view.tick(switch)
        clock.time_s += 0.02
    assert len(capsys.readouterr().out.splitlines()) == len(PORTS) + 1


def test_an_output_that_takes_no_more_ends_the_lines_and_nothing_else(
    fleet, spine, clock, monkeypatch
) -> None:
    messages: list[Message] = []
    view = PlainView(clock, messages.append)
    view.start(fleet)
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        for _ in range(3):
            view.tick(spine)
            clock.time_s += 1.0
        view.conclude(summarize(fleet))
        assert full.closed
    assert [str(message) for message in messages] == [
        "standard output: No space left on device: nothing more is written there"
    ]


def test_lines_that_nobody_reads_are_left_out_and_control_goes_on(
    fleet, spine, clock, monkeypatch
) -> None:
    messages: list[Message] = []
    view = PlainView(clock, messages.append)
    view.start(fleet)
    read_end, write_end = os.pipe()

    def tick() -> None:
        clock.time_s += 1.0
        view.tick(spine)

    with os.fdopen(read_end, "rb", buffering=0) as reader, os.fdopen(write_end, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        filled = fill(write_end)
        ticking = Thread(target=lambda: [tick() for _ in range(3)], daemon=True)
        ticking.start()
        ticking.join(30.0)
        has_gone_on = not ticking.is_alive()
        while filled:
            filled -= len(reader.read(filled))
        ticking.join()
        assert has_gone_on
        tick()
        assert reader.read(10_000).count(b"\n") == len(PORTS) + 1
    assert [str(message) for message in messages] == [
        "standard output: nobody reads it, lines are left out"
    ]


def fill(pipe: int) -> int:
    """Writes as much as it takes; returns how many bytes that were."""
    os.set_blocking(pipe, False)
    filled = 0
    with suppress(BlockingIOError):
        while True:
            filled += os.write(pipe, bytes(4096))
    os.set_blocking(pipe, True)
    return filled


def test_the_summary_names_switches_and_units(fleet, golden) -> None:
    summary = summarize(fleet)
    golden("summary.json", summary.to_json())
    golden("summary.txt", "\n".join(summary.lines) + "\n")


def test_whoever_follows_a_fleet_is_told_of_which_switch(fleet, spine) -> None:
    class Follower(Watcher):
        def __init__(self) -> None:
            self.told: list[tuple[str, ...]] = []

        def announce(self, message: Message) -> None:
            self.told.append((str(message),))

        def sampled(self, switch, samples: Samples) -> None:
            self.told.append((switch.name, *samples))

        def tick(self, switch) -> None:
            self.told.append((switch.name,))

    first, second = Follower(), Follower()
    fleet.watchers += [first, second]
    spine.announce(Message("in control", "spine"))
    tell(spine, SAMPLE)
    spine.tick()
    fleet.announce(Message("metrics: no longer served"))
    assert first.told == [
        ("spine: in control",),
        ("spine", SAMPLE),
        ("spine",),
        ("metrics: no longer served",),
    ]
    assert second.told == first.told
    assert spine.meters[2].last == SAMPLE
