"""`python -m controller.tests.chaos`: more seeds of the chaos target.

Prints what was wrong, seed by seed, and ends with status 1 if anything was.
"""

import json
import sys
import time

from controller.tests.chaos.faults import Chaos
from controller.tests.chaos.world import World

SEEDS, FAULTS, PORTS = range(100, 130), 2000, range(1, 5)


def main() -> int:
    """Runs all seeds."""
    report, begun_s = {}, time.monotonic()
    for seed in SEEDS:
        with World(seed, PORTS) as world:
            Chaos(world, seed).run(FAULTS)
        report[seed] = {
            "wrong": world.wrong,
            "over_memory": world.over_memory,
            "late": world.late,
        }
    wrong = {seed: found for seed, found in report.items() if any(found.values())}
    faults, lasted_s = len(SEEDS) * FAULTS, round(time.monotonic() - begun_s)
    print(json.dumps({"faults": faults, "seconds": lasted_s, "wrong": wrong}, indent=2))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
