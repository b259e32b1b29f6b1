"""Packet tests that other projects wrote for BMv2, on the embedded target.

`make suites UP4=FOLDER FABRIC=FOLDER` runs this. Exit status 0: all tests pass; 1: some do not;
2: wrong values.
"""

from pathlib import Path

import click
from absguide.verdict import Verdict
from abssuites.page import write
from abssuites.runner import run
from abssuites.suites import FABRIC, UP4, Suite
from abstutorials.command import chosen, outputs
from abstutorials.compiler import COMPILER
from abstutorials.namespaces import prepare_networks
from abstutorials.switches import check_programs
from abstutorials.workplace import check_modules
from p4abs.cli import run as run_command
from p4abs.errors import UserError
from p4abs_switch.demonstration.report.results import give_to_caller

PROGRAMS = {
    COMPILER: "p4c",
    "ptf": "PTF 0.9",
    "ifconfig": "Debian's net-tools",
    "ip": "Debian's iproute2",
    "sysctl": "Debian's procps",
}
MODULES = (
    *("ptf", "scapy", "grpc", "p4.v1", "google.rpc"),
    *("numpy", "scipy", "matplotlib", "yaml"),
)
_Checkout = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.option("--up4", type=_Checkout, help="A checkout of omec-project/up4.")
@click.option("--fabric", type=_Checkout, help="A checkout of stratum/fabric-tna.")
@click.option("--suites", default="", help="Some of the suites only, by name: A,B,...")
@outputs("results/suites")
def main(
    up4: Path | None, fabric: Path | None, suites: str, results: Path, page: Path | None
) -> int:
    """Runs packet tests of other projects, unchanged."""
    results = results.resolve()
    checkouts = _checkouts(up4, fabric)
    labs = chosen("suite", suites, {suite.name: suite for suite in checkouts})
    for suite in labs:
        suite.check(checkouts[suite])
    check_programs(PROGRAMS)
    check_modules(MODULES, checkouts[labs[0]])
    prepare_networks()
    verdicts: dict[str, Verdict] = {}
    for suite in labs:
        verdicts[suite.name] = run(suite, checkouts[suite], results / suite.name)
        print(f"{suite.name}: {_told(verdicts[suite.name])}", flush=True)
    give_to_caller(results)
    if page is not None:
        write(page, verdicts)
    return 0 if all(verdict.passed for verdict in verdicts.values()) else 1


def _checkouts(up4: Path | None, fabric: Path | None) -> dict[Suite, Path]:
    given = {
        suite: checkout.resolve()
        for project, checkout in ((UP4, up4), (FABRIC, fabric))
        if checkout is not None
        for suite in project
    }
    if not given:
        raise UserError("no checkout: give --up4, --fabric or both")
    return given


def _told(verdict: Verdict) -> str:
    return verdict.broken or f"{len(verdict.tests)} tests, {verdict}"


if __name__ == "__main__":
    run_command(main, "suites")
