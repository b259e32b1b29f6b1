"""Makes a program hot where no memory may become executable, in a namespace of this process.

Prints what the switch warns of, and whether it still forwards.
"""

import ctypes
import logging
import socket
import subprocess
import time
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue

from p4abs.access.connection import Connection
from p4abs.console import Session, Shell
from p4abs_switch import PortConfig
from p4abs_switch.demonstration.namespaces import own
from p4abs_switch.testing import config, switch_in_thread

PROGRAM = Path(__file__).parent / "programs" / "kinds.json"
STATION = bytes.fromhex("020000000002")
ETHERTYPE = 0x88B5
FRAME = STATION + bytes(6) + ETHERTYPE.to_bytes(2, "big") + bytes(range(60))
PATIENCE_S = 60.0
# prctl(2): no memory becomes executable that was not so from the start.
PR_SET_MDWE = 65
PR_MDWE_REFUSE_EXEC_GAIN = 1


def main() -> None:
    own.enter()
    ip("link set lo up")
    for station, port in (("one", "port1"), ("two", "port2")):
        ip(f"link add {station} type veth peer name {port}")
        ip(f"link set {station} up")
        ip(f"link set {port} up")
    if ctypes.CDLL(None).prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0):
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


def ip(arguments: str) -> None:
    subprocess.run(["ip", *arguments.split()], check=True)


if __name__ == "__main__":
    main()
