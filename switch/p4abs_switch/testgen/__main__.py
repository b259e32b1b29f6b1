"""p4testgen's packet tests of p4c's v1model programs, here and on BMv2, for docs/conformance.md.

    python -m p4abs_switch.testgen P4C FOLDER PAGE.md [--own PROGRAM.p4]... [--programs NAME,...]

P4C is a checkout of p4c. FOLDER gets a folder for each program, and `results.json`; what is there
is not done again, and the page is written after each program, so that a run may be broken off.
Needs p4testgen, p4c-bm2-ss and simple_switch_grpc on PATH. Exit status 1: a test fails here for a
reason that `reasons.py` does not have.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

import click

from p4abs_switch.command_line.run import run as run_command
from p4abs_switch.differential.bmv2 import Bmv2, Bmv2Died
from p4abs_switch.errors import UserError
from p4abs_switch.stf.peer import COMPILER, samples
from p4abs_switch.testbed.simple_switch import PROGRAM
from p4abs_switch.testgen.comparison import run
from p4abs_switch.testgen.generation import GENERATOR, generate
from p4abs_switch.testgen.page import unexplained, write
from p4abs_switch.testgen.programs import Program, of_ours, of_p4c
from p4abs_switch.testgen.results import Result, load, store

_PATH = click.Path(path_type=Path, resolve_path=True)


@click.command()
@click.argument("p4c", type=_PATH)
@click.argument("folder", type=_PATH)
@click.argument("page", type=_PATH)
@click.option("--own", type=_PATH, multiple=True, help="A program that is not p4c's.")
@click.option("--programs", default="", help="Some only, by name: A,B,...")
def main(p4c: Path, folder: Path, page: Path, own: tuple[Path, ...], programs: str) -> int:
    """Runs p4testgen's tests on the embedded target and on BMv2."""
    _check(p4c)
    stored = folder / "results.json"
    try:
        ours = [of_ours(source, p4c, folder / "ours") for source in own]
        everything = [*ours, *of_p4c(p4c)]
        results = load(stored)
        with Bmv2() as bmv2:
            for program in _chosen(programs, everything):
                if program.name in results:
                    continue
                results[program.name] = _result(program, folder / program.name, bmv2)
                store(stored, results)
                write(page, results, len(everything))
                print(f"{program.name}: {_summary(results[program.name])}", flush=True)
    except Bmv2Died as error:
        raise UserError(str(error)) from None
    except (OSError, ValueError, TypeError) as error:
        raise UserError(f"{folder}: {error}") from None
    return 1 if unexplained(results) else 0


def _check(p4c: Path) -> None:
    if not samples(p4c).is_dir():
        raise UserError(f"{p4c}: no checkout of p4c: no {samples(p4c).relative_to(p4c)} in it")
    if missing := [each for each in (GENERATOR, COMPILER, PROGRAM) if shutil.which(each) is None]:
        raise UserError(f"not on PATH: {', '.join(missing)}")


def _chosen(names: str, programs: Sequence[Program]) -> list[Program]:
    if not names:
        return list(programs)
    by_name = {program.name: program for program in programs}
    if unknown := [name for name in names.split(",") if name not in by_name]:
        raise UserError(f"no program {', '.join(unknown)}; valid: {', '.join(by_name)}")
    return [by_name[name] for name in names.split(",")]


def _result(program: Program, folder: Path, bmv2: Bmv2) -> Result:
    generated = generate(program, folder)
    product = generated.program
    tests = () if product is None else tuple(run(product, test, bmv2) for test in generated.tests)
    covered, statements = generated.covered
    return Result(tests, statements, covered, generated.obstacle)


def _summary(result: Result) -> str:
    here = sum(test.here is None for test in result.tests)
    there = sum(test.on_bmv2 is None for test in result.tests)
    told = f"{len(result.tests)} tests, {here} pass here, {there} on BMv2"
    return told if result.obstacle is None else result.obstacle


if __name__ == "__main__":
    run_command(main, "testgen")
