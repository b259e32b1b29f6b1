"""`python -m conformance stf P4C`: p4c's packet tests, here and, by p4c's own driver, on BMv2."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.stf import Outcome, Pair, run_pairs

from conformance.p4c.command import Runs
from conformance.p4c.compilation import compiled
from conformance.p4c.programs import Program, with_tests
from conformance.page import table
from conformance.stf.driver import SWITCH, run_on_bmv2, versions
from conformance.workplace.compiler import DoesNotCompile

COUNTS, FAILURES = "# Conformance", "## Tests that fail"
_NOT_COMPILED = Outcome(("p4c's back end for BMv2 does not compile the program",))
# Failures that are expected here alone, by test.
_EXPECTED = {
    # The test expects 4 bytes more, for the frame check sequence. p4c's driver for BMv2 does not
    # check counters.
    "p4_14-counter3": "line 11: counter cnt(A) has 8 bytes, expected == 12",
}


@dataclass(frozen=True)
class Result:
    """Of a program's test; on_bmv2: why it failed there; None: it passed."""

    here: Outcome
    on_bmv2: str | None

    @property
    def reason(self) -> str | None:
        """Why it does not pass on both."""
        if self.here.failures:
            return self.here.failures[0]
        return None if self.on_bmv2 is None else f"BMv2: {self.on_bmv2}"


def _run(p4c: Path, programs: Sequence[Program], folder: Path) -> dict[str, Result]:
    """What BMv2 has done once is kept."""
    kept = folder / "bmv2.json"
    folder.mkdir(parents=True, exist_ok=True)
    done: dict[str, str | None] = json.loads(kept.read_text()) if kept.exists() else {}
    results = {}
    for program in programs:
        name = program.name
        if name not in done:
            done[name] = run_on_bmv2(p4c, program)
            kept.write_text(json.dumps(done, indent=1) + "\n")
        results[name] = Result(_here(program, folder / name), done[name])
        print(f"{name}: {results[name].reason or 'passed'}", flush=True)
    return results


def _here(program: Program, folder: Path) -> Outcome:
    try:
        pair = Pair(compiled(program, folder).json, program.test)
    except DoesNotCompile:
        return _NOT_COMPILED
    [(_, outcome)] = run_pairs([pair])
    return outcome


def sections(results: Mapping[str, Result], _programs: int) -> Mapping[str, Iterable[str]]:
    """By heading."""
    here = sum(result.here.passed for result in results.values())
    there = sum(result.on_bmv2 is None for result in results.values())
    rows = [
        (name, len(results), passed, len(results) - passed)
        for name, passed in (("embedded switch", here), ("BMv2", there))
    ]
    counts = table(("", "tests", "passed", "failed"), rows)
    failures = table(("test", "embedded switch", "BMv2", "reason"), _failures(results))
    return {COUNTS: (*counts, "", f"Made with {versions()}."), FAILURES: failures}


def _failures(results: Mapping[str, Result]) -> Iterator[Sequence[str]]:
    for name, result in results.items():
        if result.reason is not None:
            on_bmv2 = "passed" if result.on_bmv2 is None else "failed"
            yield name, "passed" if result.here.passed else "failed", on_bmv2, result.reason


def unexplained(results: Mapping[str, Result]) -> list[str]:
    """The tests that fail here alone, but for those that are expected to."""
    return [
        name
        for name, each in results.items()
        if each.here.failures
        and each.on_bmv2 is None
        and each.here.failures[0] != _EXPECTED.get(name)
    ]


STF = Runs(
    name="stf",
    help="p4c's packet tests, here and on BMv2.",
    find=with_tests,
    run=_run,
    sections=sections,
    unexplained=unexplained,
    needed={SWITCH: "BMv2", "simple_switch_CLI": "BMv2"},
)
