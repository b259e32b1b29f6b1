"""What makes the TCP traffic: iperf3 if it is installed, else a generator of our own."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_ENDLESS_S = 86400
_OWN = Path(__file__).with_name("greedy.py")
# No packages, no site: it starts as fast as Python can.
_PYTHON = (sys.executable, "-I", "-S")


class Generator(Protocol):
    """The commands of one TCP connection that is kept busy until it is ended."""

    @property
    def name(self) -> str:
        """As messages and logs call it."""
        ...

    def receive(self, port: int) -> list[str]:
        """Listens on a port, for one connection."""
        ...

    def send(self, address: str, port: int, congestion_control: str) -> list[str]:
        """Connects to a receiver and sends as much as TCP lets it."""
        ...


@dataclass(frozen=True)
class Iperf3:
    """iperf3."""

    name: str = "iperf3"

    def receive(self, port: int) -> list[str]:
        return ["iperf3", "-s", "-1", "-p", str(port)]

    def send(self, address: str, port: int, congestion_control: str) -> list[str]:
        command = ["iperf3", "-c", address, "-p", str(port), "-C", congestion_control]
        return [*command, "-t", str(_ENDLESS_S), "-i", "0"]


@dataclass(frozen=True)
class Greedy:
    """`greedy.py` beside this file."""

    name: str = "greedy"

    def receive(self, port: int) -> list[str]:
        return [*_PYTHON, str(_OWN), "receive", str(port)]

    def send(self, address: str, port: int, congestion_control: str) -> list[str]:
        return [*_PYTHON, str(_OWN), "send", address, str(port), congestion_control]


def find_generator() -> Generator:
    """The best one that this machine has."""
    return Iperf3() if shutil.which("iperf3") else Greedy()
