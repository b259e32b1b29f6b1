"""The programs for Tofino whose P4Info is checked in, and what a compiler leaves of them."""

import json
import shutil
from functools import cache
from pathlib import Path

from finsy.proto import p4i
from p4abs.access.program import p4info_beside
from p4abs.targets.tofino.compiled import EXTERNS
from p4abs.targets.tofino.queue_program import QueueProgram
from p4abs.targets.tofino.virtual_queue import VirtualQueueProgram

BUILD = Path(__file__).resolve().parents[3] / "p4src" / "build" / "tofino"
BUILDS = ("tna", "t2na")
QUEUE_BUILD = "t2na_queue"


@cache
def program(build: str = "tna") -> VirtualQueueProgram:
    return VirtualQueueProgram.of(p4info(build), whose=build)


@cache
def queue_program() -> QueueProgram:
    return QueueProgram.of(p4info(QUEUE_BUILD), whose=QUEUE_BUILD)


def p4info(build: str = "tna") -> p4i.P4Info:
    return p4info_beside(BUILD / f"{build}.conf", left_out=EXTERNS)


def compiled(folder: Path, build: str = "tna") -> Path:
    """The compiler's output as far as it is checked in, and something for a binary."""
    (folder / "pipe").mkdir(parents=True)
    (folder / "pipe" / "context.json").write_text("{}")
    (folder / "pipe" / "tofino.bin").write_bytes(b"no program of a chip")
    shutil.copy(BUILD / f"{build}.bf-rt.json", folder / "bf-rt.json")
    shutil.copy(BUILD / f"{build}.p4info.txtpb", folder)
    pipe = {
        "p4_pipeline_name": "pipe",
        "context": "pipe/context.json",
        "config": "pipe/tofino.bin",
        "pipe_scope": [0, 1, 2, 300],
        "path": "pipe",
    }
    written = {"program-name": build, "bfrt-config": "bf-rt.json", "p4_pipelines": [pipe]}
    path = folder / f"{build}.conf"
    path.write_text(json.dumps({"p4_devices": [{"device-id": 0, "p4_programs": [written]}]}))
    return path
