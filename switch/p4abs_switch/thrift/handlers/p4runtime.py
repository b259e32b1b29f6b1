"""The way from Thrift to P4Runtime, which BMv2 has not."""

from p4abs_switch.thrift.handlers.handler import OfTarget
from p4abs_switch.thrift.structures import P4RuntimeServer


class P4RuntimeCalls(OfTarget):
    """The calls of the service `p4abs`."""

    takes_context = False

    def p4runtime_server(self) -> P4RuntimeServer:
        return self.target.outside.p4runtime
