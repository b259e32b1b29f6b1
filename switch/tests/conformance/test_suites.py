"""The runner of other projects' packet tests: what it starts, what it reads, what it writes."""

from pathlib import Path

import pytest
from conformance.page import text
from conformance.suites import stand_ins
from conformance.suites.suites import FABRIC, UP4, Suite, finder
from conformance.table import SUITES
from conformance.verdict import Verdict
from p4abs_switch.errors import UserError

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
    [found] = finder([suite])(checkout)
    found.check()
    (checkout / suite.starter).unlink()
    with pytest.raises(UserError, match=f"no checkout of {suite.project}: no {suite.starter} in"):
        found.check()


@pytest.mark.parametrize("suite", [*UP4, *FABRIC], ids=lambda suite: suite.name)
def test_what_is_copied_holds_the_starter_and_the_tests(suite: Suite) -> None:
    assert suite.starter.is_relative_to(suite.copied)
    assert suite.tests.is_relative_to(suite.copied)


def test_the_libraries_that_no_run_uses_can_be_imported(tmp_path: Path) -> None:
    written = stand_ins.write(tmp_path / "stand-ins")
    assert (written / "testvector" / "tvutils.py").read_text() == ""
    assert "CTRexClient" in (written / "trex_stf_lib" / "trex_client.py").read_text()


def test_the_table_tells_every_failure(checkout: Path) -> None:
    labs = finder(FABRIC[:3])(checkout)
    names = [lab.name for lab in labs]
    ended = dict(zip(names, ({"": PASSED}, {"": FAILED}, {"": BROKEN}), strict=True))
    lines = text(SUITES.section, labs, ended, {}).splitlines()
    assert f"| {names[0]} | 2 | 1 | 0 |" in lines
    assert f"| {names[1]} | 2 | 0 | 1 |" in lines
    assert f"| {names[2]} | 0 | 0 | PTF ran no tests \\| at all |" in lines
    assert f"- {names[1]}: `A: AssertionError: a`" in lines
    assert "What failed" not in text(SUITES.section, labs[:1], {names[0]: {"": PASSED}}, {})
