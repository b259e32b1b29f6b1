"""Which of p4c's programs have a packet test, and what they are called."""

from pathlib import Path

import pytest
from conformance.p4c.programs import Program, with_tests


@pytest.fixture
def p4c(tmp_path: Path) -> Path:
    for name, text in {
        "p4_16_samples/same.p4": "#include <v1model.p4>",
        "p4_16_samples/psa.p4": "#include <psa.p4>",
        "p4_16_samples/untested.p4": "#include <v1model.p4>",
        "p4_14_samples/same.p4": "header_type h { fields { f : 8; } }",
    }.items():
        source = tmp_path / "testdata" / name
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        if source.stem != "untested":
            source.with_suffix(".stf").touch()
    return tmp_path


@pytest.fixture
def found(p4c: Path) -> dict[str, Program]:
    return {sample.name: sample for sample in with_tests(p4c)}


def test_programs_in_both_languages_have_names_of_their_own(found: dict[str, Program]) -> None:
    assert [*found] == ["p4_14-same", "same"]
    assert found["p4_14-same"].test.parent.name == "p4_14_samples"


def test_each_is_compiled_as_what_it_is(found: dict[str, Program]) -> None:
    assert found["same"].language == ("--arch", "v1model")
    assert found["p4_14-same"].language == ("--std", "p4-14")


def test_a_test_without_a_program_is_left_out(p4c: Path) -> None:
    (p4c / "testdata" / "p4_14_samples" / "alone.stf").touch()
    assert "p4_14-alone" not in {sample.name for sample in with_tests(p4c)}
