"""The runner of p4-guide's demonstrations: which it takes, what it reads, what it writes."""

from pathlib import Path

import pytest
from conformance.guide.scripts import INTERFACES, Script, find
from conformance.page import lines as told
from conformance.table import GUIDE
from conformance.verdict import Verdict, read
from conformance.workplace.switches import OVER_P4RUNTIME

DROP_IN, BMV2 = OVER_P4RUNTIME.drop_in, OVER_P4RUNTIME.bmv2
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
    for path, content in (
        (str(INTERFACES), "ip link"),
        ("testlib/utils.py", "shared"),
        ("demo1/runptf.sh", "sudo simple_switch_grpc"),
        ("demo1/demo1.p4", "program"),
        ("demo1/p4testgen-runptf.sh", "sudo simple_switch_grpc"),
        ("entries/const-entries-runptf.sh", "sudo simple_switch_grpc"),
        ("ipdk/sample/runptf.sh", "infrap4d"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    return tmp_path


def test_scripts_that_start_bmv2_and_have_their_tests_are_taken(guide: Path) -> None:
    assert [script.name for script in find(guide)] == ["demo1", "entries/const-entries"]


def test_a_demonstration_is_copied_fresh_with_what_all_share(guide: Path, tmp_path: Path) -> None:
    script, root = Script(guide, Path("demo1/runptf.sh")), tmp_path / "copy"
    (script.copy(root) / "demo1.json").write_text("left behind")
    folder = script.copy(root)
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
    assert here.is_worse_than(there) is worse


def test_the_table_tells_every_failure_and_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.table.REASONS", {("demo1", BMV2): "It cannot."})
    verdicts = {
        "demo1": {DROP_IN: PASSED, BMV2: FAILED_A},
        "demo2": {DROP_IN: BROKEN, BMV2: PASSED},
    }
    scripts = [Script(Path(), Path(name, "runptf.sh")) for name in verdicts]
    lines = [*told(GUIDE.section, scripts, verdicts, {})]
    assert "| demo1 | A, B | passed | failed: A |" in lines
    assert "| demo2 | A, B | failed | passed |" in lines
    assert "- demo1 on BMv2: `A: AssertionError: a`. It cannot." in lines
    assert "- demo2 on the embedded switch: `PTF ran no tests`." in lines
    passed = {"demo1": {DROP_IN: PASSED, BMV2: PASSED}}
    assert "What failed" not in "\n".join(told(GUIDE.section, scripts, passed, {}))
