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


def check_programs(programs: Mapping[str, str]) -> None:
    """Raises UserError if one of the programs is not on PATH; each with where it comes from."""
    missing = [f"{name} ({origin})" for name, origin in programs.items() if not shutil.which(name)]
    if missing:
        raise UserError(f"not on PATH: {', '.join(missing)}")


def check_any_passed(passed: Iterable[bool], folder: Path) -> None:
    """Raises UserError if no lab passed on BMv2: then the machine is at fault, or the checkout."""
    if not any(passed):
        raise UserError(f"nothing passed on BMv2, so nothing is compared; see {folder}")


def path_with(switch: str, folder: Path, called: str = SWITCH) -> str:
    """PATH with a link to a switch as labs call it. They also call sudo, but this is root."""
    programs = folder / "programs" / switch
    shutil.rmtree(programs, ignore_errors=True)
    programs.mkdir(parents=True)
    _link(programs / "sudo", shutil.which("env"))
    if switch != called:
        _link(programs / called, str(Path(sys.executable).parent / switch))
    return f"{programs}:{os.environ['PATH']}"


def _link(link: Path, program: str | None) -> None:
    if program is None or not Path(program).exists():
        raise UserError(f"{link.name}: not installed")
    link.symlink_to(Path(program).absolute())
