"""Switches that tests run on."""

from abc import abstractmethod
from collections.abc import Sequence

from p4abs_switch import _engine
from p4abs_switch._engine import MAX_QUEUES, PORT_LIMIT, PortConfig
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.local import Local
from p4abs_switch.runtime.switch import Switch


class Tested(Switch):
    """A switch that frames go through. What it refuses is an EngineError or a RequestRefused."""

    @abstractmethod
    def inject(self, port: int, frame: bytes, at_ns: int) -> None:
        """Lets a frame arrive."""

    @abstractmethod
    def run_until(self, at_ns: int) -> Sequence[tuple[int, int, bytes]]:
        """The frames that leave meanwhile: time, port and frame."""


class Virtual(Local, Tested):
    """The embedded switch in virtual time, with all ports. Raises PipelineRefused, RequestRefused.

    machine_code: as in Switch.load().
    """

    def __init__(
        self, json: bytes, p4info: p4i.P4Info, machine_code: bool, queues: int = MAX_QUEUES
    ) -> None:
        ports = [PortConfig(port, queues=queues) for port in range(PORT_LIMIT)]
        self.engine = _engine.Switch(ports)
        self.engine.load(json, machine_code)
        super().__init__(self.engine, p4info)

    def inject(self, port: int, frame: bytes, at_ns: int) -> None:
        self.engine.inject(port, frame, at_ns)

    def run_until(self, at_ns: int) -> Sequence[tuple[int, int, bytes]]:
        return self.engine.run_until(at_ns)
