"""The systemd units: systemd understands them, and what they start exists."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.tests.mentions import ROOT, wrong_command

UNITS = sorted((ROOT / "docs" / "systemd").glob("*.service"))
P4ABS = f"{sys.executable} -m p4abs"
INSTALLED = "/opt/p4abs/bin/p4abs"


def settings(unit: Path) -> list[tuple[str, str]]:
    lines = (line.partition("=") for line in unit.read_text().splitlines())
    return [(key, value) for key, separator, value in lines if separator and key[0] not in "#["]


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze: apt-get install systemd"
)
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_has_nothing_to_say_against_a_unit(unit: Path, tmp_path: Path) -> None:
    here = shutil.which("true")
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace(INSTALLED, str(here)))
    done = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (done.returncode, said) == (0, [])


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_there_is(unit: Path) -> None:
    (command,) = [value for key, value in settings(unit) if key == "ExecStart"]
    assert command.startswith(f"{INSTALLED} ")
    assert wrong_command(shlex.split(command.replace(INSTALLED, "p4abs"))) is None


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_no_unit_runs_as_root_or_with_more_than_it_needs(unit: Path) -> None:
    found = dict(settings(unit))
    assert found["DynamicUser"] == "yes"
    needed = "CAP_NET_RAW" if "switch" in unit.name else ""
    assert found["CapabilityBoundingSet"] == found.get("AmbientCapabilities", "") == needed


@pytest.mark.skipif(
    shutil.which("setpriv") is None, reason="needs setpriv: apt-get install util-linux"
)
def test_the_switch_opens_an_interface_with_what_its_unit_gives_it() -> None:
    (unit,) = [unit for unit in UNITS if "switch" in unit.name]
    given = dict(settings(unit))["CapabilityBoundingSet"].lower().replace("cap_", "+").split()
    user = () if os.geteuid() == 0 else ("--map-root-user",)
    # Root has what its bounding set allows.
    started = f"setpriv --bounding-set={','.join(['-all', *given])} --inh-caps=-all {P4ABS}"
    options = "switch --grpc-addr 127.0.0.1:0 -i 1@here queue"
    script = f"ip link set lo up && ip link add here type veth && exec {started} {options}"
    process = subprocess.Popen(
        ["unshare", *user, "--net", "sh", "-c", script], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("listening on ")
    finally:
        process.terminate()
        process.communicate()
