"""What processes import before they do anything: who computes no P4Runtime, control no server."""

import subprocess
import sys

import pytest

_IMPORTED = """
import importlib, sys
importlib.import_module(sys.argv[1])
heavy = {"grpc", "finsy", "google.protobuf", "rich", "starlette", "uvicorn"}
print(*sorted(heavy & sys.modules.keys()))
"""


def imported(module: str) -> list[str]:
    """What is heavy and imported with it in a process of its own."""
    command = [sys.executable, "-c", _IMPORTED, module]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(
    "module",
    ["p4abs.policies", "p4abs.control", "p4abs.control.port_control", "p4abs.measurements"],
)
def test_policies_and_the_control_of_a_port_import_no_grpc(module: str) -> None:
    assert imported(module) == []


def test_a_register_path_does_import_grpc() -> None:
    assert "grpc" in imported("p4abs.access.mailbox")


def test_control_imports_servers_and_tables_only_where_they_are_asked_for() -> None:
    assert not {"rich", "starlette", "uvicorn"} & set(imported("p4abs.cli.control"))
