"""Commands of one block, run one after the other in a folder and a network namespace of their own.

`p4abs switch` and `p4abs control` go on while the later ones run, as in terminals of their own. A
second one of a kind ends the first.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, Self

from p4abs_switch.testbed.process import ProcessFailed, RunningProcess, end, ends_with_parent

DEADLINE_S = 300.0
_READY = {"switch": "listening on ", "control": "register path "}  # what they say then


class CommandFailed(Exception):
    """A command did not do what a document says; the message has what it said."""


class Session:
    """Use it with `with`; what still runs is ended on the way out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, RunningProcess] = {}
        self._interfaces: set[str] = set()

    def __enter__(self) -> Self:
        user = () if os.geteuid() == 0 else ("--map-root-user",)
        self._namespace = subprocess.Popen(
            ends_with_parent(("unshare", *user, "--net", "sleep", "infinity"))
        )
        pid = str(self._namespace.pid)
        enter_user = ("--user", "--preserve-credentials") if user else ()
        self._enter = ["nsenter", "--target", pid, "--net", *enter_user]
        ours, theirs = Path("/proc/self/ns/net"), Path("/proc", pid, "ns", "net")
        give_up_s = time.monotonic() + DEADLINE_S
        while ours.readlink() == theirs.readlink():
            if self._namespace.poll() is not None or time.monotonic() > give_up_s:
                self.__exit__()
                raise CommandFailed("no network namespace can be made here")
        self._inside(["ip", "link", "set", "lo", "up"])
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._running.values()):
            process.end()
        end(self._namespace)

    def run(self, words: Sequence[str]) -> str:
        """Runs `p4abs ...`; what it says. One that goes on has said that it is ready.

        Raises CommandFailed when it does not end with status 0, or when one that goes on, this or
        an earlier one, has ended.
        """
        command = [sys.executable, "-m", *words]
        try:
            output = self._go_on(words[1], command) if words[1] in _READY else self._to_end(command)
            for process in self._running.values():
                process.check_alive()
        except ProcessFailed as error:
            raise CommandFailed(f"{' '.join(words)}: {error}") from None
        return output

    def _go_on(self, kind: str, command: Sequence[str]) -> str:
        if kind in self._running:
            self._running.pop(kind).end()
        for interface in _interfaces(command):
            self._add_interface(interface)
        log = self._folder / f"{kind}.log"
        process = RunningProcess(f"p4abs {kind}", command, log, self._start)
        self._running[kind] = process
        said = f"said {_READY[kind]!r}"
        process.wait_until(lambda: _READY[kind] in log.read_text(), said, DEADLINE_S)
        return log.read_text()

    def _to_end(self, command: Sequence[str]) -> str:
        done = subprocess.run(
            [*self._enter, *command],
            cwd=self._folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )
        if done.returncode != 0:
            raise CommandFailed(f"{' '.join(command)}: status {done.returncode}: {done.stdout}")
        return done.stdout

    def _start(self, command: Sequence[str], output: IO[bytes]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            ends_with_parent((*self._enter, *command)),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )

    def _add_interface(self, name: str) -> None:
        """A virtual link whose other end nobody uses; nothing if it is there."""
        if subprocess.run(
            [*self._enter, "ip", "link", "show", name], capture_output=True
        ).returncode:
            self._inside(["ip", "link", "add", name, "type", "veth", "peer", "name", f"{name}p"])
            self._inside(["ip", "link", "set", name, "up"])
            self._inside(["ip", "link", "set", f"{name}p", "up"])

    def _inside(self, command: Sequence[str]) -> None:
        subprocess.run([*self._enter, *command], check=True)


def _interfaces(command: Sequence[str]) -> Iterator[str]:
    """What `-i PORT@INTERFACE` names."""
    for option, value in pairwise(command):
        if option == "-i":
            yield value.partition("@")[2]
