"""How each target is started, and what it offers to the tests."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import TypedDict

from p4abs.access.program import program_path
from p4abs.p4_constants import CPU_PORT
from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.network import GRPC_PORT, Network
from p4abs_switch.testbed.process import RunningProcess
from p4abs_switch.testbed.simple_switch import COMMAND_LINE, THRIFT_PORT, SimpleSwitch, configure

from absptf.capabilities import (
    MEASURING_ROUTER,
    QUEUES,
    ROUTER,
    SLOW,
    SLOW_SMALL,
    TOFINO,
    Capabilities,
)

DEVICE_ID = 1
_PRODUCTS = Path(__file__).resolve().parents[2] / "p4src" / "build"
PROGRAMS = {
    TOFINO: _PRODUCTS / "tofino" / "on_v1model.json",
    ROUTER: _PRODUCTS / "examples" / "adaptive_router.json",
    MEASURING_ROUTER: _PRODUCTS / "examples" / "measuring_router.json",
}
CONFIGURE_TIMEOUT_S = 20.0


class Offers(TypedDict):
    """The capabilities that differ between targets."""

    serves_registers: bool
    slow_links: bool
    small_memory: bool
    link_of_all_queues: bool
    simple_switch_cli: str | None


class Target(ABC):
    """A P4Runtime switch on the ports of a network."""

    name: str

    def __init__(self, network: Network) -> None:
        self._network = network

    @abstractmethod
    def start(self, log: Path) -> RunningProcess:
        """Returns when it is ready. Raises NotInstalled or ProcessFailed."""

    @abstractmethod
    def _offers(self) -> Offers: ...

    def capabilities(
        self, build: str, address: str, results: Path, program: Path | None
    ) -> Capabilities:
        """What a build offers on this target, served at HOST:PORT; see Capabilities.

        program: the compiled one, where it is not of p4src/build.
        """
        program = program or PROGRAMS.get(build) or program_path(build)
        return Capabilities(
            target=self.name,
            build=build,
            grpc_address=address,
            device_id=DEVICE_ID,
            p4info=str(program.with_suffix(".p4info.txtpb")),
            program=str(program),
            results=str(results),
            stamped=build == TOFINO,
            **self._offers(),
        )


class Embedded(Target):
    """This project's own target; its links are slow from the start."""

    name = "embedded"

    def start(self, log: Path) -> RunningProcess:
        switch = EmbeddedSwitch(
            GRPC_PORT,
            DEVICE_ID,
            self._network.interfaces(),
            links={SLOW: f"rate=100kbit,queues={QUEUES}", SLOW_SMALL: "rate=100kbit,memory=6056B"},
            cpu_port=CPU_PORT,
        )
        return switch.start(log, self._network.start)

    def _offers(self) -> Offers:
        return {
            "serves_registers": True,
            "slow_links": True,
            "small_memory": True,
            "link_of_all_queues": True,
            "simple_switch_cli": None,
        }


class Bmv2(Target):
    """p4lang's simple_switch_grpc; its command line sets rates and registers, if it is there."""

    name = "bmv2"

    def start(self, log: Path) -> RunningProcess:
        has_command_line = self._command_line() is not None
        switch = SimpleSwitch(
            GRPC_PORT,
            DEVICE_ID,
            self._network.interfaces(),
            cpu_port=CPU_PORT,
            thrift_port=THRIFT_PORT if has_command_line else None,
            queues=QUEUES,
        )
        process = switch.start(log, self._network.start)
        if has_command_line:
            slow = [f"set_queue_rate 9 {SLOW}", f"set_queue_rate 9 {SLOW_SMALL}"]
            configure([*slow, f"set_queue_depth 4 {SLOW_SMALL}"], THRIFT_PORT, self._run)
        return process

    def _run(self, command: Sequence[str], stdin: str) -> CompletedProcess[str]:
        return self._network.run(command, stdin=stdin, timeout_s=CONFIGURE_TIMEOUT_S)

    def _offers(self) -> Offers:
        command_line = self._command_line()
        return {
            "serves_registers": False,
            "slow_links": command_line is not None,
            "small_memory": command_line is not None,
            "link_of_all_queues": False,
            "simple_switch_cli": command_line,
        }

    @staticmethod
    def _command_line() -> str | None:
        return shutil.which(COMMAND_LINE)


TARGETS: dict[str, type[Target]] = {target.name: target for target in (Embedded, Bmv2)}
