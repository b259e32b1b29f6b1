"""The list of P4Runtime's requirements, the markers and the document belong together."""

import subprocess
import sys
from pathlib import Path

import pytest

from . import requirements
from .controller import API_VERSION
from .requirements import RequirementError, Specification, Test

REPOSITORY = Path(__file__).parents[2]
LIST = """
version = "1.5.0"
["7 Config"]
"7-1" = { must = "The cookie comes back" }
"7-2" = { should = "It is short", reason = "nobody asks for that" }
"7-3" = { must = "It is green", not_served = "UNIMPLEMENTED", reason = "it has no color" }
"""
COOKIE, COLOR = Test("test_config.py", "test_cookie"), Test("test_config.py", "test_color")


@pytest.fixture
def specification() -> Specification:
    return requirements.read(LIST)


def test_the_document_is_what_the_runner_writes(tmp_path: Path) -> None:
    written = tmp_path / "requirements.md"
    command = [sys.executable, "-m", "pytest", "switch/tests", "--collect-only", "-qq"]
    command += ["--requirements", str(written)]
    run = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    document = REPOSITORY / "docs" / "p4runtime-requirements.md"
    assert document.read_text() == written.read_text(), "update with: make requirements"


@pytest.mark.requirement("17-2")
def test_the_server_tells_the_version_whose_requirements_are_listed() -> None:
    assert requirements.read(requirements.SOURCE.read_text()).version == API_VERSION


def test_each_requirement_is_told_with_its_tests(specification: Specification) -> None:
    shown = specification.shown_by([(COOKIE, ["7-1"]), (COLOR, ["7-3"])])
    document = requirements.document(specification, shown)
    assert "| MUST | 1 | 1 | 0 |" in document
    assert "| SHOULD | 0 | 0 | 1 |" in document
    link = "[test_cookie](../switch/tests/test_config.py)"
    assert f"| 7-1 | MUST | The cookie comes back | {link} |" in document
    assert "| not served: UNIMPLEMENTED; it has no color<br>[test_color]" in document


def test_an_unknown_marker_is_named(specification: Specification) -> None:
    with pytest.raises(RequirementError, match=r"test_config\.py: test_cookie .* '7-9'"):
        specification.shown_by([(COOKIE, ["7-1", "7-9"])])
    with pytest.raises(RequirementError, match=r"test_config\.py: test_cookie"):
        specification.shown_by([(COOKIE, [])])


def test_a_requirement_without_test_or_reason_is_named(specification: Specification) -> None:
    with pytest.raises(RequirementError, match="7-1, 7-3"):
        requirements.document(specification, specification.shown_by([]))


@pytest.mark.parametrize(
    ("spoilt", "named"),
    [
        (LIST.replace('"7-2"', '"7-4"'), "7-4"),
        (LIST.replace("{ must", "{ may", 1), "7-1"),
        (LIST.replace("UNIMPLEMENTED", "MISSING"), "7-3 .* MISSING"),
        (LIST.replace(', reason = "it has no color"', ""), "7-3"),
    ],
    ids=["a number left out", "no level", "no status", "no reason"],
)
def test_a_list_that_cannot_be_is_refused_by_id(spoilt: str, named: str) -> None:
    with pytest.raises(RequirementError, match=named):
        requirements.read(spoilt)
