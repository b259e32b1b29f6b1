"""P4 programs that are compiled before they are measured."""

import shutil
import subprocess
from pathlib import Path

from measurement import MeasurementFailed, output

from workloads.workload import ROOT, Workload

COMPILER = "p4c-bm2-ss"
COMPILED = ROOT / "results" / "bench"


def has_compiler() -> bool:
    """Whether p4c is on PATH."""
    return shutil.which(COMPILER) is not None


def compile_program(source: Path, workload: Workload, *options: str) -> None:
    """Compiles P4 source to where the workload has its program. Raises MeasurementFailed."""
    workload.program.parent.mkdir(parents=True, exist_ok=True)
    products = ["--p4runtime-files", str(workload.p4info), "-o", str(workload.program)]
    command = [COMPILER, *options, *products, str(source)]
    try:
        output(subprocess.run(command, capture_output=True, text=True, check=False))
    except FileNotFoundError:
        raise MeasurementFailed(f"{COMPILER} is not on PATH: it comes with p4c") from None
