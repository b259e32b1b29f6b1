"""p4c's packet tests: what BMv2 has done once is kept, and the page says what fails and where."""

import json
from pathlib import Path

import pytest
from conformance.p4c.programs import Program
from conformance.stf import command
from conformance.stf.command import COUNTS, FAILURES, STF, Result
from p4abs_switch.stf import Outcome

RESULTS = {
    "both": Result(Outcome(), None),
    "odd": Result(Outcome(("not compiled",)), "module missing"),
    "ours": Result(Outcome(("refused: a | b", "more")), None),
    "theirs": Result(Outcome(), "died"),
}


@pytest.fixture(autouse=True)
def versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "versions", lambda: "p4c 1.2 and BMv2 1.15")


def test_every_test_that_does_not_pass_on_both_is_listed_with_its_reason() -> None:
    sections = {heading: [*lines] for heading, lines in STF.sections(RESULTS, 4).items()}
    assert "| embedded switch | 4 | 2 | 2 |" in sections[COUNTS]
    assert "| BMv2 | 4 | 2 | 2 |" in sections[COUNTS]
    assert sections[COUNTS][-1] == "Made with p4c 1.2 and BMv2 1.15."
    assert sections[FAILURES][2:] == [
        "| odd | failed | failed | not compiled |",
        "| ours | failed | passed | refused: a \\| b |",
        "| theirs | passed | failed | BMv2: died |",
    ]


@pytest.mark.parametrize(
    ("name", "bytes_", "is_to_our_loss"),
    [("p4_14-counter3", 8, False), ("p4_14-counter3", 9, True), ("p4_14-counter2", 8, True)],
)
def test_only_what_fails_here_alone_and_unexpectedly_makes_the_run_fail(
    name: str, bytes_: int, is_to_our_loss: bool
) -> None:
    expected = Outcome((f"line 11: counter cnt(A) has {bytes_} bytes, expected == 12",))
    results = RESULTS | {name: Result(expected, None)}
    assert STF.unexplained(results) == ["ours"] + [name] * is_to_our_loss


def test_what_bmv2_has_done_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bmv2.json").write_text(json.dumps({"old": None}))
    runs = []
    monkeypatch.setattr(command, "run_on_bmv2", lambda _, program: runs.append(program.name))
    monkeypatch.setattr(command, "_here", lambda *_: Outcome())
    programs = [Program(name, tmp_path / f"{name}.p4", ()) for name in ("old", "new")]
    assert STF.run(tmp_path, programs, tmp_path) == {
        "old": Result(Outcome(), None),
        "new": Result(Outcome(), None),
    }
    assert runs == ["new"]
