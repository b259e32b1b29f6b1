"""How each target is started, and what it offers to the tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TypedDict

from capabilities import PORTS, SLOW, SLOW_SMALL, Capabilities
from network import Network, end

ROOT = Path(__file__).resolve().parent.parent
PRODUCTS = ROOT / "p4src" / "build"
CPU_PORT = 510
DEVICE_ID = 1
GRPC_ADDRESS = "127.0.0.1:9559"  # inside a namespace of its own: always free
READY_DEADLINE_S = 20.0
CONNECT = """
import sys, grpc
grpc.channel_ready_future(grpc.insecure_channel(sys.argv[1])).result(float(sys.argv[2]))
"""


class TargetMissing(Exception):
    """The target is not installed; says how one gets it."""


class TargetFailed(Exception):
    """The target did not start, or did not live through the tests."""


class Offers(TypedDict):
    """The capabilities that differ between targets."""

    serves_registers: bool
    slow_links: bool
    small_memory: bool
    simple_switch_cli: str | None


class Target(ABC):
    """A P4Runtime switch on the ports of a network."""

    name: str

    def __init__(self, network: Network, log: Path) -> None:
        self._network = network
        self._log = log
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Returns when gRPC answers. TargetFailed after READY_DEADLINE_S."""
        with self._log.open("w") as log:
            self._process = self._network.start(self._command(), log)
        script = [sys.executable, "-c", CONNECT, GRPC_ADDRESS, str(READY_DEADLINE_S)]
        connected = self._network.run(script, timeout_s=READY_DEADLINE_S + 10)
        self.check_alive()
        if connected.returncode != 0:
            raise TargetFailed(f"{self.name} does not answer on {GRPC_ADDRESS}; see {self._log}")
        self._slow_links_down()

    def stop(self) -> None:
        """The target has ended and its log is complete."""
        if self._process is not None:
            end(self._process)

    def check_alive(self) -> None:
        """TargetFailed if the process has ended."""
        if self._process is None or self._process.poll() is not None:
            status = None if self._process is None else self._process.returncode
            last = self._log.read_text().strip().splitlines()[-1:]
            raise TargetFailed(
                f"{self.name} ended with status {status}: {' '.join(last)} (see {self._log})"
            )

    def capabilities(self, build: str, results: Path) -> Capabilities:
        return Capabilities(
            target=self.name,
            build=build,
            grpc_address=GRPC_ADDRESS,
            device_id=DEVICE_ID,
            p4info=str(PRODUCTS / f"{build}.p4info.txtpb"),
            program=str(PRODUCTS / f"{build}.json"),
            results=str(results),
            **self._offers(),
        )

    def _interfaces(self) -> list[str]:
        return [w for port in PORTS for w in ("-i", f"{port}@{self._network.switch_end(port)}")]

    @abstractmethod
    def _command(self) -> list[str]:
        """What to start. TargetMissing if it is not installed."""

    @abstractmethod
    def _slow_links_down(self) -> None:
        """Tells the running target the rates of its slow ports, if it does not know them."""

    @abstractmethod
    def _offers(self) -> Offers: ...


class Embedded(Target):
    """This project's own target."""

    name = "embedded"

    def _command(self) -> list[str]:
        program = Path(sys.executable).with_name("p4abs")
        found = str(program) if program.exists() else shutil.which("p4abs")
        if found is None:
            raise TargetMissing("the command p4abs is not installed: run `make setup` first")
        command = [found, "switch", "--grpc-addr", GRPC_ADDRESS, "--device-id", str(DEVICE_ID)]
        command += ["--cpu-port", str(CPU_PORT), *self._interfaces()]
        command += ["--port", f"{SLOW},rate=100kbit"]
        command += ["--port", f"{SLOW_SMALL},rate=100kbit,memory=6056B"]
        return command

    def _slow_links_down(self) -> None:
        """They are slow from the start."""

    def _offers(self) -> Offers:
        return {
            "serves_registers": True,
            "slow_links": True,
            "small_memory": True,
            "simple_switch_cli": None,
        }


class Bmv2(Target):
    """p4lang's simple_switch_grpc; its command line sets rates and registers, if it is there."""

    name = "bmv2"

    def _command(self) -> list[str]:
        found = shutil.which("simple_switch_grpc")
        if found is None:
            raise TargetMissing(
                "simple_switch_grpc is not on PATH: it comes with p4lang's Debian packages "
                "(p4lang-bmv2, see github.com/p4lang/packages) or the container image "
                "p4lang/behavioral-model"
            )
        command = [found, "--no-p4", "--device-id", str(DEVICE_ID), *self._interfaces()]
        return [*command, "--", "--grpc-server-addr", GRPC_ADDRESS, "--cpu-port", str(CPU_PORT)]

    def _slow_links_down(self) -> None:
        cli = self._command_line()
        if cli is None:
            return
        commands = (f"set_queue_rate 8 {SLOW}\nset_queue_rate 8 {SLOW_SMALL}\n"
                    f"set_queue_depth 4 {SLOW_SMALL}\n")  # fmt: skip
        end = time.monotonic() + READY_DEADLINE_S
        while self._network.run([cli], stdin=commands, timeout_s=READY_DEADLINE_S).returncode != 0:
            self.check_alive()
            if time.monotonic() > end:
                raise TargetFailed(f"{cli} does not reach simple_switch_grpc; see {self._log}")

    def _offers(self) -> Offers:
        cli = self._command_line()
        return {
            "serves_registers": False,
            "slow_links": cli is not None,
            "small_memory": cli is not None,
            "simple_switch_cli": cli,
        }

    @staticmethod
    def _command_line() -> str | None:
        return shutil.which("simple_switch_CLI")


TARGETS: dict[str, type[Target]] = {target.name: target for target in (Embedded, Bmv2)}
