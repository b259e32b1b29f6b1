"""p4c's programs over P4Runtime: what is asked, how answers are compared, and what is told."""

from pathlib import Path

import pytest
from conformance.__main__ import main
from conformance.p4c.compilation import compiled
from conformance.p4c.programs import Program
from conformance.samples.comparison import Result, compared
from conformance.samples.entries import entries
from conformance.samples.observation import AFTERWARDS, ENDED, PUSH, Answer, canonical
from conformance.samples.report import HEADING, sections, unexplained
from conformance.samples.switches import SwitchUnderTest, embedded
from conformance.workplace.compiler import DoesNotCompile
from finsy.proto import p4i, p4r
from p4abs_switch.command_line.run import run
from p4abs_switch.p4info_text import parse_p4info

from ..conftest import PROGRAMS
from ..controller import pipeline_config


def p4info(name: str) -> p4i.P4Info:
    return parse_p4info((PROGRAMS / f"{name}.p4info.txtpb").read_text())


@pytest.fixture(scope="module")
def switch() -> SwitchUnderTest:
    with SwitchUnderTest(embedded) as running:
        yield running


@pytest.mark.parametrize("name", ["kinds", "resources", "router", "prefixes_of_part_bytes"])
def test_what_is_inserted_is_read_back_and_deleted(name: str, switch: SwitchUnderTest) -> None:
    answers = switch.answers(pipeline_config(PROGRAMS / f"{name}.json"))
    told = p4info(name)
    constant = {f"table {table.preamble.alias}" for table in told.tables if table.is_const_table}
    inserted = [entity for entity, _ in entries(told) if entity not in constant]
    assert inserted
    for entity in inserted:
        assert answers[f"insert {entity}"] == Answer(), entity
        assert len(answers[f"read inserted {entity}"].entities) == 1
        assert answers[f"delete {entity}"] == Answer()


def test_a_push_that_is_refused_is_the_only_request(switch: SwitchUnderTest) -> None:
    config = pipeline_config(PROGRAMS / "kinds.json")
    config.p4_device_config = b"{}"
    answers = switch.answers(config)
    assert [*answers] == [PUSH]
    assert answers[PUSH].code == "INVALID_ARGUMENT"


def test_messages_that_mean_the_same_are_the_same() -> None:
    def entry(*values: tuple[int, bytes]) -> p4r.TableEntry:
        matches = [
            p4r.FieldMatch(field_id=number, exact=p4r.FieldMatch.Exact(value=value))
            for number, value in values
        ]
        return p4r.TableEntry(table_id=1, match=matches)

    first, second = entry((1, b"\0\1"), (2, b"\2")), entry((2, b"\2"), (1, b"\1"))
    assert canonical(first) == canonical(second) != canonical(entry((1, b"\1"), (2, b"\3")))


OK = Answer()
CONSTANT = Answer(entities=("{a is_const=True}",))
TOLD = Answer(entities=("{a}",))
REMOVED = Answer("INVALID_ARGUMENT", "table t is in P4Info only")
ODD = Answer("INTERNAL", "odd")


def result(here: Answer, there: Answer, request: str = "read a") -> Result:
    return compared("a", {PUSH: OK, request: here}, {PUSH: OK, request: there})


@pytest.mark.parametrize(
    ("here", "there", "differences", "without_reason"),
    [
        (OK, OK, 0, 0),
        (ODD, Answer("INTERNAL", "in other words"), 0, 0),
        (CONSTANT, TOLD, 1, 0),
        (REMOVED, OK, 1, 0),
        (ODD, OK, 1, 1),
        (OK, ODD, 1, 1),
        (TOLD, OK, 1, 1),
    ],
)
def test_answers_differ_by_code_and_entities_and_some_for_a_reason(
    here: Answer, there: Answer, differences: int, without_reason: int
) -> None:
    found = result(here, there)
    assert len(found.differences) == differences
    assert len(unexplained({"a": found})) == without_reason


def test_an_end_is_told_and_what_comes_after_it_is_not_compared() -> None:
    ended = {PUSH: OK, AFTERWARDS: Answer(ENDED, "gone")}
    found = compared("a", {PUSH: OK, "read a": OK}, ended)
    assert (found.requests, found.differences) == (1, ())


def test_the_page_counts_verdicts_and_names_reasons() -> None:
    here, there = result(CONSTANT, TOLD), Result(False, True, 1, ())
    told = [*sections({"a": here, "b": there}, 5)[HEADING]]
    for row in ("| programs | 5 |", "| both switches accept | 1 |", "| only BMv2 accepts | 1 |"):
        assert row in told
    assert "| BMv2 does not report that entries are constant. | 1 | a |" in told


def test_what_is_compiled_is_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "p4c-bm2-ss"
    compiler.write_text(
        '#!/bin/sh\necho x >> runs\ncase "$*" in *bad*) exit 1;; esac\n'
        'while [ "$1" != -o ]; do shift; done; echo {} > "$2"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for name, is_refused in (("good", False), ("bad", True)):
        program = Program(name, tmp_path / f"{name}.p4", (tmp_path,))
        for _ in range(2):
            try:
                assert compiled(program, tmp_path / name).json.exists()
                assert not is_refused
            except DoesNotCompile:
                assert is_refused
    assert (tmp_path / "runs").read_text() == "x\nx\n"


def test_no_checkout_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run(main, "conformance", ["samples", str(tmp_path)])
    told = capsys.readouterr().err
    assert (end.value.code, told.count("\n")) == (2, 1)
    assert "no checkout of p4c" in told
