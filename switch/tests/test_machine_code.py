"""Where there can be no machine code, the switch says so and goes on."""

import subprocess
import sys
from pathlib import Path

import pytest


def test_a_switch_whose_memory_may_not_become_executable_says_so_and_forwards() -> None:
    script = Path(__file__).with_name("executable_memory.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if "before Linux 6.3" in done.stdout:
        pytest.skip("this kernel cannot forbid it: it is older than Linux 6.3")
    warning, answer = done.stdout.splitlines()[0], done.stdout.splitlines()[-1]
    assert warning.startswith("no machine code: ")
    assert warning.endswith(": programs are interpreted, which is slower")
    assert answer == "came out: True"
