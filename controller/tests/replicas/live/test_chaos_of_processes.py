"""The chaos of `make chaos`, with one fault of each kind."""

import json
import subprocess
import sys

import pytest

from controller.tests.replicas.live.arena import KINDS

# Five of them are patient with a machine that is busy with other tests.
INTERVAL_S = 0.6
LIMIT_S = 600

namespaces_needed = pytest.mark.skipif(
    subprocess.run(["unshare", "--map-root-user", "--net", "true"], capture_output=True).returncode
    != 0,
    reason="no network namespaces here",
)


@namespaces_needed
def test_replicas_as_processes_survive_one_fault_of_each_kind() -> None:
    command = (sys.executable, "-m", "controller.tests.replicas.live.chaos")
    options = ("--faults", str(len(KINDS)), "--interval", str(INTERVAL_S))
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["faults"] == dict.fromkeys(KINDS, 1)
