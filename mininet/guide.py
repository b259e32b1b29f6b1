"""The demonstrations of jafingerhut/p4-guide on the embedded target and on BMv2.

`make guide GUIDE=FOLDER` runs this. Exit status 0: all tests pass on the embedded target that pass
on BMv2; 1: some do not; 2: wrong values, or none passes on BMv2.
"""

import json
from dataclasses import asdict
from pathlib import Path

import click
from absguide.page import Verdicts, is_worse, write
from absguide.runner import run
from absguide.scripts import Script, find
from abstutorials.command import chosen, outputs
from abstutorials.switches import (
    DROP_IN,
    SWITCH,
    check_any_passed,
    check_programs,
    path_with,
)
from p4abs.cli import run as run_command
from p4abs_switch.demonstration.report.results import give_to_caller

PROGRAMS = {
    "p4c": "p4c's driver",
    SWITCH: "BMv2",
    "ptf": "PTF, with p4runtime-shell",
    "ip": "Debian's iproute2",
    "pkill": "Debian's procps",
}


@click.command()
@click.argument("guide", type=click.Path(path_type=Path, file_okay=False))
@click.option("--scripts", default="", help="Some of the scripts only, by name: A,B,...")
@outputs("results/guide")
def main(guide: Path, scripts: str, results: Path, page: Path | None) -> int:
    """Runs the demonstrations with packet tests of a checkout of jafingerhut/p4-guide."""
    guide, results = guide.resolve(), results.resolve()
    labs = chosen("script", scripts, {script.name: script for script in find(guide)})
    check_programs(PROGRAMS)
    verdicts = {script.name: _run(script, guide, results) for script in labs}
    as_json = {
        name: {switch: asdict(verdict) for switch, verdict in of_switches.items()}
        for name, of_switches in verdicts.items()
    }
    (results / "guide.json").write_text(json.dumps(as_json, indent=2) + "\n")
    give_to_caller(results)
    check_any_passed((each[SWITCH].passed for each in verdicts.values()), results)
    if page is not None:
        write(page, verdicts)
    return 1 if any(is_worse(each) for each in verdicts.values()) else 0


def _run(script: Script, guide: Path, results: Path) -> Verdicts:
    verdicts = {}
    for switch in (DROP_IN, SWITCH):
        root = results / switch / script.name.replace("/", "-")
        verdict = run(script, guide, root, path_with(switch, results))
        verdicts[switch] = verdict
        print(f"{script.name} on {switch}: {verdict}", flush=True)
    return verdicts


if __name__ == "__main__":
    run_command(main, "guide")
