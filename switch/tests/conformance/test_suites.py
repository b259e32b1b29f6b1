"""The runner of other projects' packet tests: what it starts, what it reads, what it writes."""

from pathlib import Path

import pytest
from conformance.page import lines as told
from conformance.suites import older, stand_ins
from conformance.suites.suites import FABRIC, NGSDN, UP4, Suite, finder
from conformance.table import SUITES
from conformance.verdict import Verdict
from p4abs_switch.errors import UserError
from p4abs_switch.testbed.process import ProcessFailed

PASSED = Verdict(("A", "B"), skipped=1)
FAILED = Verdict(("A", "B"), {"A": "AssertionError: a"})
BROKEN = Verdict(broken="PTF ran no tests | at all")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """One of all projects at once."""
    for suite in (*UP4, *FABRIC, *NGSDN):
        (tmp_path / suite.tests).mkdir(parents=True, exist_ok=True)
        for path in (suite.program, suite.starter):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).touch()
    return tmp_path


@pytest.mark.parametrize("suite", [*UP4, *FABRIC, *NGSDN], ids=lambda suite: suite.name)
def test_a_checkout_has_a_suites_program_starter_and_tests(suite: Suite, checkout: Path) -> None:
    [found] = finder([suite])(checkout)
    found.check()
    (checkout / suite.starter).unlink()
    with pytest.raises(UserError, match=f"no checkout of {suite.project}: no {suite.starter} in"):
        found.check()


@pytest.mark.parametrize("suite", [*UP4, *FABRIC, *NGSDN], ids=lambda suite: suite.name)
def test_what_is_copied_holds_the_program_the_starter_and_the_tests(suite: Suite) -> None:
    for path in (suite.program, suite.starter, suite.tests):
        assert any(path.is_relative_to(copied) for copied in suite.copied)


def test_tests_in_python_2_become_python_3(tmp_path: Path) -> None:
    (tmp_path / "convert.py").write_text(
        "import Queue\n"
        "from helper import encode\n"
        "def address(mac): return mac.replace(':', '').decode('hex')\n"
        "print Queue.Queue, str(pkt), str(name)\n"
        'def mac(bytes_): return "".join(chr(b) for b in bytes_)\n'
    )
    older.renew(tmp_path)
    assert (tmp_path / "convert.py").read_text().splitlines() == [
        "import queue",
        "from helper import encode",
        "def address(mac): return bytes.fromhex(mac.replace(':', ''))",
        "print(queue.Queue, bytes(pkt), str(name))",
        "def mac(bytes_): return bytes(bytes_)",
    ]
    (tmp_path / "convert.py").write_text("print 'a\n")
    with pytest.raises(ProcessFailed, match="lib2to3 did not translate"):
        older.renew(tmp_path)


def test_a_clone_keeps_the_port_that_it_came_from(tmp_path: Path) -> None:
    (tmp_path / "main.p4").write_text(
        "struct local_metadata_t {\n"
        "clone3(CloneType.I2E, SESSION, { standard_metadata.ingress_port });\n"
        "hdr.cpu_in.ingress_port = standard_metadata.ingress_port;\n"
    )
    older.renew(tmp_path)
    assert (tmp_path / "main.p4").read_text() == (
        "struct local_metadata_t { @field_list(0) bit<9> cloned_from;\n"
        "local_metadata.cloned_from = standard_metadata.ingress_port;"
        " clone_preserving_field_list(CloneType.I2E, SESSION, 0);\n"
        "hdr.cpu_in.ingress_port = local_metadata.cloned_from;\n"
    )


def test_the_libraries_that_no_run_uses_can_be_imported(tmp_path: Path) -> None:
    written = stand_ins.write(tmp_path / "stand-ins")
    assert (written / "testvector" / "tvutils.py").read_text() == ""
    assert "CTRexClient" in (written / "trex_stf_lib" / "trex_client.py").read_text()


def test_the_table_tells_every_failure(checkout: Path) -> None:
    labs = finder(FABRIC[:3])(checkout)
    names = [lab.name for lab in labs]
    ended = dict(zip(names, ({"": PASSED}, {"": FAILED}, {"": BROKEN}), strict=True))
    lines = [*told(SUITES.section, labs, ended, {})]
    assert f"| {names[0]} | 2 | 1 | 0 |" in lines
    assert f"| {names[1]} | 2 | 0 | 1 |" in lines
    assert f"| {names[2]} | 0 | 0 | PTF ran no tests \\| at all |" in lines
    assert f"- {names[1]}: `A: AssertionError: a`" in lines
    assert "What failed" not in "\n".join(
        told(SUITES.section, labs[:1], {names[0]: {"": PASSED}}, {})
    )
