"""The demonstrations of jafingerhut/p4-guide on the embedded target and on BMv2.

`make guide GUIDE=FOLDER` runs this. Exit status 0: all tests pass on the embedded target that pass
on BMv2; 1: some do not; 2: wrong values, or none passes on BMv2.
"""

from pathlib import Path

import click
from absguide.page import Verdicts, is_worse, write
from absguide.runner import run
from absguide.scripts import Script, find
from absguide.verdict import Verdict
from abstutorials.command import chosen, keep, on_each, outputs
from abstutorials.switches import (
    DROP_IN,
    SWITCH,
    check_any_passed,
    check_programs,
    path_with,
)
from p4abs.cli import run as run_command

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
    verdicts = {script.name: _on_both(script, guide, results) for script in labs}
    keep(results, "guide.json", verdicts)
    check_any_passed((each[SWITCH].passed for each in verdicts.values()), results)
    if page is not None:
        write(page, verdicts)
    return 1 if any(is_worse(each) for each in verdicts.values()) else 0


def _on_both(script: Script, guide: Path, results: Path) -> Verdicts:
    def on(switch: str) -> Verdict:
        root = results / switch / script.name.replace("/", "-")
        return run(script, guide, root, path_with(switch, results))

    return on_each(script.name, (DROP_IN, SWITCH), on)


if __name__ == "__main__":
    run_command(main, "guide")
