"""Adds a port to a switch between real interfaces, in a network namespace of this process.

Prints the answers of `p4abs cli`, and what came out at the port.
"""

import socket

import live_links
from live_links import ETHERTYPE, FRAME, PROGRAM, STATION
from p4abs_switch import PortConfig
from p4abs_switch.client import Connection
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.testing import config, switch_in_thread


def main() -> None:
    live_links.enter()
    ports = [PortConfig(1, "port1")]
    with (
        switch_in_thread(config(program=PROGRAM, ports=ports)) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETHERTYPE)) as two,
    ):
        two.bind(("two", ETHERTYPE))
        two.settimeout(60)
        shell = Shell(session)
        shell.run([f"table_add stations forward 0x{STATION.hex()} => 2"])
        shell.run(["port_add nowhere 2", "port_add port1 2", "port_add port2 2", "show_ports"])
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as one:
            one.bind(("one", 0))
            one.send(FRAME)
        print("came out:", two.recv(2048) == FRAME)
        shell.run(["port_remove 2", "show_ports"])


if __name__ == "__main__":
    main()
