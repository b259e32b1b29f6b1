"""The forge's workflow does what the checklist says, with targets that there are."""

import re
import subprocess

import pytest
import yaml

from release.__main__ import REPOSITORY

WORKFLOW = REPOSITORY / ".github" / "workflows" / "release.yml"
STEPS = [
    step for job in yaml.safe_load(WORKFLOW.read_text())["jobs"].values() for step in job["steps"]
]
COMMANDS = [step["run"] for step in STEPS if "run" in step]
MAKE = [command for command in COMMANDS if command.startswith("make ")]


def test_it_makes_tests_and_compares_and_makes_the_site() -> None:
    assert MAKE == ["make dist", "make test-dist", "make dist-again", "make docs"]


@pytest.mark.parametrize("command", MAKE)
def test_its_targets_are_the_makefiles(command: str) -> None:
    dry = [*command.split(), "--dry-run", "--silent"]
    assert subprocess.run(dry, cwd=REPOSITORY, capture_output=True).returncode == 0


def test_it_names_no_host() -> None:
    assert re.findall(r"\w+://|\b[\w-]+\.(?:org|com|io|net)\b", WORKFLOW.read_text()) == []
