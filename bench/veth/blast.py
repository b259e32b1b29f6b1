"""The packet generator of the engine's crate."""

import os
import subprocess
from pathlib import Path

from measurement import output
from workloads import ROOT


def build_blast() -> Path:
    """Compiles it; returns the program."""
    build = ["cargo", "build", "--release", "--locked", "-p", "engine", "--bin", "blast"]
    output(subprocess.run(build, cwd=ROOT / "switch", text=True, check=False))
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "switch" / "target"))
    return Path(target, "release", "blast")
