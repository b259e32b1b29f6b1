"""Ports and queues, by this project's own service beside P4Runtime."""

from collections.abc import Iterator
from contextlib import contextmanager

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.client import RpcError
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.values import GREATEST_COUNT, whole, words
from p4abs_switch.errors import wrong_number
from p4abs_switch.port_service import Method

_QUEUES_INSTEAD = "`tc` on an interface may limit its port"
_PORTS_INSTEAD = "`ip -br link` shows whether their interfaces are up"
_START_INSTEAD = "it has ports from its start, and `ip link` takes their interfaces away and back"
_ROW = "{:^10}{:^20}{:^10}{}"


class PortCommands(Group):
    """`show_ports` and its kin."""

    def do_show_ports(self, line: str) -> None:
        """Ports, their interfaces and whether these are up: show_ports"""
        words(line, "")
        with _served("does not tell of ports", _PORTS_INSTEAD):
            answer = self.session.ask_ports(Method.SHOW_PORTS)
        self.say(_ROW.format("port #", "iface name", "status", "extra info"))
        self.say("=" * 50)
        for each in answer.fields["ports"].list_value.values:
            port = each.struct_value.fields
            status = "UP" if port["is_up"].bool_value else "DOWN"
            interface = port["interface"].string_value or "-"
            self.say(_ROW.format(port["port"].string_value, interface, status, ""))

    def do_port_add(self, line: str) -> None:
        """Add a port at an interface: port_add <iface_name> <port_num> [pcap_path]"""
        interface, port, *path = words(line, "iface_name port_num", more=True)
        if len(path) > 1:
            usage = "iface_name port_num [pcap_path]"
            raise InputError(wrong_number(2 + len(path), "argument", usage))
        # The switch chooses where it captures. A path only asks it to capture, and its answer says
        # where.
        captured = True if path else None
        with _served("adds no ports", _START_INSTEAD):
            answer = self.session.change_ports(
                Method.ADD_PORT,
                interface=interface,
                port=whole(port, "port_num"),
                captured=captured,
            )
        if captured:
            files = [answer.fields[name].string_value for name in ("captured_in", "captured_out")]
            self.say(f"Frames are captured in {files[0]} and {files[1]}")

    def do_port_remove(self, line: str) -> None:
        """Remove a port: port_remove <port_num>"""
        [port] = words(line, "port_num")
        with _served("removes no ports", _START_INSTEAD):
            self.session.change_ports(Method.REMOVE_PORT, port=whole(port, "port_num"))

    def do_set_queue_depth(self, line: str) -> None:
        """Most packets in queues: set_queue_depth <nb_pkts> [<egress_port> [<priority>]]"""
        self._limit_queues(Method.SET_QUEUE_DEPTH, "packets", "nb_pkts", line)

    def do_set_queue_rate(self, line: str) -> None:
        """Packets per second of queues: set_queue_rate <rate_pps> [<egress_port> [<priority>]]"""
        self._limit_queues(Method.SET_QUEUE_RATE, "packets_per_second", "rate_pps", line)

    def _limit_queues(self, method: Method, field: str, argument: str, line: str) -> None:
        limit, *of = words(line, argument, more=True)
        if len(of) > 2:
            usage = f"{argument} [egress_port [priority]]"
            raise InputError(wrong_number(1 + len(of), "argument", usage))
        fields = {field: whole(limit, argument, GREATEST_COUNT)}
        places = {"port": "egress_port", "queue": "priority"}
        for name, text in zip(places, of, strict=False):
            fields[name] = whole(text, places[name])
        with _served("has no queues to limit", _QUEUES_INSTEAD):
            self.session.change_ports(method, **fields)


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
