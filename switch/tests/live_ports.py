"""Adds a port to a switch between real interfaces, in a network namespace of this process.

Prints the answers of `p4abs cli`, and what came out at the port.
"""

import socket
import subprocess
from pathlib import Path

from p4abs.access.connection import Connection
from p4abs.console import Session, Shell
from p4abs_switch import PortConfig
from p4abs_switch.demonstration.namespaces import own
from p4abs_switch.testing import config, switch_in_thread

PROGRAM = Path(__file__).parent / "programs" / "kinds.json"
STATION = bytes.fromhex("020000000002")
ETHERTYPE = 0x88B5
FRAME = STATION + bytes(6) + ETHERTYPE.to_bytes(2, "big") + bytes(range(60))


def main() -> None:
    own.enter()
    ip("link set lo up")
    for station, port in (("one", "port1"), ("two", "port2")):
        ip(f"link add {station} type veth peer name {port}")
        ip(f"link set {station} up")
        ip(f"link set {port} up")
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


def ip(arguments: str) -> None:
    subprocess.run(["ip", *arguments.split()], check=True)


if __name__ == "__main__":
    main()
