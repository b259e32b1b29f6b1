"""What a result was made with."""

import platform
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import p4abs


@cache
def versions() -> Mapping[str, str]:
    """Versions of p4abs, ns-3, NumPy and Python, and the git commit ("" outside a work tree)."""
    from p4abs_experiments.simulation.ns3 import NS3_VERSION

    return {
        "p4abs": p4abs.__version__,
        "ns-3": NS3_VERSION,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "commit": _commit(),
    }


def _commit() -> str:
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.strip()
