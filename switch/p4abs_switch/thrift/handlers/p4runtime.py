"""The way from Thrift to P4Runtime, which BMv2 has not."""

from p4abs_switch.thrift.structures import P4RuntimeServer
from p4abs_switch.thrift.target import Target


class P4RuntimeCalls:
    """The calls of the service `p4abs`."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def p4runtime_server(self) -> P4RuntimeServer:
        return self._target.outside.p4runtime
