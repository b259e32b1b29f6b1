"""What the switch's own way to send costs, beside one call of `sendto` for each frame.

Both fill a virtual link of which nobody reads the other end, by turns.
"""

import json
from functools import partial
from pathlib import Path
from statistics import median

from measurement import by_turns, output
from p4abs_switch.testbed.network import Network
from targets import SENDER
from workloads import STATION_MAC

FRAME_BYTES = (64, 1500)
FRAMES = 300_000
ROUNDS = 7
TIMEOUT_S = 60.0
# Commands of blast.
OWN = "load"
PLAIN = "plain"


def measure(blast: Path) -> dict[str, dict[int, float]]:
    """Packets per second of the switch's own way by length of the frames, and their ratio to the
    other's: of medians."""
    ways = [(way, size) for size in FRAME_BYTES for way in (OWN, PLAIN)]
    with Network((SENDER,)) as network:
        found = by_turns(ROUNDS, {way: partial(_run, network, blast, *way) for way in ways})
    own, plain = ({size: median(found[way, size]) for size in FRAME_BYTES} for way in (OWN, PLAIN))
    return {
        "send_pps_by_frame_bytes": own,
        "send_ratio_by_frame_bytes": {size: own[size] / plain[size] for size in FRAME_BYTES},
    }


def _run(network: Network, blast: Path, way: str, size: int) -> float:
    """Packets per second that the interface took."""
    command = [str(blast), way, network.switch_end(SENDER), STATION_MAC, "1"]
    done = network.run([*command, str(size), str(FRAMES), "0"], timeout_s=TIMEOUT_S)
    report = json.loads(output(done))
    return float(report["sent_packets"] / report["seconds"])
