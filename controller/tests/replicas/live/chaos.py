"""`python -m controller.tests.replicas.live.chaos`: replicas as processes, in trouble.

What is asked of them stands in `arena`. Prints a report, and ends with status 1 if anything was
wrong.
"""

import asyncio
import json

import click
from p4abs.cli import run as run_command
from p4abs_switch.testbed.namespaces import enter_own

FAULTS, SEED, INTERVAL_S = 200, 1, 0.2


@click.command()
@click.option("--faults", type=click.IntRange(min=1), default=FAULTS, show_default=True)
@click.option("--seed", type=int, default=SEED, show_default=True)
@click.option(
    "--interval",
    type=click.FloatRange(min=0.02),
    default=INTERVAL_S,
    show_default=True,
    help="Of control, in seconds.",
)
def main(faults: int, seed: int, interval: float) -> int:
    """Replicas as processes in network namespaces, one fault after the other."""
    # A process of several threads, as gRPC makes it, gets no namespace of users.
    enter_own()
    from controller.tests.replicas.live.arena import chaos

    report = asyncio.run(chaos(faults, seed, interval))
    print(json.dumps(report, indent=2))
    return 1 if report["wrong"] else 0


if __name__ == "__main__":
    run_command(main, "chaos")
