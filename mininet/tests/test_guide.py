"""The runner of p4-guide's demonstrations: which it takes, what it reads, what it writes."""

from pathlib import Path

import pytest
from absguide.page import Verdicts, is_worse, section
from absguide.scripts import INTERFACES, Script, find
from absguide.verdict import Verdict, read
from abstutorials.switches import DROP_IN, SWITCH
from guide import main
from p4abs.cli import run

STARTED = "+ sudo ptf\ndemo1.FwdTest ... open: No such file\nok\ndemo1.DupEntryTest ... "
DASHES = "-" * 70
FAILED = f"""FAIL
{"=" * 70}
FAIL: demo1.DupEntryTest
{DASHES}
Traceback (most recent call last):
  File "demo1.py", line 1, in runTest
KeyError: 'first'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
    self.fail()
AssertionError: Expected packet was not received: a | b
open: No such file
{"=" * 70}
ERROR: demo1.FwdTest
{DASHES}
Traceback (most recent call last):
p4runtime_sh.p4runtime.P4RuntimeWriteException: Error(s) during Write:
	* At index 0: INVALID_ARGUMENT, 'Invalid'

{DASHES}
"""


def test_tests_that_pass_are_read() -> None:
    verdict = read(f"{STARTED}ok\n{DASHES}\nRan 2 tests in 1.5s\n\nopen: noise\nOK\nKilled\n")
    assert verdict == Verdict(("FwdTest", "DupEntryTest"))
    assert verdict.passed


def test_tests_that_run_one_by_one_are_read_as_one_run() -> None:
    verdict = read(
        f"demo1.One ... ok\n\n{DASHES}\nRan 1 test in 1.5s\n\nOK\n"
        f"demo1.Two ... \nnoise\nskipped 'why'\n\n{DASHES}\nRan 1 test in 0.0s\n\nOK (skipped=1)\n"
        f"demo1.DupEntryTest ... {FAILED}Ran 1 test in 1.0s\n\nFAILED (failures=1)\n"
    )
    assert (verdict.tests, verdict.skipped) == (("One", "Two", "DupEntryTest"), 1)
    assert list(verdict.failures) == ["DupEntryTest", "FwdTest"]


def test_tests_that_fail_are_read_with_their_reasons() -> None:
    verdict = read(f"{STARTED}{FAILED}Ran 2 tests in 1.5s\n\nFAILED (failures=1, errors=1)\n")
    assert verdict.failures == {
        "DupEntryTest": "AssertionError: Expected packet was not received: a | b",
        "FwdTest": "p4runtime_sh.p4runtime.P4RuntimeWriteException: Error(s) during Write: "
        "* At index 0: INVALID_ARGUMENT, 'Invalid'",
    }
    assert not verdict.passed


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("", "PTF ran no tests"),
        ("Ran 0 tests in 0.0s\n\nOK\n", "PTF ran no tests"),
        (
            "demo1.FwdTest ... skipped 'x'\nRan 1 test in 0s\n\nOK (skipped=1)\n",
            "all tests left themselves out",
        ),
        (
            f"{STARTED}ok\n{DASHES}\nRan 1 test in 1s\n\nOK\nTraceback\nOSError: gone\n",
            "OSError: gone",
        ),
        (f"{STARTED}ok\n", "PTF ran no tests"),
        ("Traceback\nModuleNotFoundError: No module\n", "ModuleNotFoundError: No module"),
        (f"{STARTED}ok\nRan 2 tests in 1s\n", "PTF does not say how its tests ended"),
        (f"{STARTED}ok\nRan 2 tests in 1s\nFAILED\n", "PTF does not say how its tests ended"),
        (f"{STARTED}{FAILED}Ran 2 tests in 1s\nOK\n", "PTF does not say how its tests ended"),
    ],
)
def test_what_did_not_run_to_its_end_is_no_success(said: str, reason: str) -> None:
    verdict = read(said)
    assert verdict.broken == reason
    assert not verdict.passed


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    """A checkout with scripts of all kinds."""
    for path, text in (
        (str(INTERFACES), "ip link"),
        ("testlib/utils.py", "shared"),
        ("demo1/runptf.sh", "sudo simple_switch_grpc"),
        ("demo1/demo1.p4", "program"),
        ("demo1/p4testgen-runptf.sh", "sudo simple_switch_grpc"),
        ("entries/const-entries-runptf.sh", "sudo simple_switch_grpc"),
        ("ipdk/sample/runptf.sh", "infrap4d"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_scripts_that_start_bmv2_and_have_their_tests_are_taken(guide: Path) -> None:
    assert [script.name for script in find(guide)] == ["demo1", "entries/const-entries"]


def test_a_demonstration_is_copied_fresh_with_what_all_share(guide: Path, tmp_path: Path) -> None:
    script, root = Script(Path("demo1/runptf.sh")), tmp_path / "copy"
    (script.copy(guide, root) / "demo1.json").write_text("left behind")
    folder = script.copy(guide, root)
    assert {path.name for path in folder.iterdir()} >= {"runptf.sh", "demo1.p4"}
    assert not (folder / "demo1.json").exists()
    assert (root / INTERFACES).exists()
    assert (folder.parent / "testlib" / "utils.py").read_text() == "shared"


PASSED = Verdict(("A", "B"))
FAILED_A = Verdict(("A", "B"), {"A": "AssertionError: a"})
BROKEN = Verdict(broken="PTF ran no tests")


@pytest.mark.parametrize(
    ("here", "there", "worse"),
    [
        (PASSED, PASSED, False),
        (FAILED_A, PASSED, True),
        (FAILED_A, FAILED_A, False),
        (FAILED_A, Verdict(("A", "B"), {"B": "AssertionError: b"}), True),
        (PASSED, FAILED_A, False),
        (BROKEN, PASSED, True),
        (BROKEN, FAILED_A, True),
        (FAILED_A, BROKEN, False),
    ],
)
def test_worse_is_what_fails_here_alone(here: Verdict, there: Verdict, worse: bool) -> None:
    assert is_worse({DROP_IN: here, SWITCH: there}) is worse


def test_the_table_tells_every_failure_and_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("absguide.page.REASONS", {("demo1", SWITCH): "It cannot."})
    verdicts: dict[str, Verdicts] = {
        "demo1": {DROP_IN: PASSED, SWITCH: FAILED_A},
        "demo2": {DROP_IN: BROKEN, SWITCH: PASSED},
    }
    lines = section(verdicts).splitlines()
    assert "| demo1 | A, B | passed | failed: A |" in lines
    assert "| demo2 | A, B | failed | passed |" in lines
    assert "- demo1 on BMv2: `A: AssertionError: a`. It cannot." in lines
    assert "- demo2 on the embedded target: `PTF ran no tests`." in lines
    assert "What failed" not in section({"demo1": {DROP_IN: PASSED, SWITCH: PASSED}})


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((), ": no checkout of jafingerhut/p4-guide"),
        (("--page", "nowhere.md"), "Invalid value for '--page': File 'nowhere.md' does not exist"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    options: tuple[str, ...],
    complaint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(main, "guide", [str(tmp_path), *options])
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("here", "there", "status"),
    [(PASSED, PASSED, 0), (FAILED_A, PASSED, 1), (PASSED, FAILED_A, 2), (BROKEN, BROKEN, 2)],
)
def test_a_table_is_written_only_where_bmv2_passes_something(
    here: Verdict,
    there: Verdict,
    status: int,
    guide: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Conformance\n")
    monkeypatch.setattr("guide.check_programs", lambda programs: None)
    monkeypatch.setattr("guide.path_with", lambda switch, folder: switch)
    by_switch = {DROP_IN: here, SWITCH: there}
    monkeypatch.setattr("guide.run", lambda script, guide, root, path: by_switch[path])
    (tmp_path / "results").mkdir()
    options = ["--results", str(tmp_path / "results"), "--page", str(page)]
    with pytest.raises(SystemExit) as ended:
        run(main, "guide", [str(guide), *options])
    assert ended.value.code == status
    assert ("| demo1 |" in page.read_text()) is there.passed


def test_an_unknown_script_is_refused(guide: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(main, "guide", [str(guide), "--scripts", "demo1,nope"])
    assert ended.value.code == 2
    assert "no script 'nope'; valid: demo1, entries/const-entries" in capsys.readouterr().err
