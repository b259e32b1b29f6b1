"""`p4abs control` as a process on a core of its own."""

import json
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measurement import resident_bytes
from p4abs_switch.testbed.process import RunningProcess

from fleet.models import PORT_RATE_BPS
from fleet.switches import CONTROLLER_CORE, Switches

INTERVAL_S = 0.02
CONTROLS, STANDS_BY = "in control", "backup"
_SAID = re.compile(rf"^(\S+): ({CONTROLS}|{STANDS_BY})", re.MULTILINE)
_END_S = 20.0
_CPU_FIELDS = slice(11, 13)  # utime and stime of /proc/PID/stat, behind the command's name


class Controller:
    """Controls so many ports of each of the switches, or stands by for them.

    `options` are those of `p4abs control`; its outputs are in `scratch`. Raises ProcessFailed.
    """

    def __init__(
        self,
        switches: Switches,
        ports: Sequence[int],
        scratch: Path,
        *options: str,
        interval_s: float = INTERVAL_S,
    ) -> None:
        scratch.mkdir()
        configuration = scratch / "fleet.toml"
        configuration.write_text(_configuration(switches.model.build, ports, interval_s))
        self._summary = scratch / "summary.json"
        command = [
            *(sys.executable, "-m", "p4abs", "control", "--quiet", "--config", str(configuration)),
            *("--summary", str(self._summary), *options),
        ]
        self._process = RunningProcess(
            "p4abs control",
            command,
            scratch / "control.log",
            lambda command, log: switches.run_at_priority_on(CONTROLLER_CORE, command, log),
        )
        self._process.wait_until(lambda: len(self.stands()) == len(ports), "stood for all switches")

    def said(self, switch: str, what: str) -> int:
        """How often it has said of a switch that it CONTROLS it, or STANDS_BY."""
        return self._all_said().count((switch, what))

    def stands(self) -> dict[str, str]:
        """What it has said of each switch last."""
        return dict(self._all_said())

    def check_alive(self) -> None:
        """Raises ProcessFailed if it has ended."""
        self._process.check_alive()

    def processor_time_s(self) -> float:
        """All threads', so far."""
        fields = Path("/proc", str(self._process.pid), "stat").read_text().rpartition(")")[2]
        return sum(map(int, fields.split()[_CPU_FIELDS])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self) -> int:
        """What it has in memory by itself."""
        return resident_bytes(self._process.pid)

    def kill(self) -> None:
        """SIGKILL."""
        self._process.kill()

    def hang(self) -> None:
        """SIGSTOP: it does nothing more, and its connections stay."""
        self._process.send_signal(signal.SIGSTOP)

    def end(self) -> dict[str, dict[str, Any]]:
        """The closing summary by switch."""
        self._process.end(_END_S)
        summary: dict[str, dict[str, Any]] = json.loads(self._summary.read_text())["switches"]
        return summary

    def _all_said(self) -> list[tuple[str, str]]:
        return _SAID.findall(self._process.log.read_text())


def _configuration(build: str, ports: Sequence[int], interval_s: float) -> str:
    tables = [f'[defaults]\ncapacity = "{PORT_RATE_BPS}bit"\n']
    tables += [
        f"""
[[switch]]
name = "{Switches.name(index)}"
grpc-addr = "{Switches.address(index)}"
interval = "{1000 * interval_s:g}ms"
push-pipeline = "{build}"
[[switch.port]]
number = "1-{count}"
"""
        for index, count in enumerate(ports)
    ]
    return "".join(tables)
