"""Runs inside the namespace of a target: pushes the program and one forwarding entry.

provision.py GRPC_ADDRESS DEVICE_ID BUILD STATION_MAC PORT
"""

from __future__ import annotations

import sys
from pathlib import Path

from p4runtime_client import P4RuntimeClient

PRODUCTS = Path(__file__).resolve().parent.parent / "p4src" / "build"


def provision(address: str, device_id: int, build: str, station: str, port: int) -> None:
    """The program is in place and frames for the station leave by the port."""
    client = P4RuntimeClient(address, device_id, PRODUCTS / f"{build}.p4info.txtpb")
    try:
        client.push_pipeline(PRODUCTS / f"{build}.json")
        client.insert(
            "AbsIngress.forwarding.ethernet_forward",
            {"hdr.ethernet.destination": int(station.replace(":", ""), 16)},
            "AbsIngress.forwarding.forward",
            {"port": port},
        )
    finally:
        client.close()


if __name__ == "__main__":
    _, address, device_id, build, station, port = sys.argv
    provision(address, int(device_id), build, station, int(port))
