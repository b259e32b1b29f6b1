"""`python -m conformance testgen P4C`: p4testgen's packet tests of programs, on both switches.

What the folder of results has is not done again, so that a run may be broken off.
"""

from collections.abc import Sequence
from pathlib import Path

from p4abs_switch.differential.bmv2 import Bmv2, Bmv2Died
from p4abs_switch.errors import UserError
from p4abs_switch.testbed.simple_switch import PROGRAM

from conformance.p4c.command import Runs
from conformance.p4c.programs import FOR_P4TESTGEN, Program, of_ours, of_p4c
from conformance.testgen.comparison import run
from conformance.testgen.generation import GENERATOR, generate
from conformance.testgen.page import sections, unexplained
from conformance.testgen.results import Result, Results, load, store


def _run(_p4c: Path, programs: Sequence[Program], folder: Path) -> Results:
    stored = folder / "results.json"
    try:
        results = load(stored)
        with Bmv2() as bmv2:
            for program in programs:
                if program.name not in results:
                    results[program.name] = _result(program, folder / program.name, bmv2)
                    store(stored, results)
                    print(f"{program.name}: {_summary(results[program.name])}", flush=True)
    except Bmv2Died as error:
        raise UserError(str(error)) from None
    except (ValueError, TypeError) as error:
        raise UserError(f"{folder}: {error}") from None
    return results


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


TESTGEN = Runs(
    name="testgen",
    help="p4testgen's packet tests of p4c's programs and of ours.",
    find=lambda p4c: of_p4c(p4c, FOR_P4TESTGEN),
    run=_run,
    sections=sections,
    unexplained=unexplained,
    needed={GENERATOR: "p4c", PROGRAM: "BMv2"},
    own=of_ours,
)
