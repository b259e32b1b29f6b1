"""Labs: folders whose `network.py` starts a network of p4-utils."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.errors import UserError

from conformance.collection import Lab, Place
from conformance.learning.pings import Pings, broken, read
from conformance.workplace.console import MININET_PROMPT, Console, ConsoleError
from conformance.workplace.namespaces import alone

NETWORK = "network.py"
NOT_SEEN = Path("/tmp")
"""Mininet removes all logs there; labs see another folder."""

_SOLVED = "solution"
_OVER_P4RUNTIME = "p4runtime"
_START_PATIENCE_S = 180.0
_PINGS_PATIENCE_S = 300.0
_START = (
    "ip link set lo up",
    "mount -t sysfs sysfs /sys",  # BMv2 looks there for interfaces
    f"mount -t tmpfs tmpfs {NOT_SEEN}",
    f"exec python3 {NETWORK}",
)


@dataclass(frozen=True)
class NetworkLab(Lab):
    """A lab. folder: below the checkout."""

    folder: Path

    @property
    def name(self) -> str:
        """As the table has it."""
        words = [part for part in self.folder.parts if part not in (_SOLVED, "thrift")]
        return "/".join(words)

    def run(self, _switch: str, place: Place) -> Pings:
        """Do its hosts reach each other?"""
        folder = self.copy(place.folder)
        start = alone("sh", "-c", "; ".join(_START))
        try:
            with Console(start, folder, place.path, MININET_PROMPT) as console:
                console.wait(_START_PATIENCE_S)
                said = console.ask("pingall", _PINGS_PATIENCE_S)
                console.leave("exit")
        except ConsoleError as error:
            return broken(str(error))
        return read(said)

    def copy(self, root: Path) -> Path:
        """A fresh copy of the lab."""
        folder = root / self.folder
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.checkout / self.folder, folder)
        return folder


def find(learning: Path) -> list[NetworkLab]:
    """The examples, and the exercises with their solutions, but those over P4Runtime.

    Raises UserError if there are none.
    """
    labs = [
        NetworkLab(learning, network.parent.relative_to(learning))
        for network in _networks(learning)
    ]
    if not labs:
        raise UserError(f"{learning}: no checkout of nsg-ethz/p4-learning: no labs in it")
    return labs


def _networks(learning: Path) -> Iterator[Path]:
    for network in sorted(learning.rglob(NETWORK)):
        folders = network.relative_to(learning).parts
        is_lab = folders[0] == "examples" or (folders[0] == "exercises" and _SOLVED in folders)
        if is_lab and _OVER_P4RUNTIME not in folders:
            yield network
