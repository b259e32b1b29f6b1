"""Sends frames and tells what comes out.

A script for a `python3` that has Scapy: takes `{"interfaces": {PORT: NAME}, "sendings":
[[PORT, FRAME], ...]}` from standard input and prints, for each frame, `[[PORT, HEX], ...]`. A frame
has gone through when nothing has come out for a second.
"""

import json
import select
import socket
import sys

from scapy.all import *  # noqa: F403 frames are in its words

SILENCE_S = 1.0
_LONGEST_BYTES = 1 << 16
_EVERYTHING = 3
_PACKET_IGNORE_OUTGOING = 23
_SOL_PACKET = 263


def opened(interface: str) -> socket.socket:
    link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_EVERYTHING))
    link.setsockopt(_SOL_PACKET, _PACKET_IGNORE_OUTGOING, 1)
    link.bind((interface, _EVERYTHING))
    return link


def arrivals(links: dict[int, socket.socket]) -> list[tuple[int, str]]:
    ports = {link: port for port, link in links.items()}
    found = []
    while ready := select.select(list(ports), [], [], SILENCE_S)[0]:
        found += [(ports[link], link.recv(_LONGEST_BYTES).hex()) for link in ready]
    return sorted(found)


def main() -> None:
    asked = json.load(sys.stdin)
    links = {int(port): opened(name) for port, name in asked["interfaces"].items()}
    found = []
    for port, frame in asked["sendings"]:
        links[port].send(bytes(eval(frame)))
        found.append(arrivals(links))
    json.dump(found, sys.stdout)


main()
