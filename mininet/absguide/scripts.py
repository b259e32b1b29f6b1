"""Which of a checkout's scripts compile a program, start BMv2 and test it with PTF."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from p4abs.errors import UserError

ENDING = "runptf.sh"
INTERFACES = Path("bin/veth_setup.sh")
_SHARED = ("bin", "testlib")
_SWITCH_STARTED = "sudo simple_switch_grpc"
_GENERATED_TESTS = "p4testgen"


@dataclass(frozen=True)
class Script:
    """A demonstration's script, by its path in the checkout."""

    path: Path

    @property
    def name(self) -> str:
        """Its folder, and what its file name says before the ending."""
        return str(self.path).removesuffix(ENDING).rstrip("-/")

    def copy(self, guide: Path, root: Path) -> Path:
        """A fresh copy of the demonstration and of what all share; the folder that it runs in."""
        shutil.rmtree(root, ignore_errors=True)
        for folder in (*_SHARED, self.path.parent):
            shutil.copytree(guide / folder, root / folder)
        return root / self.path.parent


def find(guide: Path) -> list[Script]:
    """Those that start BMv2, but for tests that p4testgen must first generate.

    Raises UserError if the folder is no checkout of p4-guide.
    """
    if not (guide / INTERFACES).is_file():
        raise UserError(f"{guide}: no checkout of jafingerhut/p4-guide: no {INTERFACES} in it")
    return [
        Script(path.relative_to(guide))
        for path in sorted(guide.rglob(f"*{ENDING}"))
        if not path.name.startswith(_GENERATED_TESTS) and _SWITCH_STARTED in path.read_text()
    ]
