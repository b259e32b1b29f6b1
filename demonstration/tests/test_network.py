"""The network of `p4abs demo`, where it cannot be built."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest
from p4abs_demonstration.namespaces import network
from p4abs_switch.testbed.process import ProcessFailed


def test_where_no_namespace_can_be_made_that_is_told(tmp_path: Path) -> None:
    def refuse(_command: Sequence[str], output: IO[bytes]) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(["sh", "-c", "echo no more namespaces; exit 1"], stdout=output)
        process.wait()
        return process

    with pytest.raises(ProcessFailed, match="namespace 1 ended with status 1: no more namespaces"):
        network.build(1, {}, refuse, tmp_path)
