"""Gives a P4Runtime switch its program and its forwarding entries."""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path

import finsy

PRODUCTS = Path(__file__).parents[2] / "p4src" / "build"
FORWARD_TABLE = "ethernet_forward"
FORWARD_ACTION = "forward"
FORWARD_KEY = "hdr.ethernet.destination"


def program_files(program: str) -> tuple[Path, Path]:
    """P4Info and BMv2 JSON of one of the builds, `queue` or `virtual_queue`."""
    return PRODUCTS / f"{program}.p4info.txtpb", PRODUCTS / f"{program}.json"


def provision(address: str, program: str, stations: Mapping[str, int]) -> None:
    """Pushes a program and, for every station's MAC address, the port that leads to it."""
    logging.getLogger("finsy").setLevel(logging.ERROR)  # it misses gNMI, which nobody needs here
    asyncio.run(_provision(address, program, stations))


async def _provision(address: str, program: str, stations: Mapping[str, int]) -> None:
    p4info, blob = program_files(program)
    options = finsy.SwitchOptions(p4info=p4info, p4blob=blob, p4force=True, initial_election_id=1)
    async with finsy.Switch("bottleneck", address, options) as switch:
        await switch.write(
            [
                +finsy.P4TableEntry(
                    FORWARD_TABLE,
                    match=finsy.Match({FORWARD_KEY: mac_address}),
                    action=finsy.Action(FORWARD_ACTION, port=port),
                )
                for mac_address, port in stations.items()
            ]
        )
