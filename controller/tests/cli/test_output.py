"""Standard output that takes nothing: one line on standard error, exit status 1."""

import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = {"help": ("--help",), "help of a command": ("control", "--help")}
P4ABS = (sys.executable, "-m", "p4abs")


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_full_disk_under_standard_output_is_one_line(arguments) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*P4ABS, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (
        1,
        "p4abs: standard output: No space left on device\n",
    )
