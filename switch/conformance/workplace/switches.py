"""BMv2's switches and what stands in for them, and the PATH that chooses one."""

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.errors import UserError


@dataclass(frozen=True)
class Pair:
    """A switch of BMv2's, and this project's in its place.

    stand_ins: this project's programs by the names of BMv2's that labs call.
    """

    bmv2: str
    stand_ins: Mapping[str, str]

    @property
    def drop_in(self) -> str:
        """This project's switch."""
        return self.stand_ins[self.bmv2]


OVER_P4RUNTIME = Pair("simple_switch_grpc", {"simple_switch_grpc": "p4abs-simple-switch-grpc"})
OVER_THRIFT = Pair(
    "simple_switch",
    {
        "simple_switch": "p4abs-simple-switch",
        "simple_switch_CLI": "p4abs-simple-switch-cli",
    },
)


def path_with(switch: str, pair: Pair, folder: Path) -> str:
    """PATH with links to what stands in for BMv2, unless the switch is BMv2's own.

    Labs also call sudo, but this is root.
    """
    programs = folder / "programs" / switch
    shutil.rmtree(programs, ignore_errors=True)
    programs.mkdir(parents=True)
    _link(programs / "sudo", shutil.which("env"))
    if switch != pair.bmv2:
        for called, program in pair.stand_ins.items():
            _link(programs / called, str(Path(sys.executable).parent / program))
    return f"{programs}:{os.environ['PATH']}"


def _link(link: Path, program: str | None) -> None:
    if program is None or not Path(program).exists():
        raise UserError(f"{link.name}: not installed")
    link.symlink_to(Path(program).absolute())
