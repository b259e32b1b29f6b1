"""What the target under test offers; the runner writes it, the tests read it."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

QUEUE = "queue"
SHARED_QUEUE = "shared_queue"
VIRTUAL_QUEUE = "virtual_queue"
TOFINO = "tofino"  # the Tofinos' pipeline, on v1model or on a Tofino
ROUTER = "adaptive_router"  # p4src/examples
MEASURING_ROUTER = "measuring_router"
BUILDS = (QUEUE, SHARED_QUEUE, VIRTUAL_QUEUE, TOFINO, ROUTER, MEASURING_ROUTER)
# Programs of other projects, made adaptive: they are compiled elsewhere.
BASIC = "basic"
MIDDLEBLOCK = "middleblock"
ADAPTIVE = (ROUTER, MEASURING_ROUTER, BASIC, MIDDLEBLOCK)
# What one build shows, another that has it too shows as well.
ALSO_SHOWS = {SHARED_QUEUE: (QUEUE,), **dict.fromkeys(ADAPTIVE, (QUEUE, ROUTER))}

# The first of four ports of the switch under test, which follow one another.
FIRST_PORT = "ABS_PTF_FIRST_PORT"

# All carry traffic; the last two are slow where the target can make them so.
PORTS = tuple(int(os.environ.get(FIRST_PORT, "1")) + number for number in range(4))
SENDER, RECEIVER, SLOW, SLOW_SMALL = PORTS
QUEUES = 3  # of the slow port


@dataclass(frozen=True)
class Capabilities:
    """One target with one build of the P4 program."""

    target: str
    build: str  # one of BUILDS or ADAPTIVE
    grpc_address: str
    device_id: int
    p4info: str  # path of the P4Info in text form
    program: str  # path of the BMv2 JSON
    results: str  # path of the JSON lines that the tests append their outcomes to
    stamped: bool  # packets bring their time along, see p4src/tna/on_v1model.p4
    serves_registers: bool  # RegisterEntry over P4Runtime
    slow_links: bool  # SLOW sends about eight frames of 1514 bytes a second
    small_memory: bool  # SLOW_SMALL is as slow and holds only a few frames
    link_of_all_queues: bool  # the slow rate is of SLOW's link, not of each of its queues
    simple_switch_cli: str | None  # path of BMv2's command line, where registers go through it

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def read(cls, path: Path) -> Self:
        return cls(**json.loads(path.read_text()))
