"""Labs in a row: what is refused, told, kept and written, and with which status it ends."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from conformance.__main__ import command, main
from conformance.collection import Collection, Place
from conformance.learning.pings import Pings
from conformance.outcome import Outcome
from conformance.page import put, table
from conformance.samples.command import SAMPLES
from conformance.stf.command import COUNTS, FAILURES
from conformance.table import COLLECTIONS, SUITES, TUTORIALS
from conformance.testgen.command import TESTGEN
from conformance.verdict import Verdict
from conformance.workplace.compiler import DoesNotCompile
from conformance.workplace.switches import OVER_P4RUNTIME
from p4abs_switch.command_line.run import run
from p4abs_switch.errors import UserError

ROOT = Path(__file__).parents[3]
DROP_IN, BMV2 = OVER_P4RUNTIME.drop_in, OVER_P4RUNTIME.bmv2


@dataclass(frozen=True)
class Lab:
    """One whose outcomes are known."""

    name: str
    outcomes: dict[str, Outcome]
    checkout: Path = ROOT

    def check(self) -> None:
        pass

    def run(self, switch: str, _place: Place) -> Outcome:
        if not self.outcomes:
            raise DoesNotCompile("error: too old")
        return self.outcomes[switch]


def collection(labs: Sequence[Lab], of: Collection = TUTORIALS) -> Collection:
    """Its row of the table with other labs, which need nothing and are told alone."""
    section = replace(of.section, cells=lambda _lab, *outcomes: outcomes)
    return replace(
        of,
        finders={"checkout": lambda _: labs},
        programs={},
        modules=(),
        networks=False,
        section=section,
    )


def ended(labs: Sequence[Lab], page: Path, of: Collection = TUTORIALS) -> int:
    """The exit status."""
    page.write_text(f"# Conformance\n\n{of.section.heading}\n")
    options = ["--results", str(page.parent / "results"), "--page", str(page)]
    with pytest.raises(SystemExit) as end:
        run(command(collection(labs, of)), "conformance", [str(ROOT), *options])
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.mark.parametrize(
    ("here", "there", "status"),
    [
        (Outcome(), Outcome(), 0),
        (Outcome(broken="silent"), Outcome(), 1),
        (Outcome(), Outcome(broken="silent"), 2),
        (Outcome(broken="silent"), Outcome(broken="silent"), 2),
        (Verdict(("A", "B"), {"A": "a"}), Verdict(("A", "B")), 1),
        (Verdict(("A", "B")), Verdict(("A", "B"), {"A": "a"}), 2),
        (Pings(1, 2), Pings(2, 2), 1),
        (Pings(1, 2), Pings(0, 2), 2),
    ],
)
def test_a_table_is_written_only_where_bmv2_shows_something(
    here: Outcome, there: Outcome, status: int, tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    assert ended([Lab("basic", {DROP_IN: here, BMV2: there})], page) == status
    assert ("| basic |" in page.read_text()) is there.passed


@pytest.mark.parametrize(
    ("here", "status"),
    [(Verdict(("A",)), 0), (Verdict(("A",), {"A": "a"}), 1), (Verdict(broken="no tests"), 1)],
)
def test_where_bmv2_is_left_out_all_must_pass(here: Verdict, status: int, tmp_path: Path) -> None:
    labs = [Lab("one", {DROP_IN: Verdict(("A",))}), Lab("two", {DROP_IN: here})]
    assert ended(labs, tmp_path / "page.md", SUITES) == status
    assert "\n| two |" in (tmp_path / "page.md").read_text()


def test_what_comes_of_a_lab_is_told_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labs = [Lab("ecmp", {DROP_IN: Pings(2, 2), BMV2: Pings(1, 2)}), Lab("old", {})]
    assert ended(labs, tmp_path / "page.md") == 0
    assert capsys.readouterr().out == (
        f"ecmp on {DROP_IN}: 2 of 2\necmp on {BMV2}: 1 of 2\nold: not compiled: error: too old\n"
    )
    kept = json.loads((tmp_path / "results" / "tutorials.json").read_text())
    assert kept["ecmp"][BMV2] == {"answered": 1, "sent": 2, "broken": None}
    assert "- old: `error: too old`" in (tmp_path / "page.md").read_text()


def test_tables_take_the_place_of_those_in_their_section_and_prose_stays(tmp_path: Path) -> None:
    page = tmp_path / "conformance.md"
    page.write_text("# Conformance\n\n## A\n\nWhy.\n\n| old |\n\nTold.\n\n## B\n\nOther.\n")
    put(page, "## A", table(("", "new"), [("a|b", 1)]))
    assert page.read_text() == (
        "# Conformance\n\n## A\n\nWhy.\n\n| | new |\n|---|---|\n| a\\|b | 1 |\n\n## B\n\nOther.\n"
    )


def test_a_page_without_the_section_is_refused(tmp_path: Path) -> None:
    (page := tmp_path / "page.md").write_text("## AB\n")
    with pytest.raises(UserError, match=f"^{page}: no section '## A' in it$"):
        put(page, "## A", ["| new |"])


TABLE_HEADS = {
    **{each.section.heading: next(iter(table(each.section.columns, ()))) for each in COLLECTIONS},
    **{
        heading: next(iter(lines))
        for runs in (SAMPLES, TESTGEN)
        for heading, lines in runs.sections({}, 0).items()
    },
    COUNTS: "| | tests | passed | failed |",
    FAILURES: "| test | embedded switch | BMv2 | reason |",
}


@pytest.mark.parametrize("heading", TABLE_HEADS)
def test_the_page_has_every_section_with_prose_and_its_table(heading: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text((ROOT / "docs" / "conformance.md").read_text())
    prose, _, rows = section_of(page, heading).partition("\n|")
    assert prose.strip()
    assert f"|{rows}".startswith(f"{TABLE_HEADS[heading]}\n")
    put(page, heading, ["| nothing |"])
    assert section_of(page, heading) == f"{prose}\n| nothing |\n"


def section_of(page: Path, heading: str) -> str:
    return page.read_text().partition(f"{heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("tutorials HERE --exercises basic,nope", "no exercise 'nope'; valid: basic, "),
        ("tutorials HERE --page nowhere.md", "Invalid value for '--page': File 'nowhere.md' does"),
        ("tutorials HERE", "no checkout of p4lang/tutorials"),
        ("guide HERE", "no checkout of jafingerhut/p4-guide: no bin/veth_setup.sh in it"),
        ("guide HERE --scripts demo1", "no checkout of jafingerhut/p4-guide"),
        ("readmes HERE", "no checkout of jafingerhut/p4-guide"),
        (
            "learning HERE --results /var/p4abs-no-such-folder/x",
            "no checkout of nsg-ethz/p4-learning",
        ),
        (
            "learning LAB --results /tmp/no-such-folder/x",
            "--results /tmp/no-such-folder/x: not below /tmp",
        ),
        ("learning LAB --labs a", "no lab 'a'; valid: examples/ecmp"),
        (
            "learning LAB --labs examples/ecmp --page NETWORK",
            "--page needs all labs: leave out --labs, or --page",
        ),
        ("suites", "no checkout: give --up4 or --fabric or --ngsdn"),
        ("suites --up4 HERE", "no checkout of omec-project/up4: no p4src/main.p4 in it"),
        ("suites --up4 HERE --suites fabric", "no suite 'fabric'; valid: up4"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_before_anything_runs(
    line: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network = tmp_path / "lab" / "examples" / "ecmp" / "network.py"
    network.parent.mkdir(parents=True)
    network.touch()
    (tmp_path / "empty").mkdir()
    places = {
        "HERE": str(tmp_path / "empty"),
        "LAB": str(tmp_path / "lab"),
        "NETWORK": str(network),
    }
    with pytest.raises(SystemExit) as end:
        run(main, "conformance", [places.get(word, word) for word in line.split()])
    told = capsys.readouterr().err
    assert (end.value.code, told.count("\n")) == (2, 1)
    assert told.startswith("conformance: ")
    assert complaint in told
