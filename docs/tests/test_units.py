"""The systemd units: systemd understands them, and what they start exists."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from p4abs.cli.exit_status import USER_ERROR

from docs.tests.mentions import ROOT, wrong_command

CONTROLLER, SWITCH = ROOT / "controller", ROOT / "switch"
PLACE = "share/p4abs/systemd"
UNITS = [
    *(CONTROLLER / "systemd").glob("*.service"),
    *(SWITCH / "wheel-data" / "data" / PLACE).glob("*.service"),
]
OPTIONS = {"p4abs-control.service": "P4ABS_OPTIONS", "p4abs-switch.service": "SWITCH_OPTIONS"}
P4ABS_SWITCH = f"{sys.executable} -m p4abs_switch"
PAGE = ROOT / "docs" / "how-to" / "run-as-a-service.md"
INSTALLED = "/opt/p4abs/bin/"


def settings(unit: Path) -> list[tuple[str, str]]:
    lines = (line.partition("=") for line in unit.read_text().splitlines())
    return [(key, value) for key, separator, value in lines if separator and key[0] not in "#["]


def values_of(unit: Path, key: str) -> list[str]:
    return [value for name, value in settings(unit) if name == key]


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze: apt-get install systemd"
)
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_has_nothing_to_say_against_a_unit(unit: Path, tmp_path: Path) -> None:
    here = shutil.which("true")
    copy = tmp_path / unit.name
    copy.write_text(re.sub(rf"{INSTALLED}[\w-]+", str(here), unit.read_text()))
    done = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (done.returncode, said) == (0, [])


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_there_is(unit: Path) -> None:
    (command,) = [value for key, value in settings(unit) if key == "ExecStart"]
    assert command.startswith(INSTALLED)
    assert wrong_command(shlex.split(command.removeprefix(INSTALLED))) is None


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_options_are_given_without_an_override_and_are_those_that_there_are(unit: Path) -> None:
    name, (command,) = OPTIONS[unit.name], values_of(unit, "ExecStart")
    assert command.endswith(f" ${name}")
    (file,) = values_of(unit, "EnvironmentFile")
    given = re.findall(rf'^(?:#   |Environment="){name}=([^"\n]*)', unit.read_text(), re.MULTILINE)
    assert file.startswith("-") == any(
        f'"{name}=' in text for text in values_of(unit, "Environment")
    )
    for options in given:
        started = command.removeprefix(INSTALLED).replace(f"${name}", options)
        assert wrong_command(shlex.split(started)) is None
    assert given


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_writes_to_folders_of_its_own(unit: Path) -> None:
    found = dict(settings(unit))
    assert found["ProtectSystem"] == "strict"
    own = {f"/var/lib/{found['StateDirectory']}", f"/var/log/{found['LogsDirectory']}"}
    assert found["WorkingDirectory"] in own
    named = set(re.findall(r"/var/(?:lib|log)/[\w-]+", unit.read_text()))
    assert named == own


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_credentials_that_are_not_there_keep_no_unit_from_its_start(unit: Path) -> None:
    credentials = values_of(unit, "LoadCredential")
    assert credentials
    # With a path of its own, a missing one would be an error: systemd.exec(5).
    assert not [each for each in credentials if ":" in each]
    named = re.findall(r"/run/credentials/([\w.-]+)/([\w.-]+\w)", PAGE.read_text())
    assert {name for folder, name in named if folder == unit.name} <= {*credentials}


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_what_time_may_heal_is_tried_for_ever_and_what_the_user_must_mend_is_not(unit) -> None:
    found = dict(settings(unit))
    assert (found["Restart"], found["StartLimitIntervalSec"]) == ("on-failure", "0")
    assert found["RestartPreventExitStatus"] == str(USER_ERROR)
    head = unit.read_text().partition("[Service]")[0]
    assert "StartLimitIntervalSec=" in head


def test_each_wheel_brings_its_unit_and_no_other() -> None:
    controller, switch = (
        tomllib.loads((house / "pyproject.toml").read_text())["tool"]
        for house in (CONTROLLER, SWITCH)
    )
    assert controller["setuptools"]["data-files"] == {PLACE: ["systemd/*.service"]}
    assert switch["maturin"]["data"] == "wheel-data"
    houses = {unit.name: unit.relative_to(ROOT).parts[0] for unit in UNITS}
    assert houses == {"p4abs-control.service": "controller", "p4abs-switch.service": "switch"}
    assert f"/opt/p4abs/{PLACE}/" in PAGE.read_text()


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
    started = f"setpriv --bounding-set={','.join(['-all', *given])} --inh-caps=-all {P4ABS_SWITCH}"
    options = "switch --grpc-addr 127.0.0.1:0 -i 1@here queue"
    script = f"ip link set lo up && ip link add here type veth && exec {started} {options}"
    process = subprocess.Popen(
        ["unshare", *user, "--net", "sh", "-c", script], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert any(line.startswith("listening on ") for line in process.stdout)
    finally:
        process.terminate()
        process.communicate()
