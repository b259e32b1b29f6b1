"""Samples in Parquet: what is written is read back, and in the columns of the other formats."""

import csv
import sys
from dataclasses import replace
from errno import ENOSPC
from io import FileIO
from pathlib import Path
from random import Random

import numpy as np
import pytest
from p4abs.config import Source, load_settings
from p4abs.control import Sample
from p4abs.errors import UserError
from p4abs.measurements import Interval
from p4abs.policies import Binding
from p4abs.telemetry import Fleet, open_sample_file
from p4abs.telemetry.samples import Rotation, parquet
from p4abs.telemetry.samples.appended import SamplesLost, write_whole
from p4abs.telemetry.samples.columns import NAMES, Told
from pyarrow.parquet import ParquetFile, read_table

from controller.tests.telemetry.samples import SAMPLE, samples_of

PORTS = [2, 3, 4]
GOLD = {"name": "gold", "loss": 0.01, "window": "1s", "period": "20s", "objective": 0.9}


@pytest.fixture
def spine():
    ports = [{"number": 2, "capacity": "10Mbit", "agreement": [GOLD]}]
    ports += [{"number": number, "capacity": "10Mbit"} for number in PORTS[1:]]
    table = {"name": "spine", "grpc-addr": "192.0.2.1:9559", "port": ports}
    (settings,) = load_settings(Source({"switch": [table]}), {}).switch
    fleet = Fleet()
    fleet.add(fleet.make(settings, lambda _events: type("Controller", (), {"settings": settings})))
    return fleet.switches["spine"]


def any_sample(port: int, time_s: float, rng: Random) -> Sample:
    """With known and unknown values in any combination."""
    idle_s = rng.choice([None, rng.random()])
    backlogs = rng.choice([(None, None), (0, 900), (rng.randrange(900), 2**40)])
    return replace(
        SAMPLE,
        time_s=time_s,
        port=port,
        interval=Interval(
            1 + rng.random(),
            rng.randrange(2**40),
            rng.randrange(2**37),
            7,
            idle_s,
            *backlogs,
            rng.choice([None, 0, 70]),
        ),
        measured_capacity_bps=rng.choice([None, 9_806_000]),
        utilization=rng.choice([None, rng.random()]),
        queue_delay_s=rng.choice([None, rng.random()]),
        decided_limit_bytes=rng.randrange(2**40),
        binding=rng.choice([*Binding]),
        unreachable=rng.choice(["", "", f"loss {rng.random():.2%}"]),
        gains=rng.choice([{}, {"loss": rng.random()}, {"utilization": 0.5, "loss": 2.0}]),
    )


def told_by(rng: Random, intervals: int) -> list[list[Sample]]:
    return [
        [any_sample(port, 20.0 + tick, rng) for port in PORTS if rng.random() < 0.8] or [SAMPLE]
        for tick in range(intervals)
    ]


def expected(sample: Sample) -> dict[str, object]:
    """Its row, but for the agreements."""
    interval = sample.interval
    return {
        "time_s": sample.time_s,
        "switch": "spine",
        "port": sample.port,
        "interval_s": interval.duration_s,
        "admitted_bytes": interval.admitted_bytes,
        "dropped_bytes": interval.dropped_bytes,
        "departed_bytes": interval.departed_bytes,
        "marked_bytes": interval.marked_bytes,
        "active_flow_us": interval.active_flow_us,
        "long_flow_us": interval.long_flow_us,
        "untracked_bytes": interval.untracked_bytes,
        "timed_bytes": interval.timed_bytes,
        "timed_byte_us": interval.timed_byte_us,
        "idle_s": interval.idle_s,
        "least_backlog_bytes": interval.least_backlog_bytes,
        "greatest_backlog_bytes": interval.greatest_backlog_bytes,
        "measured_capacity_bps": sample.measured_capacity_bps,
        "utilization": sample.utilization,
        "loss": interval.loss,
        "limit_bytes": sample.limit_bytes,
        "occupancy_bytes": sample.occupancy_bytes,
        "queue_delay_s": sample.queue_delay_s,
        "decided_limit_bytes": sample.decided_limit_bytes,
        "binding": sample.binding.value,
        "unreachable": sample.unreachable,
        "gain_utilization": sample.gains.get("utilization"),
        "gain_loss": sample.gains.get("loss"),
        "lateness_s": sample.lateness_s,
        "exchange_s": sample.exchange_s,
        "name": "",
        "mode": "control",
        "queue": 0,
    }


def agreements_of(row: dict[str, object]) -> dict[str, object]:
    return {name: row.pop(name) for name in NAMES if name.startswith(("agreement", "state"))}


@pytest.mark.parametrize("block_rows", [7, 2**16])
def test_what_is_written_is_read_back(tmp_path, spine, monkeypatch, block_rows: int) -> None:
    monkeypatch.setattr(parquet, "BLOCK_ROWS", block_rows)
    path, ticks = tmp_path / "samples.parquet", told_by(Random(1), 60)
    with open_sample_file(path, pytest.fail) as file:
        for samples in ticks:
            told = samples_of(PORTS, *samples)
            spine.sampled(told)
            file.sampled(spine, told)
    rows = read_table(path).to_pylist()
    agreements = [agreements_of(row) for row in rows]
    assert rows == [expected(sample) for samples in ticks for sample in samples]
    assert ParquetFile(path).num_row_groups >= len(rows) // block_rows
    for row, figures in zip(rows, agreements, strict=True):
        assert (figures["agreements_broken"] is None) == (row["port"] != 2)
    broken = [each["agreements_broken"] for each in agreements if each["agreements_broken"]]
    assert set(broken) == {1}


def test_a_long_run_writes_tables_of_bounded_directories(tmp_path, spine, monkeypatch) -> None:
    monkeypatch.setattr(parquet, "BLOCK_ROWS", 7)
    monkeypatch.setattr(parquet, "MAX_BLOCKS", 4)
    ticks = told_by(Random(1), 60)
    with open_sample_file(tmp_path / "samples.parquet", pytest.fail) as file:
        for samples in ticks:
            file.sampled(spine, samples_of(PORTS, *samples))
    paths = [tmp_path / "samples.parquet"]
    while (following := tmp_path / f"samples-{len(paths) + 1}.parquet").exists():
        paths.append(following)
    assert len(paths) > 3
    assert {ParquetFile(path).num_row_groups for path in paths[:-1]} == {4}
    times_s = [row["time_s"] for path in paths for row in read_table(path).to_pylist()]
    assert times_s == [sample.time_s for samples in ticks for sample in samples]


def test_its_columns_are_those_of_the_other_formats(tmp_path, spine) -> None:
    for name in ("samples.csv", "samples.parquet"):
        with open_sample_file(tmp_path / name, pytest.fail) as file:
            file.sampled(spine, samples_of(PORTS, SAMPLE))
    with (tmp_path / "samples.csv").open() as file:
        (row,) = csv.DictReader(file)
    (record,) = read_table(tmp_path / "samples.parquet").to_pylist()
    assert tuple(record) == tuple(row) == NAMES
    assert {name: "" if value is None else str(value) for name, value in record.items()} == row


def test_a_table_without_samples_is_a_table(tmp_path) -> None:
    with open_sample_file(tmp_path / "samples.parquet", pytest.fail):
        pass
    assert read_table(tmp_path / "samples.parquet").num_rows == 0


def tables(folder: Path) -> list[Path]:
    """In the order in which they were begun."""
    return sorted(folder.iterdir(), key=lambda path: (len(path.name), path.name))


def times_of(*paths: Path) -> list[float]:
    return [row["time_s"] for path in paths for row in read_table(path).to_pylist()]


def test_a_table_that_is_there_is_never_overwritten(tmp_path, spine) -> None:
    path = tmp_path / "samples.parquet"
    for run in range(3):
        with open_sample_file(path, pytest.fail) as file:
            file.sampled(spine, samples_of(PORTS, replace(SAMPLE, time_s=float(run))))
    assert [each.name for each in tables(tmp_path)] == [
        "samples.parquet",
        "samples-2.parquet",
        "samples-3.parquet",
    ]
    assert times_of(*tables(tmp_path)) == [0.0, 1.0, 2.0]


class Disk:
    """A file system that is full at times."""

    def __init__(self, monkeypatch) -> None:
        self.is_full = False
        monkeypatch.setattr(parquet, "write_whole", self._write)

    def _write(self, file: FileIO, data: bytearray) -> None:
        if self.is_full:
            raise OSError(ENOSPC, "No space left on device")
        write_whole(file, data)


def told(time_s: float) -> Told:
    samples = samples_of(PORTS, *(replace(SAMPLE, time_s=time_s, port=port) for port in PORTS))
    return Told(
        "spine", samples, samples.steps.ports, np.full((3, 4), np.nan), np.zeros(3, np.int64)
    )


def test_a_table_outlives_a_full_disk_and_lacks_what_came_meanwhile(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(parquet, "BLOCK_ROWS", 6)
    disk, lost_s = Disk(monkeypatch), []
    table = parquet.SampleTable(tmp_path / "samples.parquet", Rotation(), pytest.fail)
    for second in range(30):
        disk.is_full = 7 <= second < 20
        try:
            table.write(told(float(second)))
        except SamplesLost:
            lost_s.append(second)
    table.close()
    assert set(lost_s) <= set(range(7, 20))
    assert len(lost_s) > 8
    (path,) = tables(tmp_path)
    assert times_of(path)[::3] == [second for second in range(30) if second not in lost_s]


def test_a_disk_that_is_full_at_the_start_is_no_reason_not_to_begin(tmp_path, monkeypatch) -> None:
    disk = Disk(monkeypatch)
    disk.is_full = True
    table = parquet.SampleTable(tmp_path / "samples.parquet", Rotation(), pytest.fail)
    with pytest.raises(SamplesLost, match="No space left"):
        table.write(told(1.0))
    disk.is_full = False
    table.write(told(2.0))
    table.close()
    assert times_of(tmp_path / "samples.parquet") == [2.0] * 3


def test_a_disk_that_is_full_at_the_end_is_said_with_what_that_means(tmp_path, spine) -> None:
    path, said = tmp_path / "samples.parquet", []
    path.symlink_to("/dev/full")
    with open_sample_file(path, said.append) as file:
        file.sampled(spine, samples_of(PORTS, SAMPLE))
    assert said[0] == f"{path}: No space left on device: samples are left out"
    assert said[1:] == [f"{path}: 1 samples were not written"]


def test_a_table_without_a_directory_is_said_to_be_unreadable(tmp_path, monkeypatch) -> None:
    disk = Disk(monkeypatch)
    table = parquet.SampleTable(tmp_path / "samples.parquet", Rotation(), pytest.fail)
    table.write(told(1.0))
    disk.is_full = True
    with pytest.raises(SamplesLost, match="left on device; this table has no directory") as lost:
        table.close()
    assert lost.value.count == 3


def test_a_period_ends_a_table_and_the_oldest_are_removed(tmp_path) -> None:
    path = tmp_path / "samples.parquet"
    table = parquet.SampleTable(path, Rotation(period_s=60.0, keep=2), pytest.fail)
    for minute in range(5):
        table.write(told(60.0 * minute))
        table.write(told(60.0 * minute + 59))
    table.close()
    assert [each.name for each in tables(tmp_path)] == [
        f"samples-{number}.parquet" for number in (3, 4, 5)
    ]
    assert times_of(*tables(tmp_path))[::3] == [120.0, 179.0, 180.0, 239.0, 240.0, 299.0]


def test_a_table_that_was_moved_is_finished_when_it_is_reopened(tmp_path) -> None:
    path, moved = tmp_path / "samples.parquet", tmp_path / "moved"
    table = parquet.SampleTable(path, Rotation(), pytest.fail)
    table.write(told(1.0))
    table.reopen()
    table.write(told(2.0))
    path.rename(moved)
    table.reopen()
    table.write(told(3.0))
    table.close()
    assert times_of(moved)[::3] == [1.0, 2.0]
    assert times_of(path)[::3] == [3.0]


def test_without_its_package_it_is_refused_in_one_line(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "p4abs.telemetry.samples.parquet")
    with pytest.raises(UserError, match=r"pip install 'p4abs\[parquet\]'") as refusal:
        open_sample_file(tmp_path / "samples.parquet", pytest.fail)
    assert "\n" not in str(refusal.value)
    assert not (tmp_path / "samples.parquet").exists()
