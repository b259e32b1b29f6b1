"""The labs of nsg-ethz/p4-learning on the embedded target and on BMv2.

`make learning LEARNING=FOLDER` runs this. Exit status 0: no lab has fewer pings answered on the
embedded target than on BMv2; 1: one has; 2: wrong values, or none has one answered on BMv2.
"""

from pathlib import Path

import click
from abslearning.labs import Lab, find
from abslearning.page import Results, is_worse, write
from abslearning.pings import Pings
from abslearning.runner import run
from abstutorials.command import chosen, keep, on_each, outputs
from abstutorials.switches import (
    DROP_IN_WITHOUT_P4RUNTIME,
    STAND_INS_OVER_THRIFT,
    SWITCH_WITHOUT_P4RUNTIME,
    check_any_passed,
    check_programs,
    path_with,
)
from abstutorials.workplace import check_modules
from p4abs.cli import run as run_command
from p4abs.errors import UserError

PROGRAMS = {
    "p4c": "p4c's driver",
    SWITCH_WITHOUT_P4RUNTIME: "BMv2",
    "simple_switch_CLI": "BMv2",
    "mn": "Debian's mininet",
    "ping": "Debian's iputils-ping",
    "ip": "Debian's iproute2",
}
MODULES = ("p4utils", "mininet.net", "networkx", "scapy", "thrift", "bm_runtime.standard")
_NOT_BELOW = Path("/tmp")


@click.command()
@click.argument("learning", type=click.Path(path_type=Path, file_okay=False))
@click.option("--labs", "wanted", default="", help="Some of the labs only, by name: A,B,...")
@outputs("results/learning")
def main(learning: Path, wanted: str, results: Path, page: Path | None) -> int:
    """Runs the labs of a checkout of nsg-ethz/p4-learning that work over Thrift."""
    learning, results = learning.resolve(), results.resolve()
    if results.is_relative_to(_NOT_BELOW):
        raise UserError(f"--results {results}: not below {_NOT_BELOW}, which labs do not see")
    labs = chosen("lab", wanted, {lab.name: lab for lab in find(learning)})
    check_programs(PROGRAMS)
    check_modules(MODULES, learning)
    pings = {lab.name: _on_both(lab, learning, results) for lab in labs}
    keep(results, "learning.json", pings)
    check_any_passed(
        (each[SWITCH_WITHOUT_P4RUNTIME].answered > 0 for each in pings.values()), results
    )
    if page is not None:
        write(page, pings)
    return 1 if any(is_worse(each) for each in pings.values()) else 0


def _on_both(lab: Lab, learning: Path, results: Path) -> Results:
    def on(switch: str) -> Pings:
        path = path_with(switch, results, STAND_INS_OVER_THRIFT)
        return run(lab, learning, results / switch, path)

    return on_each(lab.name, (DROP_IN_WITHOUT_P4RUNTIME, SWITCH_WITHOUT_P4RUNTIME), on)


if __name__ == "__main__":
    run_command(main, "learning")
