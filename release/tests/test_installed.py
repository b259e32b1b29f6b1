"""The wheels in an environment without compilers: the commands work, far from any clone."""

import json
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
MACHINES_PACKAGES = Path("/usr/lib/python3/dist-packages")
# Nothing of this environment: not its path, not its packages.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def p4abs(installed: Path, folder: Path, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    return run(installed, folder, installed / "p4abs", *words)


def run(
    installed: Path, folder: Path, *command: str | Path, **environment: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        cwd=folder,
        env=CLEAN | {"PATH": str(installed)} | environment,
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


def test_the_switch_alone_has_its_commands_and_nothing_of_the_controller(
    switch_alone: Path, tmp_path: Path
) -> None:
    done = run(switch_alone, tmp_path, switch_alone / "p4abs-switch", "--help")
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert {"cli", "differential", "read", "stf", "switch"} <= set(listed)
    test = ("stf", PROGRAMS / "kinds.json", TESTS / "tables.stf")
    done = run(switch_alone, tmp_path, switch_alone / "p4abs-switch", *test)
    assert (done.returncode, done.stdout) == (0, "passed\n")
    done = run(switch_alone, tmp_path, switch_alone / "python", "-c", "import p4abs")
    assert "ModuleNotFoundError: No module named 'p4abs'" in done.stderr


def test_packet_tests_run(installed: Path, tmp_path: Path) -> None:
    done = p4abs(installed, tmp_path, "stf", PROGRAMS / "kinds.json", TESTS / "tables.stf")
    assert (done.returncode, done.stdout) == (0, "passed\n")


NO_MININET = "p4abs_switch.mininet needs Mininet, which is Debian's package mininet\n"


def test_the_classes_for_mininet_are_imported_beside_it_and_else_name_it(
    installed: Path, tmp_path: Path
) -> None:
    imported = "from p4abs_switch.mininet import P4Host, P4RuntimeSwitch"
    caught = f"try: {imported}\nexcept ImportError as error: print(error)"
    python = partial(run, installed, tmp_path, installed / "python", "-c", caught)
    done = python()
    assert (done.returncode, done.stdout, done.stderr) == (0, NO_MININET, "")
    there = MACHINES_PACKAGES / "mininet"
    if there.is_dir():
        (tmp_path / "mininet").symlink_to(there)
        done = python(PYTHONPATH=str(tmp_path))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture
def switch(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a switch that runs a program of the wheel."""
    command = [str(installed / "p4abs"), "switch", "--grpc-addr", "127.0.0.1:0", "queue"]
    log = tmp_path / "switch.log"
    process = RunningProcess("p4abs switch", command, log, start_here)
    try:
        process.wait_until(lambda: "listening on " in log.read_text(), "listened", TIMEOUT_S)
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


@pytest.fixture
def namespaces() -> None:
    done = subprocess.run(["unshare", "--map-root-user", "--net", "true"], check=False)
    if done.returncode != 0:
        pytest.skip("this machine lets nobody make network namespaces")


# The switch's end of a link and the other one, whose kernel's own frames are of IPv6.
LINK = """
ip link set lo up
ip link add s1-eth1 type veth peer name h1-eth0
ip link set s1-eth1 up
ip link set h1-eth0 up
exec "$@"
"""
TEST_TYPE = 0x88B5  # for experiments
RUNTIME = {
    "p4info": "kinds.p4info.txtpb",
    "bmv2_json": "kinds.json",
    "table_entries": [
        {
            "table": "KindsIngress.acl",
            "priority": 1,
            "match": {"hdr.ethernet.ether_type": [TEST_TYPE, 0xFFFF]},
            "action_name": "KindsIngress.drop",
            "action_params": {},
        }
    ],
}
DIRECT = "this is the direct counter for table KindsIngress.acl\n"
FRAME = bytes(12) + TEST_TYPE.to_bytes(2, "big") + bytes(46)
SEND = f"""
import socket
link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
link.bind(("h1-eth0", 0))
link.send({FRAME!r})
"""
# A call of BMv2's Thrift services; the answer tells where digests are published.
ASK = """
import socket
from p4abs_switch.thrift.protocol.wire import Fields, MessageKind, message
with socket.create_connection(("127.0.0.1", 9090)) as connection:
    connection.sendall(message("standard:bm_mgmt_get_info", MessageKind.CALL, 1, Fields({})))
    assert b"-notifications.ipc" in connection.recv(4096)
"""
# Commands from a pipe.
TALK = """
import subprocess, sys
subprocess.run(sys.argv[1:], input=b"register_read marks 2", check=True)
"""


@pytest.fixture
def drop_in(namespaces: None, installed: Path, tmp_path: Path) -> Iterator[RunningProcess]:
    """A switch without program in a namespace of its own, at BMv2's address."""
    switch = (str(installed / "p4abs-simple-switch-grpc"), "--no-p4", "-i", "1@s1-eth1")
    command = ("unshare", "--map-root-user", "--net", "sh", "-c", LINK, "sh", *switch)
    log = tmp_path / "drop-in.log"
    process = RunningProcess("drop-in", command, log, start_here)
    try:
        process.wait_until(lambda: "listening on " in log.read_text(), "listened", TIMEOUT_S)
        yield process
    finally:
        process.end()


def test_the_drop_in_takes_entries_and_counts_frames(
    installed: Path, tmp_path: Path, drop_in: RunningProcess
) -> None:
    (tmp_path / "runtime.json").write_text(json.dumps(RUNTIME))
    (tmp_path / "registers").write_text("register_write marks 2 7\nregister_read marks 2\n")
    (tmp_path / "counters").write_text("counter_read acl_hits 0\n")
    enter = ("nsenter", "--preserve-credentials", "--user", "--net", "--target", str(drop_in.pid))
    inside = partial(run, installed, tmp_path, *enter)
    command = installed / "p4abs"

    done = inside(command, "runtime", "runtime.json", "--directory", PROGRAMS)
    assert (done.returncode, done.stderr) == (0, "")
    done = inside(command, "cli", "registers")
    assert (done.returncode, done.stdout, done.stderr) == (0, "marks[2]= 7\n", "")
    for script in (SEND, ASK):
        done = inside(installed / "python", "-c", script)
        assert (done.returncode, done.stderr) == (0, "")
    over_thrift = (installed / "python", "-c", TALK, installed / "p4abs-simple-switch-cli")
    done = inside(*over_thrift)
    assert (done.returncode, done.stdout, done.stderr) == (0, "marks[2]= 7\n", "")
    counted = f"{DIRECT}acl_hits[0]= (60 bytes, 1 packets)\n"
    drop_in.wait_until(
        lambda: inside(command, "cli", "counters").stdout == counted, "counted", TIMEOUT_S
    )


def test_the_demonstration_shows_its_phases(
    namespaces: None, installed: Path, tmp_path: Path
) -> None:
    demonstrate = partial(p4abs, installed, tmp_path, "demo", "--headless", "--flows", "4")
    done = demonstrate("--duration", "20", "--results", tmp_path / "results")
    assert (done.returncode, done.stderr) == (0, "")
    assert "greedy" in done.stdout
    assert all(phase in done.stdout for phase in ("before", "abs", "half-load", "full-load"))
