"""A sample file is followed while it is written."""

from pathlib import Path

from p4abs.telemetry.samples.columns import NAMES
from p4abs_demonstration.measure.samples import SampleFile

ROW = {
    "time_s": "1000.5",
    "port": "17",
    "interval_s": "0.02",
    "admitted_bytes": "3000",
    "dropped_bytes": "1514",
    "departed_bytes": "1500",
    "limit_bytes": "9000",
    "occupancy_bytes": "2000",
    "binding": "loss",
    "unreachable": "utilization 98%: sources offer 76%",
}


def line(**changes: str) -> str:
    return ",".join((ROW | changes).get(column, "") for column in NAMES) + "\n"


def test_a_file_that_is_not_there_yet_has_no_samples(tmp_path: Path) -> None:
    assert SampleFile(tmp_path / "samples.csv").read() == []


def test_the_controllers_columns_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"
    path.write_text(",".join(NAMES) + "\n" + line())
    (sample,) = SampleFile(path).read()
    assert (sample.time_s, sample.duration_s) == (1000.5, 0.02)
    assert (sample.admitted_bytes, sample.dropped_bytes) == (3000, 1514)
    assert (sample.departed_bytes, sample.backlog_bytes) == (1500, 2000)
    assert (sample.limit_bytes, sample.binding) == (9000, "loss")
    assert sample.unreachable == "utilization 98%: sources offer 76%"


def test_every_sample_is_read_once_and_only_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"
    path.write_text(",".join(NAMES) + "\n" + line(time_s="1") + line(time_s="2")[:9])
    file = SampleFile(path)
    assert [sample.time_s for sample in file.read()] == [1]
    assert file.read() == []
    with path.open("a") as stream:
        stream.write(line(time_s="2")[9:])
    assert [sample.time_s for sample in file.read()] == [2]
