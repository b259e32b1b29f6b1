"""The Tofino program in the loop."""

from pathlib import Path

TOFINO_PROGRAM = Path(__file__).resolve().parents[4] / "p4src/build/tofino/on_v1model.json"
"""The ingress of p4src/tna as compiled for v1model: it admits and drops at every TofinoBuffer."""
