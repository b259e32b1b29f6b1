"""Processes that end with the demonstration, however it ends."""

import subprocess
from collections.abc import Sequence
from typing import IO, Self

from p4abs_switch.testbed.process import ends_with_parent
from p4abs_switch.testbed.undivided import undivided


class Processes:
    """Use it with `with`: what was started has ended afterwards, by SIGKILL if it must.

    The kernel ends them if this process is killed.
    """

    def __init__(self) -> None:
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._started:
            process.kill()
        for process in self._started:
            process.wait()

    def start(self, command: Sequence[str], output: IO[bytes]) -> "subprocess.Popen[bytes]":
        """Starts a process in a session of its own: Ctrl-C reaches the demonstration alone."""
        with undivided():
            process = subprocess.Popen(
                ends_with_parent(command),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            self._started.append(process)
        return process
