"""The P4 program in the loop."""

from pathlib import Path

P4_PROGRAM = Path(__file__).resolve().parents[3] / "p4src" / "build" / "queue.json"
"""The program `queue` as compiled: it admits and drops at every P4Buffer."""
