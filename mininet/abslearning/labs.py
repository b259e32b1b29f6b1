"""Labs: folders whose `network.py` starts a network of p4-utils."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from p4abs.errors import UserError

NETWORK = "network.py"
_SOLVED = "solution"
_OVER_P4RUNTIME = "p4runtime"


@dataclass(frozen=True)
class Lab:
    """folder: below the checkout."""

    folder: Path

    @property
    def name(self) -> str:
        """As the table has it."""
        words = [part for part in self.folder.parts if part not in (_SOLVED, "thrift")]
        return "/".join(words)

    def copy(self, learning: Path, root: Path) -> Path:
        """A fresh copy of the lab."""
        folder = root / self.folder
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(learning / self.folder, folder)
        return folder


def find(learning: Path) -> list[Lab]:
    """The examples, and the exercises with their solutions, but those over P4Runtime.

    Raises UserError if there are none.
    """
    labs = [Lab(network.parent.relative_to(learning)) for network in _networks(learning)]
    if not labs:
        raise UserError(f"{learning}: no checkout of nsg-ethz/p4-learning: no labs in it")
    return labs


def _networks(learning: Path) -> Iterator[Path]:
    for network in sorted(learning.rglob(NETWORK)):
        folders = network.relative_to(learning).parts
        is_lab = folders[0] == "examples" or (folders[0] == "exercises" and _SOLVED in folders)
        if is_lab and _OVER_P4RUNTIME not in folders:
            yield network
