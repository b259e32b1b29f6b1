"""A lab in namespaces of its own, which end with all that was started in them."""

from pathlib import Path

from abstutorials.console import Console, ConsoleError
from abstutorials.namespaces import alone

from abslearning.labs import NETWORK, Lab
from abslearning.pings import Pings, broken, read

_PROMPT = "mininet> "
_START_PATIENCE_S = 180.0
_PINGS_PATIENCE_S = 300.0
_START = (
    "ip link set lo up",
    "mount -t sysfs sysfs /sys",  # BMv2 looks there for interfaces
    "mount -t tmpfs tmpfs /tmp",  # Mininet removes all logs there
    f"exec python3 {NETWORK}",
)


def run(lab: Lab, learning: Path, root: Path, path: str) -> Pings:
    """Runs a lab from a copy below `root`: do its hosts reach each other?

    path: PATH of the lab.
    """
    folder = lab.copy(learning, root)
    try:
        with Console(alone("sh", "-c", "; ".join(_START)), folder, path, _PROMPT) as console:
            console.wait(_START_PATIENCE_S)
            said = console.ask("pingall", _PINGS_PATIENCE_S)
            console.leave("exit")
    except ConsoleError as error:
        return broken(str(error))
    return read(said)
