"""Terminals of a student who is root, in namespaces of network and mounts of their own."""

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Self

from p4abs_switch.testbed.process import ProcessFailed, RunningProcess, end, ends_with_parent

DEADLINE_S = 120.0
# What programs that go on say when they can be used.
_READY = ("listening on ", "register path ")
_OTHER = re.compile(r"# (\w+) terminal\n")
_CTRL_C = re.compile(r"# Ctrl-C in the (\w+) terminal\n")
# Namespaces have their names in /run/netns, which is this session's own.
_PREPARE = (
    "mount --make-rprivate / && mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && "
    "ip link set lo up && echo ready && exec sleep infinity"
)


class CommandFailed(Exception):
    """A block did not do what the page says; the message has what it said."""


class Terminals:
    """Use it with `with`; what still runs is ended on the way out.

    folder: where commands are given. environment: what they have of it beside this process's.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = os.environ | environment
        self._others: dict[str, RunningProcess] = {}

    def __enter__(self) -> Self:
        as_root = () if os.geteuid() == 0 else ("--map-root-user",)
        self._namespaces = subprocess.Popen(
            ends_with_parent(("unshare", *as_root, "--net", "--mount", "sh", "-c", _PREPARE)),
            stdout=subprocess.PIPE,
        )
        assert self._namespaces.stdout is not None
        if self._namespaces.stdout.readline() != b"ready\n":
            self.__exit__()
            raise CommandFailed("no namespaces can be made here")
        user = ("--user", "--preserve-credentials") if as_root else ()
        target = ("--target", str(self._namespaces.pid), "--net", "--mount", *user)
        self._enter = ("nsenter", *target, f"--wdns={self._folder}")
        return self

    def __exit__(self, *_: object) -> None:
        for other in reversed(self._others.values()):
            other.end()
        end(self._namespaces)

    def type(self, block: str) -> str:
        """Types a block's commands; what they say. Raises CommandFailed."""
        if other := _OTHER.match(block):
            return self._go_on(other[1], block[other.end() :].strip())
        while interrupted := _CTRL_C.match(block):
            self._interrupt(interrupted[1])
            block = block[interrupted.end() :]
        command = [*self._enter, "bash", "-euo", "pipefail", "-c", block]
        done = subprocess.run(
            command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )
        if done.returncode != 0:
            raise CommandFailed(f"{block}status {done.returncode}: {done.stdout}")
        return done.stdout

    def _go_on(self, terminal: str, command: str) -> str:
        log = self._folder / f"{terminal}.log"
        other = RunningProcess(command, ("sh", "-c", f"exec {command}"), log, self._start)
        self._others[terminal] = other
        try:
            other.wait_until(
                lambda: any(each in log.read_text() for each in _READY), "said it is ready"
            )
        except ProcessFailed as error:
            raise CommandFailed(str(error)) from None
        return log.read_text()

    def _start(self, command: Sequence[str], output: IO[bytes]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            ends_with_parent((*self._enter, *command)),
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )

    def _interrupt(self, terminal: str) -> None:
        if terminal not in self._others:
            raise CommandFailed(f"nothing runs in the {terminal} terminal")
        other = self._others.pop(terminal)
        other.send_signal(signal.SIGINT)
        other.end()
