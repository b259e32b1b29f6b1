"""The runner of other projects' packet tests: what it starts, what it reads, what it writes."""

from pathlib import Path

import pytest
from absguide.verdict import Verdict
from abssuites import stand_ins
from abssuites.page import section
from abssuites.suites import FABRIC, UP4, Suite
from p4abs.cli import run
from p4abs.errors import UserError
from suites import main

PASSED = Verdict(("A", "B"), skipped=1)
FAILED = Verdict(("A", "B"), {"A": "AssertionError: a"})
BROKEN = Verdict(broken="PTF ran no tests | at all")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """One of both projects at once."""
    for suite in (*UP4, *FABRIC):
        (tmp_path / suite.tests).mkdir(parents=True, exist_ok=True)
        for path in (suite.program, suite.starter):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).touch()
    return tmp_path


@pytest.mark.parametrize("suite", [*UP4, *FABRIC], ids=lambda suite: suite.name)
def test_a_checkout_has_a_suites_program_starter_and_tests(suite: Suite, checkout: Path) -> None:
    suite.check(checkout)
    (checkout / suite.starter).unlink()
    with pytest.raises(UserError, match=f"no checkout of {suite.project}: no {suite.starter} in"):
        suite.check(checkout)


@pytest.mark.parametrize("suite", [*UP4, *FABRIC], ids=lambda suite: suite.name)
def test_what_is_copied_holds_the_starter_and_the_tests(suite: Suite) -> None:
    assert suite.starter.is_relative_to(suite.copied)
    assert suite.tests.is_relative_to(suite.copied)


def test_the_libraries_that_no_run_uses_can_be_imported(tmp_path: Path) -> None:
    written = stand_ins.write(tmp_path / "stand-ins")
    assert (written / "testvector" / "tvutils.py").read_text() == ""
    assert "CTRexClient" in (written / "trex_stf_lib" / "trex_client.py").read_text()


def test_the_table_tells_every_failure() -> None:
    lines = section({"one": PASSED, "two": FAILED, "three": BROKEN}).splitlines()
    assert "| one | 2 | 1 | 0 |" in lines
    assert "| two | 2 | 0 | 1 |" in lines
    assert "| three | 0 | 0 | PTF ran no tests \\| at all |" in lines
    assert "- two: `A: AssertionError: a`" in lines
    assert "What failed" not in section({"one": PASSED})


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--up4", "none"), "none: no checkout of omec-project/up4: no p4src/main.p4 in it"),
        ((), "no checkout: give --up4, --fabric or both"),
        (
            ("--up4", "none", "--suites", "fabric"),
            "no suite 'fabric'; valid: up4",
        ),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    options: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(main, "suites", list(options))
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(("verdict", "status"), [(PASSED, 0), (FAILED, 1), (BROKEN, 1)])
def test_the_exit_status_tells_whether_all_tests_passed(
    verdict: Verdict, status: int, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = checkout / "page.md"
    page.write_text("# Conformance\n")
    for check in ("check_programs", "check_modules", "prepare_networks"):
        monkeypatch.setattr(f"suites.{check}", lambda *_: None)
    asked: list[str] = []

    def ended(suite: Suite, checkout: Path, folder: Path) -> Verdict:
        asked.append(suite.name)
        return verdict if suite.name == "fabric" else PASSED

    monkeypatch.setattr("suites.run", ended)
    results = checkout / "results"
    results.mkdir()
    folders = ("--fabric", str(checkout), "--results", str(results), "--page", str(page))
    with pytest.raises(SystemExit) as end:
        run(main, "suites", list(folders))
    assert end.value.code == status
    assert asked == ["fabric", "fabric-int", "fabric-upf", "fabric-upf-int"]
    assert "| fabric-upf-int | 2 | 1 | 0 |" in page.read_text()
