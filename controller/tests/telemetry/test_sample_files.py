"""Files of samples over several runs: nothing is overwritten, cut or lost without a word."""

import csv
import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from p4abs.config import Source, load_settings
from p4abs.states import PortState
from p4abs.telemetry import Fleet, WatchedSwitch, open_sample_file
from p4abs.telemetry.samples import Rotation
from p4abs.telemetry.samples.appended import SamplesLost, next_path
from p4abs.telemetry.samples.columns import NAMES, Told
from p4abs.telemetry.samples.lines import csv_lines, json_lines

from controller.tests.telemetry.controllers import Controller
from controller.tests.telemetry.samples import SAMPLE, samples_of

HEADING = ",".join(NAMES)
DAY_S = 86400.0
NO_AGREEMENTS = np.full((40, 4), np.nan)
NO_STATES = np.full(40, PortState.NO_TRAFFIC)
PORTS = range(1, 41)


def told_at(time_s: float = SAMPLE.time_s, ports: range = range(2, 3)) -> Told:
    """Samples of a control interval that ended then."""
    samples = [replace(SAMPLE, time_s=time_s, port=port) for port in ports]
    told = samples_of(PORTS, *samples)
    return Told("spine", told, told.steps.ports, NO_AGREEMENTS, NO_STATES)


@pytest.fixture
def spine() -> WatchedSwitch:
    table = {"name": "spine", "port": [{"number": "1-40", "capacity": "10Mbit"}]}
    (settings,) = load_settings(Source({"switch": [table]}), {}).switch
    return Fleet().make(settings, lambda _events: Controller(settings))


@contextmanager
def disk_full(at_bytes: int) -> Iterator[None]:
    """Bounds the size of all files of this process: the kernel writes what fits, as a full disk.

    Also of what pytest writes to: look at what has come of it afterwards.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (at_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def whole_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table, whose first line alone is a heading and whose last line has its end."""
    text = path.read_text()
    assert text.startswith(HEADING + "\n")
    assert text.endswith("\n")
    assert text.count(HEADING) == 1
    rows = [*csv.DictReader(StringIO(text))]
    assert all(None not in row and None not in row.values() for row in rows)
    return rows


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_a_second_run_goes_on_where_the_first_has_ended(tmp_path, spine, suffix) -> None:
    path = tmp_path / f"samples{suffix}"
    for _ in range(3):
        with open_sample_file(path, pytest.fail) as file:
            file.sampled(spine, samples_of(PORTS, SAMPLE))
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    lines = path.read_text().splitlines()
    heading = suffix == ".csv"
    assert len(lines) == 3 + heading
    assert len({*lines}) == 1 + heading


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("samples.csv", "time_s,switch\n1,a\n"),
        ("samples.csv", "no table\n"),
        ("samples.jsonl", '{"time_s": 1}\n'),
        ("samples.jsonl", "[1]\nno object\n"),
    ],
)
def test_what_has_other_columns_is_set_aside_and_said(tmp_path, name, content) -> None:
    path, said = tmp_path / name, []
    path.write_text(content)
    with open_sample_file(path, said.append):
        pass
    aside = path.with_stem("samples-1")
    assert aside.read_text() == content
    assert said == [f"{path}: renamed to {aside.name}, because it has other columns"]


def test_samples_follow_the_machine_s_clock_when_it_is_set_anew(tmp_path, spine) -> None:
    path, said, stepped_s = tmp_path / "samples.csv", [], [0.0]
    with open_sample_file(path, said.append, None, lambda: stepped_s[-1]) as file:
        for each in (0.0, 3600.0, 3600.0, -60.0):
            stepped_s.append(each)
            file.sampled(spine, samples_of(PORTS, replace(SAMPLE, port=PORTS[0])))
    times_s = [float(line.split(",")[0]) for line in path.read_text().splitlines()[1:]]
    assert [each - SAMPLE.time_s for each in times_s] == pytest.approx([0.0, 3600.0, 3600.0, -60.0])
    clock = f"{path}: the machine's clock was set"
    assert said == [
        f"{clock} forward by 1h; time_s of samples follows it",
        f"{clock} back by 1.017h; time_s of samples follows it",
    ]


def test_less_than_a_second_is_no_step_of_the_clock(monkeypatch) -> None:
    fleet, ahead_s = Fleet(lambda: 1000.0), [0.0]
    monkeypatch.setattr(time, "time", lambda: 1000.0 + ahead_s[-1])
    told_s = []
    for each in (0.0, 0.9, 1.5, 2.4, 0.6, -5.0):
        ahead_s.append(each)
        told_s.append(fleet.stepped_s)
    assert told_s == [0.0, 0.0, 1.5, 1.5, 1.5, -5.0]


def test_a_line_that_was_cut_is_removed_and_said(tmp_path) -> None:
    path, said = tmp_path / "samples.csv", []
    lines = csv_lines(path, Rotation(), said.append)
    lines.write(told_at())
    lines.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[1][:50])
    csv_lines(path, Rotation(), said.append).close()
    assert path.read_bytes() == whole
    assert said == [f"{path}: the incomplete last line was removed"]


def test_a_disk_that_is_full_for_a_while_leaves_whole_lines_and_is_said_once(
    tmp_path, spine
) -> None:
    path, said = tmp_path / "samples.csv", []
    interval = samples_of(PORTS, *(replace(SAMPLE, port=port) for port in PORTS))
    with open_sample_file(path, said.append) as file:
        file.sampled(spine, interval)
        drained(file)
        with disk_full(path.stat().st_size + 2000):  # some of the next lines fit, and not all
            for _ in range(10):
                file.sampled(spine, interval)
            drained(file)
        assert len(whole_rows(path)) == 40
        file.sampled(spine, interval)
        drained(file)
        file.tick(spine)
        assert len(whole_rows(path)) == 80
        assert file.left_out == 400
    assert said == [
        f"{path}: File too large: samples are left out",
        f"{path}: 400 samples were not written",
    ]


def test_a_disk_that_is_full_to_the_end_is_said_with_how_much_is_missing(tmp_path, spine) -> None:
    path, said = tmp_path / "samples.csv", []
    # Not even the heading fits.
    with disk_full(100), open_sample_file(path, said.append) as file:
        file.sampled(spine, samples_of(PORTS, SAMPLE))
        drained(file)
    assert path.read_text() == ""
    assert said == [
        f"{path}: File too large: samples are left out",
        f"{path}: 1 samples were not written",
    ]


@pytest.mark.parametrize("make", [csv_lines, json_lines])
def test_a_file_that_was_moved_is_left_alone_after_it_was_reopened(tmp_path, make) -> None:
    path, moved = tmp_path / "samples.txt", tmp_path / "samples.txt.1"
    lines = make(path, Rotation(), pytest.fail)
    lines.write(told_at())
    path.rename(moved)
    before = moved.read_bytes()
    lines.write(told_at())
    assert len(moved.read_bytes()) > len(before)  # until SIGHUP, as logrotate expects
    lines.reopen()
    lines.write(told_at())
    lines.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("make", [csv_lines, json_lines])
def test_a_file_that_was_truncated_begins_anew_without_zero_bytes(tmp_path, make) -> None:
    path = tmp_path / "samples.txt"
    lines = make(path, Rotation(), pytest.fail)
    lines.write(told_at())
    before = path.read_bytes()
    os.truncate(path, 0)
    lines.write(told_at())
    lines.close()
    assert path.read_bytes() == before


def test_a_file_of_the_largest_size_moves_aside_and_the_oldest_are_removed(tmp_path) -> None:
    path = tmp_path / "samples.csv"
    lines = csv_lines(path, Rotation(max_size_bytes=2000, keep=3), pytest.fail)
    for second in range(100):
        lines.write(told_at(SAMPLE.time_s + second))
    lines.close()
    names = sorted(each.name for each in tmp_path.iterdir())
    newest = next_path(path, 1).stem.removeprefix("samples-")
    kept = [f"samples-{number}.csv" for number in range(int(newest) - 3, int(newest))]
    assert names == sorted([*kept, "samples.csv"])
    times_s = [
        float(row["time_s"])
        for name in (*kept, "samples.csv")
        for row in whole_rows(tmp_path / name)
    ]
    assert times_s == [SAMPLE.time_s + 100 - n for n in range(len(times_s), 0, -1)]
    assert all(each.stat().st_size <= 2000 for each in tmp_path.iterdir())


def test_a_period_ends_at_its_multiple_whatever_the_runs(tmp_path) -> None:
    path = tmp_path / "samples.csv"
    midnight_s = DAY_S * 20_000
    for times_s in ([0.0, DAY_S - 1], [DAY_S, DAY_S + 1], [3 * DAY_S]):
        lines = csv_lines(path, Rotation(period_s=DAY_S), pytest.fail)
        for time_s in times_s:
            lines.write(told_at(midnight_s + time_s))
        lines.close()
        os.utime(path, (midnight_s + times_s[-1],) * 2)
    files = [*(tmp_path / f"samples-{number}.csv" for number in (1, 2)), path]
    days = [[float(row["time_s"]) // DAY_S - 20_000 for row in whole_rows(each)] for each in files]
    assert days == [[0, 0], [1, 1], [3]]


def test_a_file_that_cannot_be_moved_grows_on_and_that_is_said_once(tmp_path, monkeypatch) -> None:
    def refuse(*_paths: object) -> None:
        raise PermissionError(13, "Permission denied")

    path, said = tmp_path / "samples.csv", []
    lines = csv_lines(path, Rotation(max_size_bytes=2000), said.append)
    monkeypatch.setattr(Path, "rename", refuse)
    for _ in range(100):
        lines.write(told_at())
    lines.close()
    assert len(whole_rows(path)) == 100
    assert said == [f"{path}: Permission denied; the file grows beyond its maximum size"]


def test_what_does_not_fit_is_refused_as_a_whole(tmp_path) -> None:
    path = tmp_path / "samples.csv"
    lines = csv_lines(path, Rotation(), pytest.fail)
    full = disk_full(path.stat().st_size + 500)
    with pytest.raises(SamplesLost, match="File too large") as lost, full:
        lines.write(told_at(ports=PORTS))
    assert lost.value.count == 40
    assert whole_rows(path) == []
    lines.close()


def drained(file) -> None:
    """Waits until all that was offered has been done; says what the thread has met."""
    while file._written < file._taken:
        file._background._thread.join(0.001)
    file._say_news()
