"""Runs inside the namespace of a target: pushes a workload's program and its table entries.

provision.py GRPC_ADDRESS DEVICE_ID WORKLOAD
"""

import asyncio
import sys

import finsy
from finsy.proto import p4r
from p4abs.access.connection import Connection
from p4abs.access.program import load_program
from workloads import WORKLOADS, Entry, Workload

BATCH_ENTRIES = 500
WRITE_TIMEOUT_S = 10.0


async def provision(address: str, device_id: int, workload: Workload) -> None:
    """The program is in place and forwards all of the workload's traffic. Raises RpcError."""
    program = load_program(str(workload.program))
    schema = finsy.P4Schema(program.p4info)
    async with Connection(address, device_id, election=1) as connection:
        await connection.push(program)
        insertions = [_insertion(entry, schema) for entry in workload.entries()]
        for start in range(0, len(insertions), BATCH_ENTRIES):
            updates = insertions[start : start + BATCH_ENTRIES]
            await connection.write(updates, WRITE_TIMEOUT_S)


def _insertion(entry: Entry, schema: finsy.P4Schema) -> p4r.Update:
    inserted = finsy.P4TableEntry(
        entry.table,
        match=finsy.Match(entry.key),
        action=finsy.Action(entry.action, **entry.arguments),
    )
    return p4r.Update(type=p4r.Update.INSERT, entity=inserted.encode(schema))


if __name__ == "__main__":
    _, address, device_id, name = sys.argv
    asyncio.run(provision(address, int(device_id), WORKLOADS[name]))
