"""Switches that only tests of the testers need."""

from p4abs_switch._engine import MAX_QUEUES
from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.protobuf import p4i
from p4abs_switch.stf.tested import Virtual


class Differing(Virtual):
    """As machine code it loses all frames."""

    def __init__(
        self, json: bytes, p4info: p4i.P4Info, machine_code: bool, queues: int = MAX_QUEUES
    ) -> None:
        super().__init__(json, p4info, machine_code, queues)
        self._loses = machine_code

    def inject(self, port: int, frame: bytes, at_ns: int) -> None:
        if not self._loses:
            super().inject(port, frame, at_ns)


class EngineForBmv2(Virtual):
    """The engine in BMv2's place."""

    forgets = False

    def __init__(self) -> None:
        """Without a program."""

    def load(self, json: bytes) -> None:
        super().__init__(json, derive(json), machine_code=False, queues=1)
