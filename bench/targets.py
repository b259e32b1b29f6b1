"""The switches whose speed is measured, each on the ports of a network."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from p4abs_switch.testbed import simple_switch
from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.network import GRPC_PORT, Network
from p4abs_switch.testbed.process import RunningProcess
from p4abs_switch.testbed.simple_switch import SimpleSwitch

SENDER = 1
RECEIVER = 2
PORTS = (SENDER, RECEIVER)
DEVICE_ID = 1

# Starts a switch on a network, its output in a log, and returns when it is ready.
# Raises NotInstalled or ProcessFailed.
Kind = Callable[[Network, Path], RunningProcess]


def embedded(network: Network, log: Path, links: Mapping[int, str] | None = None) -> RunningProcess:
    """This project's own switch; `links` in the words of `p4abs switch --port`."""
    switch = EmbeddedSwitch(GRPC_PORT, DEVICE_ID, network.interfaces(), links or {})
    return switch.start(log, network.start)


def bmv2(network: Network, log: Path) -> RunningProcess:
    """BMv2's simple_switch_grpc."""
    switch = SimpleSwitch(GRPC_PORT, DEVICE_ID, network.interfaces())
    return switch.start(log, network.start)


def installed() -> list[Kind]:
    """The embedded switch, and BMv2 where it is on PATH."""
    return [embedded, bmv2] if has_bmv2() else [embedded]


def peer() -> str:
    """Who the embedded switch is compared to, or who is missing."""
    program = simple_switch.PROGRAM
    return program if has_bmv2() else f"{program} is not on PATH"


def has_bmv2() -> bool:
    """It is on PATH."""
    return shutil.which(simple_switch.PROGRAM) is not None
