"""A network namespace with one virtual link per port, and processes that end with it.

The switch has one end of each link, whoever sends and receives has the other.

Everything a run makes carries the run's process id in its name, so that the next run finds and
removes what a crashed one left behind, and nothing else.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Self

from p4abs_switch.testbed.process import Processes

GRPC_PORT = 9559  # P4Runtime's; in a namespace of its own it is always free
NAMESPACES = Path("/run/netns")
NAME = re.compile(r"abs-net-(\d+)")
OFFLOADS = ("tx", "rx", "sg", "tso", "gso", "gro")
PROGRAMS = {"ip": "iproute2", "ethtool": "ethtool", "setpriv": "util-linux", "sysctl": "procps"}


class NetworkError(Exception):
    """The network could not be set up, or what runs in it does not end; one line for the user."""


def check_rights_and_programs() -> None:
    """NetworkError if a namespace cannot be made here."""
    if os.geteuid() != 0:
        raise NetworkError("network namespaces and raw sockets need root: run it with sudo")
    missing = [package for program, package in PROGRAMS.items() if not shutil.which(program)]
    if missing:
        raise NetworkError(f"missing Debian packages: {' '.join(missing)}")


def remove_leftovers() -> list[str]:
    """Removes what runs that no longer exist have left behind; the names of their namespaces."""
    if not NAMESPACES.is_dir():
        return []
    found = (NAME.fullmatch(path.name) for path in NAMESPACES.iterdir())
    stale = [match[0] for match in found if match and not Path("/proc", match[1]).exists()]
    for name in stale:
        _remove(name)
    return stale


class Network:
    """Use it with `with`.

    Raises NetworkError when it cannot be made.
    """

    def __init__(self, ports: Sequence[int]) -> None:
        self.name = f"abs-net-{os.getpid()}"
        self._ports = ports
        self._processes = Processes(("ip", "netns", "exec", self.name))

    def interfaces(self) -> dict[int, str]:
        """The switch's ends by port number."""
        return {port: self.switch_end(port) for port in self._ports}

    @staticmethod
    def switch_end(port: int) -> str:
        return f"abs{os.getpid()}p{port}"

    @staticmethod
    def test_end(port: int) -> str:
        return f"abs{os.getpid()}t{port}"

    def __enter__(self) -> Self:
        _run("ip", "netns", "add", self.name)
        try:
            self._inside("sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1")
            self._inside("sysctl", "-qw", "net.ipv6.conf.default.disable_ipv6=1")
            self._inside("ip", "link", "set", "lo", "up")
            for port in self._ports:
                self._add_link(self.switch_end(port), self.test_end(port))
        except BaseException:
            _remove(self.name)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._processes.end()
        _remove(self.name)

    def start(
        self, command: Sequence[str], output: IO[bytes] | int, **options: str
    ) -> subprocess.Popen[bytes]:
        """Starts a process inside; it ends with the namespace, or with this process."""
        return self._processes.start(command, output, **options)

    def run(
        self, command: Sequence[str], *, stdin: str = "", timeout_s: float
    ) -> subprocess.CompletedProcess[str]:
        """Runs a process inside to its end. Raises NetworkError when it takes too long."""
        try:
            return subprocess.run(
                ["ip", "netns", "exec", self.name, *command],
                input=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NetworkError(
                f"{' '.join(command)}: has not ended after {timeout_s:g} s"
            ) from None

    def _add_link(self, one: str, other: str) -> None:
        self._inside("ip", "link", "add", one, "type", "veth", "peer", "name", other)
        for interface in (one, other):
            switches = (word for offload in OFFLOADS for word in (offload, "off"))
            self._inside("ethtool", "-K", interface, *switches)
            self._inside("ip", "link", "set", interface, "up")

    def _inside(self, *command: str) -> None:
        _run("ip", "netns", "exec", self.name, *command)


def _remove(name: str) -> None:
    """The namespace and the processes in it, which are all our own."""
    listed = subprocess.run(
        ["ip", "netns", "pids", name], capture_output=True, text=True, check=False
    )
    for pid in listed.stdout.split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()
        raise NetworkError(f"{' '.join(command)}: {reason[-1] if reason else done.returncode}")
