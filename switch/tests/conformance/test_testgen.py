"""p4testgen's tests: what is made once, what its tools say, and what the page tells of results."""

from pathlib import Path

import pytest
from conformance.p4c.programs import FOR_P4TESTGEN, Program, of_ours, of_p4c
from conformance.testgen import comparison
from conformance.testgen.generation import Generated, generate
from conformance.testgen.page import HEADING, sections, unexplained
from conformance.testgen.reasons import REASONS, Reason
from conformance.testgen.results import Result, Verdict, load, store
from p4abs_switch.errors import UserError

from ..tested_switches import Differing, EngineForBmv2

COMPILES = 'while [ "$1" != -o ]; do shift; done; echo {} > "$2"'
FOLDER = 'while [ "$1" != --out-dir ]; do shift; done; '
PASSED = Verdict(None, None, True)


class Workshop:
    """Stand-ins for the tools, which count their runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = folder / "runs"

    def generate(self, compiler: str, generator: str) -> Generated:
        for name, script in (("p4c-bm2-ss", compiler), ("p4testgen", generator)):
            tool = self.folder / name
            tool.write_text(f"#!/bin/sh\necho {name} >> {self.runs}\n{script}\n")
            tool.chmod(0o755)
        return generate(Program("a", Path("a.p4"), ()), self.folder / "made")


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return Workshop(tmp_path)


def covered(test: int, statements: int) -> str:
    return f"echo '============ Test {test}: Nodes covered: 0.5 ({statements}/20) ============'; "


def test_tests_are_in_the_order_they_were_made_in(workshop: Workshop) -> None:
    tests = "".join(f'touch "$2/test_{number}.stf"; ' for number in (10, 9, 1))
    made = workshop.generate(COMPILES, FOLDER + tests)
    assert [test.name for test in made.tests] == ["test_1.stf", "test_9.stf", "test_10.stf"]
    assert (made.program, made.obstacle) == (workshop.folder / "made" / "program.json", None)


def test_statements_of_tests_that_were_given_up_are_not_reached(workshop: Workshop) -> None:
    script = FOLDER + 'touch "$2/test_1.stf"; ' + covered(1, 7) + covered(2, 9)
    assert workshop.generate(COMPILES, script).covered == (7, 20)


def test_what_is_there_is_not_made_again(workshop: Workshop) -> None:
    first = workshop.generate(COMPILES, FOLDER + 'touch "$2/test_1.stf"')
    assert workshop.generate("exit 1", "exit 1") == first
    assert workshop.runs.read_text().split() == ["p4c-bm2-ss", "p4testgen"]


@pytest.mark.parametrize(
    ("compiler", "generator", "obstacle"),
    [
        (
            "echo 'x/a.p4(3): [--Werror=unsupported] error: no such thing'",
            "",
            "p4c-bm2-ss: no such thing",
        ),
        ("", "", "p4c-bm2-ss: says nothing and writes nothing"),
        (
            COMPILES,
            "echo 'Unimplemented P4Testgen support: x/a.p4(3): an extern'",
            "p4testgen: an extern",
        ),
        (
            COMPILES,
            "echo 'warning: Concolic constraints for this path are unsatisfiable.'",
            "p4testgen: finds no values that a hash or checksum lets through",
        ),
        (COMPILES, "echo 'warning: Unable to generate tests'", "p4testgen: finds no path"),
        (COMPILES, "", "p4testgen: makes no test and does not say why"),
        (COMPILES, 'echo "error: $(ulimit -t) s are left"', "p4testgen: 15 s are left"),
        (COMPILES, "kill -XCPU $$", "p4testgen: no end within 15 s of processor time"),
    ],
)
def test_why_a_program_has_no_test_is_told(
    workshop: Workshop, compiler: str, generator: str, obstacle: str
) -> None:
    made = workshop.generate(compiler, generator)
    assert (made.tests, made.obstacle) == ((), obstacle)


def test_whole_v1model_programs_are_found_under_names_of_their_own(tmp_path: Path) -> None:
    samples = tmp_path / "testdata" / "p4_16_samples"
    whole = "#include <v1model.p4>\nV1Switch(p()) main;"
    for path, text in (
        ("b.p4", whole),
        ("pins/a.p4", whole),
        ("part.p4", "#include <v1model.p4>"),
        ("psa.p4", "#include <psa.p4>\nmain;"),
        ("elsewhere/c.p4", whole),
    ):
        (samples / path).parent.mkdir(parents=True, exist_ok=True)
        (samples / path).write_text(text)
    assert [program.name for program in of_p4c(tmp_path, FOR_P4TESTGEN)] == ["b", "pins-a"]


def test_loops_of_ours_run_once_at_most(tmp_path: Path) -> None:
    source = tmp_path / "p4src" / "own" / "queue.p4"
    source.parent.mkdir(parents=True)
    source.write_text('#include "loop.p4"\n')
    loop = "for (i = 0; i < n; i = i + 1) { if (i == 7) { a(); } }"
    (tmp_path / "p4src" / "loop.p4").write_text(loop)
    ours = of_ours(source, tmp_path, tmp_path / "copies")
    assert (ours.name, ours.source) == ("ours-queue", tmp_path / "copies" / "queue.p4")
    assert "i = 0; if (i < n) { if (i == 7) { a(); } }" in ours.source.read_text()


def test_a_program_that_cannot_be_preprocessed_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.p4: cpp: "):
        of_ours(Path("none.p4"), tmp_path, tmp_path)


def test_what_fails_as_machine_code_alone_has_failed_here(
    kinds_json: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = "000000000001 000000000002 0800"
    test = tmp_path / "test.stf"
    test.write_text(
        f"add stations destination:1 forward(port:2)\npacket 1 {frame}\nexpect 2 {frame}$\n"
    )
    assert comparison.run(kinds_json, test, EngineForBmv2()) == PASSED
    monkeypatch.setattr(comparison, "Virtual", Differing)
    failure = "as machine code: port 2: 1 frame expected, 0 received"
    assert comparison.run(kinds_json, test, EngineForBmv2()) == Verdict(failure, None, False)


def test_a_reason_explains_the_failures_it_names_and_no_others() -> None:
    reason = Reason("p4c's fault", "malformed key")
    assert reason.explains("refused: table t: malformed key: invalid type")
    assert not reason.explains("line 3: wrong frame at port 1")
    assert not Reason("BMv2's fault").explains("line 3: wrong frame at port 1")


def test_results_are_read_as_they_were_stored(tmp_path: Path) -> None:
    results = {
        "a": Result((PASSED, Verdict("line 1: no", None, False)), 9, 7, None),
        "b": Result((), 0, 0, "p4testgen: finds no path"),
    }
    path = tmp_path / "results.json"
    assert load(path) == {}
    store(path, results)
    assert load(path) == results


def test_the_page_counts_and_names_what_fails() -> None:
    explained, told = next((name, of.here) for name, of in REASONS.items() if of.here)
    unforeseen = next(name for name, of in REASONS.items() if of.here is None)
    results = {
        "good": Result((PASSED, PASSED), 10, 8, None),
        "bad": Result((PASSED, Verdict("a | b", None, False)), 10, 10, None),
        "theirs": Result((Verdict(None, "died", True),), 1, 1, None),
        "odd": Result((Verdict(None, None, False),), 1, 1, None),
        explained: Result((Verdict(f"no: {told}; valid: 1", None, True),), 1, 1, None),
        unforeseen: Result((Verdict("wrong frame", None, False),), 1, 1, None),
        "none": Result((), 0, 0, "p4testgen: finds no path"),
    }
    lines = [*sections(results, 9)[HEADING]]
    assert "| programs run, of 9 | 7 |" in lines
    assert "| of these with tests | 6 |" in lines
    assert "| statements reached, of 24 | 22 |" in lines
    assert "| passed on the embedded switch | 5 |" in lines
    assert "| passed on BMv2 | 7 |" in lines
    assert "| the same frames from both | 5 |" in lines
    assert "| bad | 2 | 1 | 0 | 1 | `a \\| b` |" in lines
    assert "| theirs | 1 | 0 | 1 | 0 | `died` |" in lines
    assert any(line.startswith("| odd | 1 | 0 | 0 | 1 | ") for line in lines)
    assert any(line.endswith(f"`no: {told}` {REASONS[explained].why} |") for line in lines)
    assert "| `p4testgen: finds no path` | none |" in lines
    assert not any("good" in line for line in lines)
    assert unexplained(results) == ["bad", unforeseen]
