"""A network namespace for each replica, and a wire from it to each switch.

This process, with the switches, is in a namespace of its own, too (see `own.enter`). All are held
by processes that end with this one, and interfaces end with their namespace: nothing is left.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from p4abs.errors import P4absError
from p4abs_switch.testbed.namespaces import inside
from p4abs_switch.testbed.process import Processes, RunningProcess

_TIMEOUT_S = 20.0


class NoWire(P4absError):
    """A command of ip(8) failed; says which."""


@dataclass(frozen=True)
class Wire:
    """Between this namespace, as `host`, and a replica's. Unplugged, it loses what is sent."""

    name: str
    host: str

    def unplug(self) -> None:
        """Nobody is told. Raises NoWire."""
        _ip("link", "set", self.name, "down")

    def plug_in(self) -> None:
        """Raises NoWire."""
        _ip("link", "set", self.name, "up")


class Site:
    """A replica's namespace, with `wires` to so many switches."""

    def __init__(self, number: int, switches: int, processes: Processes, logs: Path) -> None:
        """Raises NoWire."""
        self.number = number
        log = logs / f"namespace-{number}.log"
        holder = RunningProcess(
            f"namespace {number}", ("unshare", "--net", "sleep", "infinity"), log, processes.start
        )
        holder.wait_until(partial(_is_elsewhere, holder.pid), "left our namespace")
        self.inside: Sequence[str] = inside(holder.pid)
        self.wires = [self._laid(holder.pid, number, switch) for switch in range(switches)]

    def _laid(self, pid: int, number: int, switch: int) -> Wire:
        near, far = f"near{number}-{switch}", f"far{number}-{switch}"
        network = f"10.{number}.{switch}"
        _ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", str(pid))
        _ip("address", "add", f"{network}.1/24", "dev", near)
        _ip("link", "set", near, "up")
        _ip("address", "add", f"{network}.2/24", "dev", far, where=self.inside)
        _ip("link", "set", far, "up", where=self.inside)
        return Wire(near, f"{network}.1")


def loopback_up() -> None:
    """In this namespace, where the switches are. Raises NoWire."""
    _ip("link", "set", "lo", "up")


def _is_elsewhere(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()
    except FileNotFoundError:
        return False


def _ip(*words: str, where: Sequence[str] = ()) -> None:
    command = [*where, "ip", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    if done.returncode != 0:
        raise NoWire(f"{' '.join(command)}: {' '.join(done.stderr.split())}")
