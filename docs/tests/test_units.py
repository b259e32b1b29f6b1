"""The systemd units: systemd understands them, and what they start exists."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from docs.tests.mentions import ROOT, wrong_command

UNITS = sorted((ROOT / "docs" / "systemd").glob("*.service"))
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
    needed = "CAP_NET_RAW CAP_NET_ADMIN" if "switch" in unit.name else ""
    assert found["CapabilityBoundingSet"] == found.get("AmbientCapabilities", "") == needed
