"""Traces and captures that a switch is started with."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from p4abs_switch._engine import Switch
from p4abs_switch.files import create_binary

MAX_TRACE_BYTES = 10**9

TraceFormat = Literal["text", "json"]


@dataclass(frozen=True, slots=True)
class Observation:
    """What is written about packets.

    trace: the file for a trace; "-" is standard output; None: no trace.
    trace_format: text, or a JSON object per line.
    trace_ports: trace only packets that arrive at these ports; None: at any.
    trace_packets: trace only so many packets; None: all.
    trace_bytes: the trace ends after so many bytes.
    captures: the directory for captures of all ports; None: no captures.
    captures_of_interfaces_only: not of the CPU port, and of others without an interface.
    """

    trace: str | None = None
    trace_format: TraceFormat = "text"
    trace_ports: tuple[int, ...] | None = None
    trace_packets: int | None = None
    trace_bytes: int = MAX_TRACE_BYTES
    captures: Path | None = None
    captures_of_interfaces_only: bool = False

    def start(self, switch: Switch) -> None:
        """Lets the switch write. Raises OSError."""
        if self.trace is not None:
            with _held_open(self.trace):
                switch.trace(
                    self.trace,
                    self.trace_format,
                    self.trace_ports,
                    self.trace_packets,
                    self.trace_bytes,
                )
        if self.captures is not None:
            switch.capture(self.captures, self.captures_of_interfaces_only)


def _held_open(path: str) -> AbstractContextManager[object]:
    """Opens a pipe. Raises OSError if nobody reads it; otherwise opening would wait, and no signal
    would end that."""
    if not Path(path).is_fifo():
        return nullcontext()
    try:
        return create_binary(Path(path))
    except OSError as error:
        raise OSError(f"{path}: {error.strerror}") from None


NO_OBSERVATION = Observation()
"""Nothing is written."""
