"""Files that users name."""

import os
from pathlib import Path

import pytest
from p4abs import files
from p4abs.files import read_bytes, read_text


@pytest.mark.parametrize("count", [0, 1, 999, 1000])
def test_a_file_is_read_up_to_the_largest_size(tmp_path, monkeypatch, count: int) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1000)
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
