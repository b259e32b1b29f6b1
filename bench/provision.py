"""Runs inside the namespace of a target: pushes a workload's program and its table entries.

provision.py GRPC_ADDRESS DEVICE_ID WORKLOAD
"""

from __future__ import annotations

import sys

from p4runtime_client import P4RuntimeClient
from workloads import WORKLOADS, Workload


def provision(address: str, device_id: int, workload: Workload) -> None:
    """The program is in place and forwards all of the workload's traffic."""
    client = P4RuntimeClient(address, device_id, workload.p4info)
    try:
        client.push_pipeline(workload.program)
        client.insert_all(workload.entries())
    finally:
        client.close()


if __name__ == "__main__":
    _, address, device_id, name = sys.argv
    provision(address, int(device_id), WORKLOADS[name])
