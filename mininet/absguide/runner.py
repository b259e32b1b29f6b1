"""A script in namespaces of its own, with the interfaces that it expects."""

import os
import shlex
from pathlib import Path

from abstutorials.console import Console, ConsoleError
from abstutorials.namespaces import alone

from absguide.scripts import INTERFACES, Script
from absguide.verdict import Verdict, read

PATIENCE_S = 1800.0  # lpmtester sends ten packets a second, thousands of them


def run(script: Script, guide: Path, root: Path, path: str) -> Verdict:
    """Runs a script from a copy below `root` and tells how its tests ended.

    path: PATH of the script.
    """
    folder = script.copy(guide, root)
    steps = (
        "ip link set lo up",
        "mount -t sysfs sysfs /sys",  # BMv2 looks there for interfaces
        shlex.quote(os.path.relpath(root / INTERFACES, folder)),
        f"exec ./{shlex.quote(script.path.name)}",
    )
    try:
        with Console(alone("sh", "-c", "; ".join(steps)), folder, path) as console:
            return read(console.wait_for_end(PATIENCE_S))
    except ConsoleError as error:
        return Verdict(broken=str(error))
