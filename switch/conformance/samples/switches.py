"""The two switches, as processes that are started again when they have ended."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Self

from p4abs_switch.client.connection import Connection
from p4abs_switch.client.rpc_error import RpcError
from p4abs_switch.errors import UserError
from p4abs_switch.protobuf import p4r
from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.free_ports import free_tcp_ports
from p4abs_switch.testbed.process import NotInstalled, ProcessFailed, RunningProcess
from p4abs_switch.testbed.simple_switch import SimpleSwitch

from conformance.samples.observation import AFTERWARDS, ENDED, PUSH, Answer, Answers, observe

Start = Callable[[Path], RunningProcess]
"""Starts one, whose output goes to a file."""

_CPU_PORT = 510
_DEVICE = 1


def embedded(log: Path) -> RunningProcess:
    """Starts this project's own."""
    return EmbeddedSwitch(device_id=_DEVICE, cpu_port=_CPU_PORT).start(log)


def bmv2(log: Path) -> RunningProcess:
    """Starts BMv2."""
    [port] = free_tcp_ports(1)
    return SimpleSwitch(port, device_id=_DEVICE, cpu_port=_CPU_PORT).start(log)


class SwitchUnderTest:
    """One of them. Use it with `with`. Raises UserError when it does not start."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._folder = tempfile.TemporaryDirectory(prefix="samples-", ignore_cleanup_errors=True)
        self._process = self._started()

    def answers(self, config: p4r.ForwardingPipelineConfig) -> Answers:
        """What it answers to all requests about a program; the last one may end it."""
        found: Answers = {}
        try:
            with Connection(self._process.address, _DEVICE, 1) as switch:
                for request, answer in observe(switch, config):
                    found[request] = answer
        except RpcError as error:
            found[AFTERWARDS if found else PUSH] = Answer(ENDED, str(error))
        if not (found[PUSH].is_ok and AFTERWARDS not in found):
            self._start_again()
        return found

    def _start_again(self) -> None:
        """BMv2 takes no program after one that it has refused."""
        self._process.kill()
        self._process = self._started()

    def _started(self) -> RunningProcess:
        try:
            return self._start(Path(self._folder.name, "log"))
        except (ProcessFailed, NotInstalled) as error:
            raise UserError(str(error)) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.end()
        self._folder.cleanup()
