"""The wheels in an environment without compilers: the commands work, far from any clone."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from p4abs_switch.testbed.process import RunningProcess, start_here

from release.__main__ import REPOSITORY

TIMEOUT_S = 120.0
PROGRAMS = REPOSITORY / "switch" / "tests" / "programs"
TESTS = REPOSITORY / "switch" / "tests" / "stf"
# Nothing of this environment: not its path, not its packages.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def p4abs(installed: Path, folder: Path, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [installed / "p4abs", *words],
        cwd=folder,
        env=CLEAN | {"PATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def test_there_is_no_compiler(installed: Path) -> None:
    for compiler in ("cc", "gcc", "c++", "cargo", "rustc", "p4c", "p4c-bm2-ss", "zig", "make"):
        assert shutil.which(compiler, path=str(installed)) is None


def test_the_commands_are_those_of_the_wheels(installed: Path, tmp_path: Path) -> None:
    done = p4abs(installed, tmp_path, "--help")
    assert done.returncode == 0
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert {"check", "control", "demo", "differential", "runtime", "stf", "switch"} <= set(listed)
    assert "experiment" not in listed


def test_packet_tests_run(installed: Path, tmp_path: Path) -> None:
    done = p4abs(installed, tmp_path, "stf", PROGRAMS / "kinds.json", TESTS / "tables.stf")
    assert (done.returncode, done.stdout) == (0, "passed\n")


@pytest.fixture
def switch(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a switch that runs a program of the wheel."""
    command = [str(installed / "p4abs"), "switch", "--grpc-addr", "127.0.0.1:0", "queue"]
    log = tmp_path / "switch.log"
    process = RunningProcess("p4abs switch", command, log, start_here)
    try:
        process.wait_until(lambda: "listening on " in log.read_text(), "listened")
        yield log.read_text().split()[-1]
    finally:
        process.end()


def test_the_controller_controls_the_switch(installed: Path, tmp_path: Path, switch: str) -> None:
    command = [str(installed / "p4abs"), "control", "--grpc-addr", switch]
    port = "1,capacity=10Mbit,utilization=0.98,loss=0.02"
    log = tmp_path / "control.log"
    process = RunningProcess("p4abs control", [*command, "--port", port], log, start_here)
    try:
        process.wait_until(lambda: "in control" in log.read_text(), "said 'in control'")
    finally:
        process.end()


def test_the_demonstration_shows_its_phases(installed: Path, tmp_path: Path) -> None:
    namespaces = subprocess.run(["unshare", "--map-root-user", "--net", "true"], check=False)
    if namespaces.returncode != 0:
        pytest.skip("this machine lets nobody make network namespaces")
    run = partial(p4abs, installed, tmp_path, "demo", "--headless", "--flows", "4")
    done = run("--duration", "20", "--results", tmp_path / "results")
    assert (done.returncode, done.stderr) == (0, "")
    assert "greedy" in done.stdout
    assert all(phase in done.stdout for phase in ("before", "abs", "half-load", "full-load"))
