"""The set-up: what setup.sh says and waits for, what the Makefile keeps from what it starts."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("bash", "cut", "env", "head", "sleep", "sort")
LOCKED = (
    "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 42 (apt-get)\n"
    "E: Unable to lock directory /var/lib/apt/lists/"
)
WAITING = "waiting for another installation to end: "

SetUp = Callable[..., subprocess.CompletedProcess[str]]


def write_program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """All that is on PATH: no package is installed, and apt-get installs each."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        (folder / tool).symlink_to(shutil.which(tool) or tool)
    write_program(folder / "dpkg-query", "exit 1")
    write_program(folder / "apt-get", f'echo "$*" >> {tmp_path}/calls')
    return folder


@pytest.fixture
def set_up(programs: Path) -> SetUp:
    def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["./setup.sh", "demo", *words],
            cwd=ROOT,
            env={"PATH": str(programs), **variables},
            capture_output=True,
            text=True,
        )

    return run


def lock_apt(programs: Path, at: str, times: int) -> Path:
    """apt-get with these words finds a lock held, so often; the file has a line for each call."""
    calls = programs.parent / "calls"
    held = f'[ "$(grep -c {at} {calls})" -gt {times} ] || {{ echo "{LOCKED}" >&2; exit 100; }}'
    (programs / "grep").symlink_to(shutil.which("grep") or "grep")
    write_program(programs / "apt-get", f'echo "$*" >> {calls}; case "$*" in *{at}*) {held};; esac')
    write_program(programs / "pause", "exit 0")
    (programs / "sleep").unlink()
    (programs / "sleep").symlink_to(programs / "pause")
    return calls


@pytest.mark.parametrize("at", ["update", "install"])
def test_it_waits_for_another_installation_and_says_so_once(
    programs: Path, set_up: SetUp, at: str
) -> None:
    """Of lists and of archives: apt-get itself waits for neither."""
    calls = lock_apt(programs, at, times=3)
    done = set_up()
    assert (done.returncode, done.stderr) == (0, "")
    told = [line for line in done.stdout.splitlines() if line.startswith(WAITING)]
    assert told == [f"{WAITING}{LOCKED.splitlines()[0].removeprefix('E: ')}"]
    assert sum(at in line for line in calls.read_text().splitlines()) == 4


def test_it_waits_ten_minutes_at_most(programs: Path, set_up: SetUp) -> None:
    lock_apt(programs, "install", times=1000)
    done = set_up(SECONDS="600")
    assert done.returncode == 1
    assert LOCKED in done.stderr
    assert "as root, type: apt-get install" in done.stderr.splitlines()[-1]


def test_sources_that_cannot_be_reached_do_not_stop_it(programs: Path, set_up: SetUp) -> None:
    write_program(programs / "apt-get", '[ "$2" != update ] || { echo "E: gone" >&2; exit 100; }')
    done = set_up()
    assert (done.returncode, done.stderr) == (0, "E: gone\n")


@pytest.mark.parametrize("sudo", [None, "echo 'not in the sudoers file' >&2; exit 1"])
def test_who_cannot_become_root_is_told_what_root_types(
    programs: Path, set_up: SetUp, sudo: str | None
) -> None:
    if sudo is not None:
        write_program(programs / "sudo", sudo)
    done = set_up("sudo")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 2), done
    assert "as root, type: apt-get install --no-install-recommends python3-venv" in done.stderr
    assert not (programs.parent / "calls").exists()


def test_a_cargo_that_would_hide_debian_s_is_named_before_anything_is_installed(
    programs: Path, set_up: SetUp
) -> None:
    for name in ("cargo", "rustc"):
        write_program(programs / name, f"echo {name} 1.70.0")
    done = set_up()
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1), done
    assert str(programs / "cargo") in done.stderr


def make(
    *words: str, folder: Path = ROOT, variables: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    outside = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    env = outside | (variables or {})
    return subprocess.run(["make", *words], cwd=folder, env=env, capture_output=True, text=True)


def recipe_environment(*words: str, **variables: str) -> dict[str, str]:
    """What a recipe of the Makefile has in its environment."""
    done = make("--eval", "show: ; @env", "show", *words, variables=variables)
    return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        (["CC=cubic"], {}),
        ([], {"CC": "clang"}),
        ([], {"PYTHONPATH": "/elsewhere"}),
        ([], {"PYTHONHOME": "/elsewhere"}),
        ([], {"PIP_USER": "1"}),
        ([], {"PIP_TARGET": "/elsewhere"}),
        ([], {"CDPATH": "/elsewhere"}),
        ([], {"CARGO_BUILD_TARGET": "wasm32-wasip1"}),
    ],
    ids=str,
)
def test_compilers_and_pip_do_not_see_what_would_mislead_them(
    words: list[str], variables: dict[str, str]
) -> None:
    """CC, the congestion control, is a C compiler to them."""
    names = {word.partition("=")[0] for word in words} | set(variables)
    assert not names & set(recipe_environment(*words, **variables))


def test_tests_beside_bmv2_see_the_python_modules_that_the_user_has_for_it() -> None:
    shown = ("--eval", "shown: ; @env", "--eval", "samples: shown")
    variables = {"PYTHONPATH": "/bmv2", "PYTHONNOUSERSITE": "1"}
    lines = make("--old-file=setup", *shown, "samples", variables=variables).stdout.splitlines()
    assert "PYTHONPATH=/bmv2" in lines
    assert "PYTHONNOUSERSITE=1" not in lines


@pytest.mark.parametrize(
    ("given", "folder"),
    [
        ({}, f"{ROOT}/switch/target"),
        ({"CARGO_TARGET_DIR": "/some where/target"}, "/some where/target"),
        ({"CARGO_TARGET_DIR": "moved"}, f"{ROOT}/moved"),
    ],
    ids=["not given", "absolute", "relative"],
)
def test_cargo_s_folder_is_the_same_from_everywhere(given: dict[str, str], folder: str) -> None:
    assert recipe_environment(**given)["CARGO_TARGET_DIR"] == folder


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """As much of an archive of the sources as the first steps need; Debian's part is done."""
    for folder in ("switch", "experiments/ns3", "experiments/tofino", ".make", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("Makefile", "setup.sh", "packages.txt", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".make" / "debian-demo").touch()
    return tmp_path


def test_a_virtual_environment_whose_making_was_interrupted_is_made_anew(archive: Path) -> None:
    """pip comes last into it."""
    (archive / ".venv" / "bin" / "python").touch()
    done = make("--dry-run", ".make/installers", folder=archive)
    assert "venv --clear" in done.stdout
    (archive / ".venv" / "bin" / "pip").touch()
    done = make("--dry-run", ".make/installers", folder=archive)
    assert done.returncode == 0
    assert "venv --clear" not in done.stdout


def test_a_folder_without_git_is_no_complaint(archive: Path) -> None:
    assert make("--dry-run", ".make/installers", folder=archive).stderr == ""


def test_clean_takes_what_was_made_and_leaves_what_a_user_keeps(archive: Path) -> None:
    kept = {archive / name for name in ("link.pcap", "switch/fuzz-failures/1", ".git/a.egg-info")}
    made = {
        archive / name
        for name in (
            "results/demo/summary.json",
            "experiments/build/ns3.o",
            "controller/p4abs.egg-info/SOURCES.txt",
            "switch/p4abs_switch/_engine.abi3.so",
            "switch/p4abs_switch/__pycache__/cli.pyc",
            ".mypy_cache/1",
        )
    }
    for path in kept | made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert make("clean", folder=archive).returncode == 0
    left = {path for path in kept | made if path.exists()}
    assert left == kept
    assert not (archive / ".make").exists()
    assert not (archive / ".venv").exists()
