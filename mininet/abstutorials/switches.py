"""BMv2's switches and what stands in for them, and the PATH that chooses one."""

import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from p4abs.errors import UserError

SWITCH = "simple_switch_grpc"
DROP_IN = "p4abs-simple-switch-grpc"
SWITCH_WITHOUT_P4RUNTIME = "simple_switch"
DROP_IN_WITHOUT_P4RUNTIME = "p4abs-simple-switch"
STAND_INS = {SWITCH: DROP_IN}
"""This project's programs by the names of BMv2's that labs call; those of labs over Thrift:"""
STAND_INS_OVER_THRIFT = {
    SWITCH_WITHOUT_P4RUNTIME: DROP_IN_WITHOUT_P4RUNTIME,
    "simple_switch_CLI": "p4abs-simple-switch-cli",
}


def check_programs(programs: Mapping[str, str]) -> None:
    """Raises UserError if one of the programs is not on PATH; each with where it comes from."""
    missing = [f"{name} ({origin})" for name, origin in programs.items() if not shutil.which(name)]
    if missing:
        raise UserError(f"not on PATH: {', '.join(missing)}")


def check_any_passed(passed: Iterable[bool], folder: Path) -> None:
    """Raises UserError if no lab passed on BMv2: then the machine is at fault, or the checkout."""
    if not any(passed):
        raise UserError(f"nothing passed on BMv2, so nothing is compared; see {folder}")


def path_with(switch: str, folder: Path, stand_ins: Mapping[str, str] = STAND_INS) -> str:
    """PATH with links to what stands in for BMv2, unless the switch is BMv2's own.

    Labs also call sudo, but this is root.
    """
    programs = folder / "programs" / switch
    shutil.rmtree(programs, ignore_errors=True)
    programs.mkdir(parents=True)
    _link(programs / "sudo", shutil.which("env"))
    if switch not in stand_ins:
        for called, program in stand_ins.items():
            _link(programs / called, str(Path(sys.executable).parent / program))
    return f"{programs}:{os.environ['PATH']}"


def _link(link: Path, program: str | None) -> None:
    if program is None or not Path(program).exists():
        raise UserError(f"{link.name}: not installed")
    link.symlink_to(Path(program).absolute())
