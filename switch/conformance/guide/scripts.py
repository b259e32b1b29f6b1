"""Scripts that compile a program, start BMv2 and test it with PTF."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.errors import UserError

from conformance.collection import Lab, Place, fresh_copy
from conformance.verdict import Verdict, read
from conformance.workplace.console import Console, ConsoleError
from conformance.workplace.namespaces import alone

ENDING = "runptf.sh"
INTERFACES = Path("bin/veth_setup.sh")
_PATIENCE_S = 1800.0  # lpmtester sends ten packets a second, thousands of them
_SHARED = ("bin", "testlib")
_SWITCH_STARTED = "sudo simple_switch_grpc"
_GENERATED_TESTS = "p4testgen"


@dataclass(frozen=True)
class Script(Lab):
    """A demonstration's script. path: in the checkout."""

    path: Path

    @property
    def name(self) -> str:
        """Its folder, and what its file name says before the ending."""
        return str(self.path).removesuffix(ENDING).rstrip("-/")

    def run(self, _switch: str, place: Place) -> Verdict:
        """How its tests ended, in namespaces with the interfaces that it expects."""
        root = place.folder / self.name.replace("/", "-")
        folder = self.copy(root)
        steps = (
            "ip link set lo up",
            "mount -t sysfs sysfs /sys",  # BMv2 looks there for interfaces
            shlex.quote(os.path.relpath(root / INTERFACES, folder)),
            f"exec ./{shlex.quote(self.path.name)}",
        )
        try:
            with Console(alone("sh", "-c", "; ".join(steps)), folder, place.path) as console:
                return read(console.wait_for_end(_PATIENCE_S))
        except ConsoleError as error:
            return Verdict(broken=str(error))

    def copy(self, root: Path) -> Path:
        """A fresh copy of the demonstration and of what all share; the folder that it runs in."""
        fresh_copy(self.checkout, (*_SHARED, self.path.parent), root)
        return root / self.path.parent


def find(guide: Path) -> list[Script]:
    """Those that start BMv2, but for tests that p4testgen must first generate.

    Raises UserError if the folder is no checkout of p4-guide.
    """
    if not (guide / INTERFACES).is_file():
        raise UserError(f"{guide}: no checkout of jafingerhut/p4-guide: no {INTERFACES} in it")
    return [
        Script(guide, path.relative_to(guide))
        for path in sorted(guide.rglob(f"*{ENDING}"))
        if not path.name.startswith(_GENERATED_TESTS) and _SWITCH_STARTED in path.read_text()
    ]
