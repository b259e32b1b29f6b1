"""Files that users name."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from p4abs import files
from p4abs.config import ConfigError, read_toml
from p4abs.errors import UserError
from p4abs.files import read_bytes, read_text
from p4abs.telemetry.samples import open_sample_file

PATIENCE_S = 60.0


@pytest.mark.parametrize("count", [0, 1, 999, 1000])
def test_a_file_is_read_up_to_the_largest_size(tmp_path, monkeypatch, count: int) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    path = tmp_path / "file"
    path.write_bytes(b"x" * count)
    assert read_bytes(path) == b"x" * count


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("/dev/zero", "larger than 64 MiB"),
        ("/nowhere", "No such file or directory"),
        ("/proc/self/mem", "Input/output error"),
        ("/tmp", "Is a directory"),
        ("nul\0l", "embedded null byte"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_name(name: str, reason: str) -> None:
    with pytest.raises(OSError, match=reason) as refused:
        read_bytes(Path(name))
    assert (refused.value.filename, refused.value.strerror) == (name, reason)


def test_a_pipe_is_read_to_its_end() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"one\r\ntwo\n")
    os.close(writing)
    assert read_text(Path(f"/dev/fd/{reading}")) == "one\ntwo\n"
    os.close(reading)


def test_a_pipe_is_read_whose_writer_takes_its_time(monkeypatch) -> None:
    reading, writing = os.pipe()
    found_nothing = Event()
    wait_for_bytes = files._wait_for_bytes

    def begin_to_wait(descriptor: int) -> None:
        found_nothing.set()
        wait_for_bytes(descriptor)

    monkeypatch.setattr(files, "_wait_for_bytes", begin_to_wait)
    with ThreadPoolExecutor(1) as thread:
        content = thread.submit(read_bytes, Path(f"/dev/fd/{reading}"))
        assert found_nothing.wait(PATIENCE_S)
        os.write(writing, b"content")
        os.close(writing)
        assert content.result(PATIENCE_S) == b"content"
    os.close(reading)


def test_a_pipe_whose_writer_says_nothing_is_not_waited_for_long(monkeypatch) -> None:
    monkeypatch.setattr(files, "LONGEST_SILENCE_S", 0.01)
    reading, writing = os.pipe()
    try:
        with pytest.raises(OSError, match=r"a pipe that nobody has written for 0.01 s"):
            read_bytes(Path(f"/dev/fd/{reading}"))
    finally:
        os.close(reading)
        os.close(writing)


def test_a_pipe_that_nobody_writes_is_not_waited_for(tmp_path) -> None:
    pipe = tmp_path / "fleet.toml"
    os.mkfifo(pipe)
    with pytest.raises(ConfigError, match=f"{pipe}: a pipe that nobody writes"):
        read_toml(pipe)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_samples_do_not_wait_for_somebody_who_reads_a_pipe(tmp_path, suffix: str) -> None:
    pipe = tmp_path / f"samples{suffix}"
    os.mkfifo(pipe)
    with pytest.raises(UserError, match=f"{pipe}: a pipe that nobody reads"):
        open_sample_file(pipe, print)


def test_samples_go_into_a_pipe_that_somebody_reads(tmp_path) -> None:
    pipe = tmp_path / "samples.csv"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with open_sample_file(pipe, print):
        pass
    assert os.read(reading, 6) == b"time_s"
    os.close(reading)
