"""A P4Info beside a program: where it is found, and what of it is taken."""

from pathlib import Path

import pytest
from p4abs.access.program import (
    P4INFO_ENDINGS,
    InvalidP4Info,
    load_program,
    p4info_path,
    parse_p4info,
    program_path,
)

QUEUE = program_path("queue")
TEXT = p4info_path(QUEUE).read_text()
KNOWN = parse_p4info(TEXT)


def test_a_file_of_one_long_line_is_refused_in_few_words() -> None:
    with pytest.raises(InvalidP4Info, match=r"^1:2 : Expected identifier\.$"):
        parse_p4info('["tables", ' + "1, " * 10_000 + "1]")


@pytest.mark.parametrize(
    "ending", [".p4info.txtpb", ".p4info.txt", ".p4.p4info.txtpb", ".p4.p4info.txt"]
)
def test_it_is_found_as_p4c_and_as_the_tutorials_call_it(ending: str, tmp_path: Path) -> None:
    program = tmp_path / "x.json"
    program.write_bytes(QUEUE.read_bytes())
    (tmp_path / f"x{ending}").write_text(TEXT)
    assert load_program(str(program)).p4info == KNOWN


def test_of_two_the_one_of_the_program_s_name_is_taken(tmp_path: Path) -> None:
    names = [tmp_path / f"x{ending}" for ending in P4INFO_ENDINGS]
    for name in reversed(names):
        name.touch()
        assert p4info_path(tmp_path / "x.json") == name


def test_one_that_is_missing_is_looked_for_by_the_program_s_name(tmp_path: Path) -> None:
    assert p4info_path(tmp_path / "x.json") == tmp_path / "x.p4info.txtpb"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"\ufeff{TEXT}", "byte order mark"),
        (f"{TEXT}\nfrom_the_future {{ x: 1 }}\n", "from_the_future"),
        (TEXT.replace("tables {", "tables { of_later: 7 ", 1), "of_later"),
    ],
)
def test_what_newer_compilers_write_is_left_out_with_a_warning(
    text: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert parse_p4info(text) == KNOWN
    [message] = caplog.messages
    assert told in message
    assert "\n" not in message


def test_what_is_usual_is_taken_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    assert parse_p4info(TEXT) == KNOWN
    assert caplog.messages == []


@pytest.mark.parametrize("text", ["not a P4Info", "a: 1", "tables { of_later: }", "tables {"])
def test_something_else_altogether_is_refused(text: str) -> None:
    with pytest.raises(InvalidP4Info):
        parse_p4info(text)
