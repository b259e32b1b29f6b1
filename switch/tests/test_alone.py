"""The switch works where nothing of the controller is installed, and the other way round."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
SWITCH = Path(__file__).parents[1]
WITHOUT = """
import sys
sys.modules[{missing!r}] = None  # importing it raises ImportError
import importlib, pkgutil
for name in {packages!r}:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{{name}}."):
        if not module.name.endswith(("__main__", ".player", "_switch.mininet")):
            importlib.import_module(module.name)
"""


@pytest.mark.parametrize(
    ("packages", "missing"),
    [(["p4abs_switch", "conformance"], "p4abs"), (["p4abs"], "p4abs_switch")],
    ids=["switch", "controller"],
)
def test_every_module_of_one_house_is_imported_without_the_other(
    packages: list[str], missing: str
) -> None:
    script = WITHOUT.format(packages=packages, missing=missing)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_switch_s_command_runs_without_the_controller() -> None:
    words = ["stf", str(PROGRAMS / "kinds.json"), str(PROGRAMS.parent / "stf" / "tables.stf")]
    script = (
        "import sys; sys.modules['p4abs'] = None\n"
        f"from p4abs_switch.cli.commands import main; main({words!r})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "passed\n", "")


def test_the_unit_of_its_wheel_starts_the_switch_s_own_command() -> None:
    [unit] = (SWITCH / "wheel-data" / "data" / "share" / "p4abs" / "systemd").iterdir()
    [start] = re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE)
    program, command, *_ = start.split()
    about = tomllib.loads((SWITCH / "pyproject.toml").read_text())
    assert about["tool"]["maturin"]["data"] == "wheel-data"
    assert Path(program).name in about["project"]["scripts"]
    assert command in about["project"]["entry-points"]["p4abs.commands"]
