"""Makes a program hot where no memory may become executable, in a namespace of this process.

Prints what the switch warns of, and whether it still forwards.
"""

import logging
import socket
import time
from logging.handlers import QueueHandler
from queue import SimpleQueue

import live_links
from live_links import ETHERTYPE, FRAME, PROGRAM, STATION
from p4abs_switch import PortConfig
from p4abs_switch.client import Connection
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.testbed.executable_memory import forbid_executable_memory
from p4abs_switch.testing import config, switch_in_thread

PATIENCE_S = 60.0


def main() -> None:
    live_links.enter()
    if not forbid_executable_memory():
        print("before Linux 6.3")
        return
    warnings: SimpleQueue[logging.LogRecord] = SimpleQueue()
    logging.getLogger("p4abs_switch").addHandler(QueueHandler(warnings))
    ports = [PortConfig(1, "port1"), PortConfig(2, "port2")]
    with (
        switch_in_thread(config(program=PROGRAM, ports=ports)) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as one,
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as two,
    ):
        one.bind(("one", 0))
        end_s = time.monotonic() + PATIENCE_S
        while warnings.empty() and time.monotonic() < end_s:
            one.send(FRAME)
        print(warnings.get(timeout=0).getMessage())
        Shell(session).run([f"table_add stations forward 0x{STATION.hex()} => 2"])
        two.bind(("two", ETHERTYPE))
        two.settimeout(PATIENCE_S)
        one.send(FRAME)
        print("came out:", two.recv(2048) == FRAME)


if __name__ == "__main__":
    main()
