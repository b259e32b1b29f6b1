"""What is plain computation needs no P4Runtime: simulations import it in every process."""

import subprocess
import sys

import pytest

_IMPORTED = """
import importlib, sys
importlib.import_module(sys.argv[1])
print(*sorted({"grpc", "finsy", "google.protobuf"} & sys.modules.keys()))
"""


@pytest.mark.parametrize(
    "module",
    ["p4abs.policies", "p4abs.control", "p4abs.control.port_control", "p4abs.measurements"],
)
def test_policies_and_the_control_of_a_port_import_no_grpc(module: str) -> None:
    command = [sys.executable, "-c", _IMPORTED, module]
    imported = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert imported.split() == []


def test_a_register_path_does_import_grpc() -> None:
    command = [sys.executable, "-c", _IMPORTED, "p4abs.access.mailbox"]
    imported = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "grpc" in imported.split()
