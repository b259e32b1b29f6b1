"""The kinds of switches that a fleet is made of: the embedded switch's, and BMv2's beside them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from p4abs.p4_constants import CPU_PORT
from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.process import RunningProcess, Start
from p4abs_switch.testbed.simple_switch import SimpleSwitch
from targets import DEVICE_ID
from workloads import FLEET, FLEET_OF_BMV2, Workload

PORT_RATE_BPS = 500_000


@dataclass(frozen=True)
class Model:
    """So many equal switches of `ports` ports each, and what they forward by which program.

    start: of the gRPC port, the interface that all comes in by, the log, and how to start
    processes; returns when the switch serves P4Runtime, without program. Raises NotInstalled or
    ProcessFailed.
    """

    switches: int
    workload: Workload
    start: Callable[[int, str, Path, Start], RunningProcess]

    @property
    def ports(self) -> int:
        return self.workload.receivers

    @property
    def build(self) -> str:
        """The program, as the controller calls it."""
        return self.workload.program.stem


def _start_embedded(grpc_port: int, interface: str, log: Path, start: Start) -> RunningProcess:
    ports = FLEET.receivers
    links = {port: f"rate={PORT_RATE_BPS}bit" for port in range(1, 1 + ports)}
    return EmbeddedSwitch(grpc_port, DEVICE_ID, {1 + ports: interface}, links).start(log, start)


def _start_bmv2(grpc_port: int, interface: str, log: Path, start: Start) -> RunningProcess:
    interfaces = {1 + FLEET_OF_BMV2.receivers: interface}
    switch = SimpleSwitch(grpc_port, DEVICE_ID, interfaces, cpu_port=CPU_PORT)
    return switch.start(log, start)


EMBEDDED = Model(4, FLEET, _start_embedded)
# Its own queues have no rate in bytes: the program's virtual ones drain at the ports' capacity.
BMV2 = Model(1, FLEET_OF_BMV2, _start_bmv2)
