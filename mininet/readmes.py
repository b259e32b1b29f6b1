"""What READMEs of jafingerhut/p4-guide tell, on the embedded target and on BMv2.

`make readmes GUIDE=FOLDER` runs this. Exit status 0: the same frames come out of the embedded
target as of BMv2; 1: others do; 2: wrong values, or none comes out of BMv2.
"""

from pathlib import Path

import click
from absreadmes.demonstrations import Demonstration, find
from absreadmes.outcome import Outcome
from absreadmes.page import Outcomes, is_worse, write
from absreadmes.runner import compiled, run
from abstutorials.command import chosen, keep, on_each, outputs
from abstutorials.compiler import COMPILER, DoesNotCompile
from abstutorials.namespaces import prepare_networks
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

PROGRAMS = {COMPILER: "p4c", SWITCH_WITHOUT_P4RUNTIME: "BMv2", "simple_switch_CLI": "BMv2"}
MODULES = ("scapy",)


@click.command()
@click.argument("guide", type=click.Path(path_type=Path, file_okay=False))
@click.option("--programs", default="", help="Some of the programs only, by path: A,B,...")
@outputs("results/readmes")
def main(guide: Path, programs: str, results: Path, page: Path | None) -> int:
    """Does what READMEs of a checkout of jafingerhut/p4-guide tell."""
    guide, results = guide.resolve(), results.resolve()
    labs = chosen("program", programs, {each.name: each for each in find(guide)})
    check_programs(PROGRAMS)
    check_modules(MODULES, guide)
    prepare_networks()
    results.mkdir(parents=True, exist_ok=True)
    outcomes: dict[str, Outcomes] = {}
    not_compiled: dict[str, str] = {}
    for lab in labs:
        try:
            outcomes[lab.name] = _on_both(lab, compiled(lab, guide, results), results)
        except DoesNotCompile as error:
            print(f"{lab.name}: not compiled: {error}", flush=True)
            not_compiled[lab.name] = str(error)
    keep(results, "readmes.json", outcomes)
    arrived = (each[SWITCH_WITHOUT_P4RUNTIME].arrived for each in outcomes.values())
    check_any_passed((any(frames) for frames in arrived), results)
    if page is not None:
        write(page, outcomes, not_compiled)
    return 1 if any(is_worse(each) for each in outcomes.values()) else 0


def _on_both(lab: Demonstration, program: Path, results: Path) -> Outcomes:
    def on(switch: str) -> Outcome:
        path = path_with(switch, results, STAND_INS_OVER_THRIFT)
        return run(lab.readme, program, results / f"{program.stem}-{switch}.log", path)

    return on_each(lab.name, (DROP_IN_WITHOUT_P4RUNTIME, SWITCH_WITHOUT_P4RUNTIME), on)


if __name__ == "__main__":
    run_command(main, "readmes")
