"""Traces and captures that a switch is started with."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from p4abs_switch._engine import Switch

TraceFormat = Literal["text", "json"]


@dataclass(frozen=True, slots=True)
class Observation:
    """What is written about packets.

    trace: the file for a trace; "-" is standard output; None: no trace.
    trace_format: text, or a JSON object per line.
    trace_ports: trace only packets that arrive at these ports; None: at any.
    trace_packets: trace only so many packets; None: all.
    captures: the directory for captures of all ports; None: no captures.
    """

    trace: str | None = None
    trace_format: TraceFormat = "text"
    trace_ports: tuple[int, ...] | None = None
    trace_packets: int | None = None
    captures: Path | None = None

    def start(self, switch: Switch) -> None:
        """Lets the switch write. Raises OSError."""
        if self.trace is not None:
            switch.trace(self.trace, self.trace_format, self.trace_ports, self.trace_packets)
        if self.captures is not None:
            switch.capture(self.captures)


NO_OBSERVATION = Observation()
"""Nothing is written."""
