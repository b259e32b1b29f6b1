"""BMv2's `simple_switch_grpc` as a process, and its command line `simple_switch_CLI`."""

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from p4abs_switch.testbed.process import (
    NotInstalled,
    ProcessFailed,
    RunningProcess,
    Start,
    start_here,
)

PROGRAM = "simple_switch_grpc"
COMMAND_LINE = "simple_switch_CLI"
THRIFT_PORT = 9090  # where COMMAND_LINE looks if nothing is said
_COMMAND_LINE_TIMEOUT_S = 20.0

# Runs a command with a text as its input, to its end.
Run = Callable[[Sequence[str], str], "subprocess.CompletedProcess[str]"]


def find(program: str = PROGRAM) -> str:
    """The path of one of BMv2's programs. Raises NotInstalled."""
    found = shutil.which(program)
    if found is None:
        raise NotInstalled(
            f"{program} is not on PATH: BMv2 comes with p4lang's Debian packages (p4lang-bmv2, see "
            "github.com/p4lang/packages) or its container image (p4lang/behavioral-model)"
        )
    return found


@dataclass(frozen=True)
class SimpleSwitch:
    """What one `simple_switch_grpc` is started with; it has no program yet.

    interfaces: by port number.
    cpu_port: the controller's port; None: no packets to and from the controller.
    thrift_port: None: BMv2's own default, and not waited for, as it may be built without Thrift.
    dataplane_port: where frames go in and out over gRPC, in the place of interfaces.
    queues: of each port.
    """

    grpc_port: int
    device_id: int = 1
    interfaces: Mapping[int, str] = field(default_factory=dict[int, str])
    cpu_port: int | None = None
    thrift_port: int | None = None
    dataplane_port: int | None = None
    queues: int = 1

    def command(self) -> list[str]:
        """Raises NotInstalled."""
        words = [find(), "--no-p4", "--log-level", "off", "--device-id", str(self.device_id)]
        if self.thrift_port is not None:
            words += ["--thrift-port", str(self.thrift_port)]
        for port, interface in self.interfaces.items():
            words += ["-i", f"{port}@{interface}"]
        words += ["--", "--grpc-server-addr", _loopback(self.grpc_port)]
        if self.cpu_port is not None:
            words += ["--cpu-port", str(self.cpu_port)]
        if self.dataplane_port is not None:
            words += ["--dp-grpc-server-addr", _loopback(self.dataplane_port)]
        if self.queues > 1:
            words += ["--priority-queues", str(self.queues)]
        return words

    def start(self, log: Path, start: Start = start_here) -> RunningProcess:
        """Returns when P4Runtime, Thrift and the dataplane service are served.

        Raises NotInstalled or ProcessFailed.
        """
        process = RunningProcess(PROGRAM, self.command(), log, start)
        ports = (self.grpc_port, self.thrift_port, self.dataplane_port)
        process.wait_until_listening([port for port in ports if port is not None])
        process.address = _loopback(self.grpc_port)
        return process


def run_here(command: Sequence[str], stdin: str) -> "subprocess.CompletedProcess[str]":
    """Runs a command to its end, in this process's namespaces."""
    return subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=_COMMAND_LINE_TIMEOUT_S,
        check=False,
    )


def configure(commands: Sequence[str], thrift_port: int, run: Run = run_here) -> None:
    """Gives a running switch commands of `simple_switch_CLI`.

    That program says what fails but ends with status 0 all the same.
    Raises NotInstalled, or ProcessFailed with what it said.
    """
    command = [find(COMMAND_LINE), "--thrift-port", str(thrift_port)]
    try:
        done = run(command, "".join(f"{line}\n" for line in commands))
    except subprocess.TimeoutExpired as error:
        raise ProcessFailed(f"{COMMAND_LINE} has not ended after {error.timeout:g} s") from None
    said = " ".join(f"{done.stdout} {done.stderr or ''}".split())
    if done.returncode != 0 or "Invalid" in said or "Error" in said:
        raise ProcessFailed(f"{COMMAND_LINE} fails at {', '.join(commands)}: {said}")


def _loopback(port: int) -> str:
    return f"127.0.0.1:{port}"
