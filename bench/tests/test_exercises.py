"""What is said before an exercise is measured."""

from dataclasses import replace
from pathlib import Path

import pytest
from measurement import MeasurementFailed
from workloads import exercises


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    moved = (replace(each, program=tmp_path / each.program.name) for each in exercises.EXERCISES)
    monkeypatch.setattr(exercises, "EXERCISES", tuple(moved))


def test_a_compiler_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MeasurementFailed, match=r"^p4c-bm2-ss is not on PATH: it comes with p4c$"):
        exercises.compile_exercises(tmp_path)


def test_a_program_that_does_not_compile_ends_with_what_the_compiler_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiler = tmp_path / "p4c-bm2-ss"
    compiler.write_text('#!/bin/sh\nfor last; do :; done\necho "$last: not found" >&2\nexit 1\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    with pytest.raises(MeasurementFailed, match=r"status 1: .*basic/solution/basic\.p4: not found"):
        exercises.compile_exercises(tmp_path)
