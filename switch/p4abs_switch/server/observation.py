"""Traces and captures that a switch is started with."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from p4abs_switch._engine import Switch
from p4abs_switch.status import Code, RequestError

TraceFormat = Literal["text", "json"]


@dataclass(frozen=True, slots=True)
class Observation:
    """What is written about packets.

    trace: the file for a trace; "-" is standard output; None: no trace.
    trace_format: text, or a JSON object per line.
    trace_ports: trace only packets that arrive at these ports; None: at any.
    trace_packets: trace only so many packets; None: all.
    captures: the directory for captures of all ports; None: no captures.
    captures_of_interfaces_only: not of the CPU port, and of others without an interface.
    """

    trace: str | None = None
    trace_format: TraceFormat = "text"
    trace_ports: tuple[int, ...] | None = None
    trace_packets: int | None = None
    captures: Path | None = None
    captures_of_interfaces_only: bool = False

    def start(self, switch: Switch) -> None:
        """Lets the switch write. Raises OSError."""
        if self.trace is not None:
            with _read_if_it_is_a_pipe(self.trace):
                switch.trace(self.trace, self.trace_format, self.trace_ports, self.trace_packets)
        if self.captures is not None:
            switch.capture(self.captures, self.captures_of_interfaces_only)

    def captures_of(self, interface: str) -> tuple[Path, Path]:
        """Where the frames are that come in at an interface, and those that go out.

        Raises RequestError when nothing is captured.
        """
        if self.captures is None:
            raise RequestError(
                Code.FAILED_PRECONDITION,
                "the switch captures nothing: it was started without --pcap DIR, and a client "
                "chooses no files of its machine",
            )
        folder = self.captures.absolute()
        return folder / f"{interface}_in.pcap", folder / f"{interface}_out.pcap"


@contextmanager
def _read_if_it_is_a_pipe(path: str) -> Iterator[None]:
    """Opening a pipe that nobody reads would wait, and no signal would end it. Raises OSError."""
    if not Path(path).is_fifo():
        yield
        return
    try:
        held = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(f"{path}: a pipe that nobody reads") from None
        raise
    try:
        yield
    finally:
        os.close(held)


NO_OBSERVATION = Observation()
"""Nothing is written."""
