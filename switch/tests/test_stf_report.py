"""The conformance report says what fails and where, and keeps the notes of others."""

import json

import pytest
from p4abs_switch.stf import Outcome, StfError
from p4abs_switch.stf.report import (
    later_sections,
    read_peer_results,
    report,
)

PEER = {
    "compiler": "p4c 1.2",
    "switch": "BMv2 1.15",
    "results": {"both": None, "ours": None, "theirs": "died", "odd": "module missing"},
}
OUTCOMES = {
    "both": Outcome(),
    "ours": Outcome(("refused: a | b", "more")),
    "theirs": Outcome(),
}


def test_every_test_that_does_not_pass_on_both_is_listed_with_its_reason() -> None:
    text = report(OUTCOMES, read_peer_results(json.dumps(PEER)), "- notes\n")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert "| embedded target | 4 | 2 | 2 |" in rows
    assert "| BMv2 | 4 | 2 | 2 |" in rows
    assert "| ours | failed | passed | refused: a \\| b |" in rows
    assert "| theirs | passed | failed | BMv2: died |" in rows
    assert any(row.startswith("| odd | failed | failed |") for row in rows)
    assert not any("both" in row for row in rows)
    assert "p4c 1.2" in text
    assert text.endswith("## Differences\n\n- notes\n")


def test_without_failures_there_is_no_table() -> None:
    peer = read_peer_results(json.dumps({**PEER, "results": {"both": None}}))
    assert "None, on either." in report({"both": Outcome()}, peer, "")


@pytest.mark.parametrize("text", ["[]", "{", '{"results": {}}', "[" * 100_000])
def test_a_file_of_another_kind_is_refused(text: str) -> None:
    with pytest.raises(StfError, match="is not a file of peer results"):
        read_peer_results(text)


def test_the_sections_of_others_are_written_again() -> None:
    page = report(OUTCOMES, read_peer_results(json.dumps(PEER)), "- notes\n")
    assert later_sections("") == ""
    assert later_sections(page) == ""
    others = "\n## Exercises\n\n| basic | passed |\n\n## Demonstrations\n\n| demo1 |\n"
    assert later_sections(page + others) == others
