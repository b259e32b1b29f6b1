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


def test_a_command_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("ip", network.COMMAND_TIMEOUT_S)

    monkeypatch.setattr(subprocess, "run", hangs)
    with pytest.raises(network.NetworkFailed, match=r"^the network cannot be built: ip has not"):
        network._configure([], {}, [])


def test_a_command_that_fails_is_told_with_what_it_said() -> None:
    with pytest.raises(network.NetworkFailed, match=r"^the network cannot be built: \S"):
        network._configure(["false"], {}, [])


def test_an_interface_that_keeps_its_offloads_is_named() -> None:
    said = r"^the offloads of nosuchveth cannot be switched off: "
    with pytest.raises(network.NetworkFailed, match=said):
        network._switch_off_offloads("nosuchveth")
