"""What the target under test offers; the runner writes it, the tests read it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

QUEUE = "queue"
VIRTUAL_QUEUE = "virtual_queue"
TOFINO = "tofino"  # the Tofinos' pipeline on v1model
BUILDS = (QUEUE, VIRTUAL_QUEUE, TOFINO)

# The switch's ports. All carry traffic; the last two are slow where the target can make them so.
SENDER = 1
RECEIVER = 2
SLOW = 3
SLOW_SMALL = 4
PORTS = (SENDER, RECEIVER, SLOW, SLOW_SMALL)


@dataclass(frozen=True)
class Capabilities:
    """One target with one build of the P4 program."""

    target: str
    build: str  # one of BUILDS
    grpc_address: str
    device_id: int
    p4info: str  # path of the P4Info in text form
    program: str  # path of the BMv2 JSON
    results: str  # path of the JSON lines that the tests append their outcomes to
    serves_registers: bool  # RegisterEntry over P4Runtime
    slow_links: bool  # SLOW sends about eight frames of 1514 bytes a second
    small_memory: bool  # SLOW_SMALL is as slow and holds only a few frames
    simple_switch_cli: str | None  # path of BMv2's command line, where registers go through it

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def read(cls, path: Path) -> Self:
        return cls(**json.loads(path.read_text()))
