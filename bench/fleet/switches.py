"""The switches of a model, all their ports under load, on one core.

A port is a link of PORT_RATE without an interface: its frames are queued, are sent at the link's
rate, and have nobody behind it. All come in by one interface of the switch, and there are OVERLOAD
times as many for each port as its link carries, so that all queues fill, drop and are sized.

Real-time priority is for the switches and their controller, not for the traffic. At this load the
switches can have it on one core, which docs/how-to/run-as-a-service.md warns of: it is idle at
times.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Self

from measurement import output
from p4abs_switch.testbed.network import GRPC_PORT, Network
from p4abs_switch.testbed.process import RunningProcess
from targets import DEVICE_ID
from workloads import PREFIXES, ROOT, STATION_MAC

from fleet.models import PORT_RATE_BPS, Model

FRAME_BYTES = 1514
OVERLOAD = 1.02
LOAD_S = 3600  # longer than any measurement
PROVISION_TIMEOUT_S = 30.0

_REAL_TIME = ("chrt", "--rr", "1")

_CORES = sorted(os.sched_getaffinity(0))
SWITCH_CORE, CONTROLLER_CORE = _CORES[0], _CORES[-1]


class Switches:
    """Used with `with`; they run, with their program, their routes and their traffic, inside.

    Raises NetworkError, ProcessFailed and MeasurementFailed.
    """

    def __init__(
        self, model: Model, blast: Path, scratch: Path, *, is_real_time: bool = False
    ) -> None:
        self.model = model
        self.scratch = scratch
        self._blast = blast
        self._priority = _REAL_TIME if is_real_time else ()
        self._network = Network(range(model.switches))
        self._processes: list[RunningProcess] = []

    def __enter__(self) -> Self:
        self._network.__enter__()
        try:
            for index in range(self.model.switches):
                self._processes.append(self.start(index))
                self._provision(index)
                self._load(index)
        except BaseException:
            self._network.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._network.__exit__()

    @staticmethod
    def name(index: int) -> str:
        """As the controller calls it."""
        return f"switch-{index}"

    @staticmethod
    def address(index: int) -> str:
        """Of its P4Runtime server, inside of the namespace."""
        return f"127.0.0.1:{GRPC_PORT + index}"

    def start(self, index: int) -> RunningProcess:
        """A switch without program; returns when it serves P4Runtime."""
        return self.model.start(
            GRPC_PORT + index,
            self._network.switch_end(index),
            self.scratch / f"{self.name(index)}.log",
            lambda command, log: self.run_at_priority_on(SWITCH_CORE, command, log),
        )

    def kill(self, index: int) -> None:
        """SIGKILL."""
        self._processes[index].kill()

    def start_again(self, index: int) -> float:
        """One that was killed; since when it serves P4Runtime, in s since the Unix epoch."""
        process = self._processes[index] = self.start(index)
        return process.log.stat().st_mtime  # of the line that says so

    def run_on(
        self, core: int, command: Sequence[str], log: IO[bytes] | int
    ) -> subprocess.Popen[bytes]:
        """Starts a process inside of the namespace, on one core."""
        return self._network.start(["taskset", "--cpu-list", str(core), *command], log)

    def run_at_priority_on(
        self, core: int, command: Sequence[str], log: IO[bytes] | int
    ) -> subprocess.Popen[bytes]:
        """The same, at the fleet's priority."""
        return self.run_on(core, [*self._priority, *command], log)

    def _provision(self, index: int) -> None:
        script = (sys.executable, str(ROOT / "bench" / "provision.py"))
        command = [*script, self.address(index), str(DEVICE_ID), self.model.workload.name]
        output(self._network.run(command, timeout_s=PROVISION_TIMEOUT_S))

    def _load(self, index: int) -> None:
        workload = self.model.workload
        port_pps = OVERLOAD * PORT_RATE_BPS / 8 / FRAME_BYTES
        offered_pps = port_pps * PREFIXES / (PREFIXES // workload.receivers)
        frames = round(LOAD_S * offered_pps)
        command = [
            *(str(self._blast), "load", self._network.test_end(index), STATION_MAC),
            *(str(workload.destinations), str(FRAME_BYTES), str(frames)),
            str(round(offered_pps)),
        ]
        self.run_on(SWITCH_CORE, command, subprocess.DEVNULL)
