"""The P4 programs in the loop."""

from pathlib import Path

_BUILD = Path(__file__).resolve().parents[3] / "p4src" / "build"

P4_PROGRAM = _BUILD / "queue.json"
"""The program `queue` as compiled: it admits and drops at every P4Buffer."""

QUEUES_PROGRAM = _BUILD / "shared_queue.json"
"""The program `shared_queue`: the same for several queues of a link, which share no memory here."""
