"""This project's own switch, `p4abs-switch switch`, as a process."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from p4abs_switch.testbed.process import RunningProcess, Start, start_here

PROGRAM = "p4abs-switch"
_READY = re.compile(r"^listening on (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class EmbeddedSwitch:
    """What one `p4abs switch` is started with.

    grpc_port: 0 is any free one.
    interfaces: by port number.
    cpu_port: the controller's port; None: the switch's own default.
    links: of ports that have one, in the words of `--port`, such as "rate=10Mbit,delay=5ms".
    program: BMv2 JSON; None: it has no program yet.
    p4info: the program's P4Info; None: what is found beside it, or told of it.
    captures: the folder of captures of all ports; None: there are none.
    trace: the file of a trace; None: there is none.
    """

    grpc_port: int = 0
    device_id: int = 1
    interfaces: Mapping[int, str] = field(default_factory=dict[int, str])
    links: Mapping[int, str] = field(default_factory=dict[int, str])
    cpu_port: int | None = None
    program: Path | None = None
    p4info: Path | None = None
    captures: Path | None = None
    trace: Path | None = None

    def command(self) -> list[str]:
        """As a user would start it."""
        words = [sys.executable, "-m", "p4abs_switch", "switch"]
        words += ["--grpc-addr", f"127.0.0.1:{self.grpc_port}", "--device-id", str(self.device_id)]
        for port, interface in self.interfaces.items():
            words += ["-i", f"{port}@{interface}"]
        for port, link in self.links.items():
            words += ["--port", f"{port},{link}"]
        options = {
            "--cpu-port": self.cpu_port,
            "--pcap": self.captures,
            "--trace": self.trace,
            "--p4info": self.p4info,
        }
        for option, value in options.items():
            words += [] if value is None else [option, str(value)]
        return words if self.program is None else [*words, str(self.program)]

    def start(self, log: Path, start: Start = start_here) -> RunningProcess:
        """Returns when P4Runtime is served. Raises ProcessFailed."""
        process = RunningProcess(PROGRAM, self.command(), log, start)
        process.wait_until(lambda: bool(_READY.search(log.read_text())), "listened")
        [process.address] = _READY.findall(log.read_text())
        return process
