"""Ports and queues, by this project's own service beside P4Runtime."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeAlias

from p4abs_switch.client import RpcError
from p4abs_switch.console.commands.arguments import number
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import GREATEST_COUNT, GREATEST_PORT
from p4abs_switch.errors import InputError
from p4abs_switch.port_service import Method
from p4abs_switch.runtime.objects import Objects

_QUEUES_INSTEAD = "`tc` on an interface may limit its port"
_PORTS_INSTEAD = "`ip -br link` shows whether their interfaces are up"
_START_INSTEAD = "it has ports from its start, and `ip link` takes their interfaces away and back"
_ROW = "{:^10}{:^20}{:^10}{}"


Limit: TypeAlias = Annotated[int, number("nb_pkts", GREATEST_COUNT)]
Rate: TypeAlias = Annotated[int, number("rate_pps", GREATEST_COUNT)]
Port: TypeAlias = Annotated[int, number("port_num", GREATEST_PORT)]
EgressPort: TypeAlias = Annotated[int | None, number("egress_port", GREATEST_PORT)]
Priority: TypeAlias = Annotated[int | None, number("priority")]


class PortCommands(Group):
    """`show_ports` and its kin."""

    def __init__(self, objects: Objects, session: Session) -> None:
        super().__init__(objects)
        self._session = session

    def do_show_ports(self) -> None:
        """Ports, their interfaces and whether these are up: show_ports"""
        with _served("does not tell of ports", _PORTS_INSTEAD):
            answer = self._session.ask_ports(Method.SHOW_PORTS)
        self.say(_ROW.format("port #", "iface name", "status", "extra info"))
        self.say("=" * 50)
        for each in answer.fields["ports"].list_value.values:
            port = each.struct_value.fields
            status = "UP" if port["is_up"].bool_value else "DOWN"
            interface = port["interface"].string_value or "-"
            self.say(_ROW.format(port["port"].string_value, interface, status, ""))

    def do_port_add(self, iface_name: str, port_num: Port, pcap_path: str = "") -> None:
        """Add a port at an interface: port_add <iface_name> <port_num> [pcap_path]"""
        # The switch chooses where it captures. A path only asks it to capture, and its answer says
        # where.
        captured = True if pcap_path else None
        with _served("adds no ports", _START_INSTEAD):
            answer = self._session.change_ports(
                Method.ADD_PORT, interface=iface_name, port=port_num, captured=captured
            )
        if captured:
            files = [answer.fields[name].string_value for name in ("captured_in", "captured_out")]
            self.say(f"Frames are captured in {files[0]} and {files[1]}")

    def do_port_remove(self, port_num: Port) -> None:
        """Remove a port: port_remove <port_num>"""
        with _served("removes no ports", _START_INSTEAD):
            self._session.change_ports(Method.REMOVE_PORT, port=port_num)

    def do_set_queue_depth(
        self, nb_pkts: Limit, egress_port: EgressPort = None, priority: Priority = None
    ) -> None:
        """Bound the packets in queues: set_queue_depth <nb_pkts> [<egress_port> [<priority>]]"""
        self._limit(Method.SET_QUEUE_DEPTH, packets=nb_pkts, port=egress_port, queue=priority)

    def do_set_queue_rate(
        self, rate_pps: Rate, egress_port: EgressPort = None, priority: Priority = None
    ) -> None:
        """Bound the packets per second: set_queue_rate <rate_pps> [<egress_port> [<priority>]]"""
        self._limit(
            Method.SET_QUEUE_RATE, packets_per_second=rate_pps, port=egress_port, queue=priority
        )

    def _limit(self, method: Method, **fields: int | None) -> None:
        with _served("has no queues to limit", _QUEUES_INSTEAD):
            self._session.change_ports(method, **fields)


@contextmanager
def _served(lacks: str, instead: str) -> Iterator[None]:
    """If the switch lacks the service, says what it `lacks` and what to use `instead`."""
    try:
        yield
    except RpcError as error:
        if error.is_unimplemented:
            raise InputError(
                f"this switch {lacks}: P4Runtime has no message for it; {instead}"
            ) from None
        raise
