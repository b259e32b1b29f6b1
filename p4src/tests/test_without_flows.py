"""Compiled with -DWITHOUT_FLOWS, the programs leave flows unmeasured and do all else."""

import shutil
import subprocess
from pathlib import Path

import pytest

from p4src.tests.v1model_queues import BUILDS, Queues, frame

SOURCES = Path(__file__).resolve().parents[1]
COMPILER = "p4c-bm2-ss"
PORT = 2
TCP_SYN = bytes.fromhex("86dd 60000000 0014 06 40") + bytes(32 + 12) + bytes.fromhex("5002")


@pytest.fixture(params=BUILDS, scope="module")
def without_flows(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program, without what its two files end with."""
    if shutil.which(COMPILER) is None:
        pytest.skip("p4c is not installed")
    made = tmp_path_factory.mktemp(request.param) / "without_flows"
    command = [COMPILER, "--std", "p4-16", "-DWITHOUT_FLOWS"]
    command += ["--p4runtime-files", f"{made}.p4info.txtpb", "-o", f"{made}.json"]
    result = subprocess.run(
        [*command, f"v1model/{request.param}.p4"], cwd=SOURCES, capture_output=True, text=True
    )
    assert (result.returncode, result.stderr) == (0, "")
    return made


def test_no_register_and_no_field_of_flows_is_left(without_flows: Path) -> None:
    p4info = Path(f"{without_flows}.p4info.txtpb").read_text()
    assert '"admitted_bytes"' in p4info
    for counted in ("active_flow_us", "long_flow_us", "untracked_bytes", "flow_cells", "timed_"):
        assert counted not in p4info


def test_a_limit_holds_for_what_would_be_a_flow(without_flows: Path) -> None:
    queues = Queues(str(without_flows))
    queues.exchange(PORT, limit=1_500)
    while queues.snapshot(PORT).backlog_bytes < 1_000:
        assert queues.offer_frame(PORT, frame(PORT, 1_000, TCP_SYN))
    assert not queues.offer_frame(PORT, frame(PORT, 1_000, TCP_SYN))
    assert queues.snapshot(PORT).dropped_bytes == 1_000
